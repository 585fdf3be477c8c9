"""A run's folder belongs to one run at a time, and to nobody once that has ended, however it ended."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from harness import api
from harness.errors import UsageError
from harness.runner.run_lock import FILE_NAME, Holder, locked

HOLDER = """
import os, signal, sys
from pathlib import Path
from harness.runner.run_lock import locked
with locked(Path(sys.argv[1])):
    child = os.fork()
    if child:
        print(child, flush=True)
    signal.pause()
"""


def holder(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """Start a process that holds the folder, and one that it has forked."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, encoding="utf-8")
    return process, int(process.stdout.readline())


def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refused)


def test_the_second_is_told_who_is_there_and_the_folder_is_free_once_that_is_killed(tmp_path):
    folder = tmp_path / "run"
    process, child = holder(folder)
    try:
        with pytest.raises(UsageError) as refused, locked(folder):
            pass
        assert f"{folder}: another run is writing there: process {process.pid} on " in str(refused.value)
        assert f", mutascope {folder}; wait for its end" in str(refused.value)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with locked(folder):  # though a process that it forked lives
            pass
    finally:
        process.kill()
        os.kill(child, signal.SIGKILL)
        process.communicate()
    assert list(folder.iterdir()) == []


def test_a_lock_that_a_forked_process_has_not_yet_given_up_is_waited_for(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    held = os.open(folder / FILE_NAME, os.O_RDWR | os.O_CREAT)
    fcntl.flock(held, fcntl.LOCK_EX)
    ended_holder = replace(Holder.this(), clock="0")
    (folder / FILE_NAME).write_text(json.dumps(asdict(ended_holder)))
    begun = threading.Event()

    def give_up() -> None:
        begun.set()
        os.close(held)

    timer = threading.Timer(0.3, give_up)
    timer.start()
    with locked(folder):
        assert begun.is_set()
    timer.join()


def test_a_lock_that_outlives_its_holder_for_long_is_told(tmp_path):
    with locked(tmp_path):
        (tmp_path / FILE_NAME).write_text(json.dumps(asdict(replace(Holder.this(), clock="0"))))
        with pytest.raises(UsageError, match="another run is writing there"), locked(tmp_path):
            pass


def test_one_process_does_not_run_into_a_folder_twice(tmp_path):
    with locked(tmp_path):
        with pytest.raises(UsageError, match=f"process {os.getpid()} on"), locked(tmp_path):
            pass
        assert Holder.read(tmp_path / FILE_NAME) is not None
    with locked(tmp_path):
        pass


def test_a_second_run_touches_nothing(tmp_path):
    with locked(tmp_path):
        before = [(path, path.read_bytes()) for path in tmp_path.iterdir()]
        with pytest.raises(UsageError, match="another run is writing there"):
            api.run(api.subject_experiment("search_tree", "korat", [1]), tmp_path, jobs=1)
        assert [(path, path.read_bytes()) for path in tmp_path.iterdir()] == before


def test_a_holder_that_removes_its_file_while_another_waits_lets_it_in(tmp_path, monkeypatch):
    flock, times = fcntl.flock, []

    def removed_at_first(descriptor: int, operation: int) -> None:
        times.append(descriptor)
        if len(times) == 1:
            (tmp_path / FILE_NAME).unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", removed_at_first)
    with locked(tmp_path):
        assert len(times) == 2
        assert (tmp_path / FILE_NAME).exists()


@pytest.mark.parametrize("changes", [{}, {"host": "elsewhere"}])
def test_without_locks_a_living_process_and_one_of_elsewhere_keep_the_folder(tmp_path, monkeypatch, changes):
    no_locks(monkeypatch)
    with locked(tmp_path):
        there = Holder.read(tmp_path / FILE_NAME)
        assert there is not None
        (tmp_path / FILE_NAME).write_text(json.dumps(asdict(replace(there, **changes))))
        with pytest.raises(UsageError, match="another run"), locked(tmp_path):
            pass


@pytest.mark.parametrize("changes", [{"clock": "1"}, {"pid": 2**22 + 1}])
def test_without_locks_a_process_that_is_gone_does_not_keep_the_folder(tmp_path, monkeypatch, changes):
    no_locks(monkeypatch)
    ended_holder = asdict(Holder.this()) | changes
    (tmp_path / FILE_NAME).write_text(json.dumps(ended_holder))
    with locked(tmp_path):
        assert Holder.read(tmp_path / FILE_NAME) != Holder(**ended_holder)
