"""A sandboxed process is asked and answers in lines, and its end is explained in a few words.

Lines of a pipe whose other end is not trusted come whole, in time, or not at all.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from e2e.command_line import processes_of

from harness import errors
from harness.sandbox import process
from harness.sandbox.process import Closed, LineReader, NoProgress, SandboxedProcess, Silence


def echo(**options: Any) -> SandboxedProcess:
    return SandboxedProcess("tests.support.echo", readable=[Path(__file__).parents[1]], **options)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can fix addresses")
def test_everything_lies_at_the_same_addresses_each_time():
    before = Path("/proc/self/personality").read_text(encoding="utf-8")
    addresses = set()
    for _ in range(3):
        with echo() as started:
            started.order({})
            addresses.add(started.fact()["address"])
    assert len(addresses) == 1
    assert Path("/proc/self/personality").read_text(encoding="utf-8") == before


def test_orders_are_answered_from_an_empty_folder_without_our_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "1")
    with echo(below=tmp_path) as sandbox:
        sandbox.order({"number": 1, "text": "x" * 200_000})
        fact = sandbox.fact()
        assert (fact["number"], len(fact["text"]), fact["stdin"]) == (1, 200_000, "")
        assert Path(fact["folder"]).parent == tmp_path
        assert list(Path(fact["folder"]).iterdir()) == []
        assert "SECRET" not in fact["variables"]
    assert not Path(fact["folder"]).exists()


def test_programs_have_the_same_umask_and_time_zone_whatever_ours_are(monkeypatch):
    monkeypatch.setenv("TZ", "Pacific/Chatham")
    ours = os.umask(0o077)
    try:
        with echo() as sandbox:
            sandbox.order({})
            fact = sandbox.fact()
    finally:
        os.umask(ours)
    assert (fact["umask"], fact["hour"]) == (0o022, 0)


def test_programs_are_looked_for_on_the_path_given_and_else_on_the_systems_own(monkeypatch):
    monkeypatch.setenv("PATH", "/ours")
    for options, path in (({}, os.defpath), ({"path": "/given"}, "/given")):
        with echo(**options) as sandbox:
            sandbox.order({"number": 1})
            assert sandbox.fact()["variables"]["PATH"] == path


def test_an_error_of_no_known_kind_is_one_of_ours():
    with echo() as sandbox:
        sandbox.order({"error": {"name": "annotations", "message": "of no known kind"}})
        with pytest.raises(errors.MutascopeError, match="of no known kind"):
            sandbox.fact()


def test_processor_time_of_what_it_has_started_counts():
    with echo() as sandbox:
        sandbox.order({"busy below": True})
        with pytest.raises(NoProgress, match=r"no word within 0\.5 s of processor time"):
            sandbox.fact(0.5, idle_factor=1000)


def test_a_process_that_sleeps_is_waited_for_longer_and_its_fact_is_heard():
    with echo() as sandbox:
        sandbox.order({})
        sandbox.fact()
        sandbox.order({"sleep": 0.6})
        assert sandbox.fact(0.2)["sleep"] == 0.6


def test_nothing_that_it_started_lives_on():
    with echo() as sandbox:
        sandbox.order({"fork": 1})
        sandbox.fact()
        assert len(processes_of(sandbox.folder)) >= 2
    assert not processes_of(sandbox.folder)


def test_it_inherits_no_handle_but_its_own(tmp_path):
    with (tmp_path / "open").open("w") as file, echo() as sandbox:
        os.set_inheritable(file.fileno(), True)
        sandbox.order({})
        sandbox.fact()
        handles = [os.readlink(entry) for entry in Path(f"/proc/{sandbox.pid}/fd").iterdir()]
    assert str(tmp_path / "open") not in handles


class Pipes:
    def __init__(self) -> None:
        reading, self.say = os.pipe()
        words, self.shout = os.pipe()
        self.reader = LineReader(reading, words)
        self.ends = [reading, self.say, words, self.shout]

    def close(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                os.close(end)


@pytest.fixture
def pipes():
    with closing(Pipes()) as opened:
        yield opened


def test_lines_come_one_by_one_however_they_were_written(pipes):
    os.write(pipes.say, b"one\ntwo\nthr")
    assert [pipes.reader.line(1), pipes.reader.line(1)] == [b"one", b"two"]
    os.write(pipes.say, b"ee\n")
    assert pipes.reader.line(1) == b"three"


def test_bytes_that_trickle_in_do_not_put_off_the_end_of_waiting(pipes):
    stop = threading.Event()

    def trickle() -> None:
        while not stop.wait(0.01):
            os.write(pipes.say, b"x")

    thread = threading.Thread(target=trickle)
    thread.start()
    started = time.monotonic()
    with pytest.raises(Silence):
        pipes.reader.line(0.3)
    assert time.monotonic() - started < 30
    stop.set()
    thread.join()


def test_a_flood_without_an_end_is_heard_to_a_limit_only(pipes, monkeypatch):
    monkeypatch.setattr(process, "MOST_LINE", 1000)
    os.write(pipes.say, b"x" * 2000)
    with pytest.raises(Closed):
        pipes.reader.line(10)


def test_a_closed_pipe_is_told(pipes):
    os.close(pipes.say)
    with pytest.raises(Closed):
        pipes.reader.line(10)


def test_words_without_number_keep_nobody_waiting_and_the_last_are_kept(pipes):
    def shout() -> None:
        for _ in range(100):
            os.write(pipes.shout, b"noise\n" * 2000)
        os.write(pipes.shout, b"the end\n")
        os.write(pipes.say, b"done\n")

    thread = threading.Thread(target=shout)
    thread.start()
    assert pipes.reader.line(30) == b"done"
    thread.join()
    assert pipes.reader.last_words() == "the end"
