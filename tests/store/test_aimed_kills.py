"""A run killed at any moment of the store's life, from creation to closing, loses nothing that was committed."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from support.store_samples import MUTANTS, RESULTS, trial

from harness.errors import StoreError
from harness.store import KillRow, RunStore, export_facts
from harness.store.database import FILE_NAME

_LIBC = ctypes.CDLL(None, use_errno=True)
_TRACEME, _SYSCALL, _SETOPTIONS = 0, 24, 0x4200
_EXITKILL = 0x100000


def run_until(work: Callable[[Callable[[], None]], None], stops: int) -> tuple[int, int]:
    """Does `work` in a forked process and kills it after so many stops, one before and one behind each system call.

    Returns:
        How many stops it came to, and how often `work` called its argument before.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _ptrace(_TRACEME, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            work(lambda: os.write(write, b".") and None)
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    _ptrace(_SETOPTIONS, child, _EXITKILL)
    done = 0
    while done < stops:
        _ptrace(_SYSCALL, child, 0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            break
        done += 1
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    answers = os.read(read, 1 << 16)
    os.close(read)
    return done, len(answers)


def _ptrace(request: int, process: int, data: int) -> None:
    if _LIBC.ptrace(request, process, None, ctypes.c_void_p(data)) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


KILLS = 50
"""In each of two lives: of a fresh store, and of one that is gone on with."""
ENDLESSLY = 1 << 30


def write_all(folder: Path, committed: Callable[[], None]) -> None:
    with RunStore.open(folder) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS)))
        for result in RESULTS:
            store.results.add(key, result, kill_row=KillRow.of_kills(result.mutant, 20, [2]))
            committed()
        store.finished.add(key)
        committed()


def stored(folder: Path, opened: Callable[[Path], RunStore]) -> int:
    with opened(folder) as store:
        return sum(len(store.results.finished_mutants(trial.key)) for trial in store.trials.all()) + len(
            store.finished.keys()
        )


def seen(folder: Path) -> int:
    """Return the number of facts that a reader finds; 0 where it reports that nothing is stored yet."""
    try:
        return stored(folder, RunStore.open_existing)
    except StoreError as error:
        if "no run is stored there" in str(error) or "the store is empty" in str(error):
            return 0
        raise


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("complete")
    write_all(folder, lambda: None)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("life", ["first", "second"])
def test_killed_at_any_system_call_it_goes_on_with_all_that_was_committed(
    life: str, complete: Path, tmp_path: Path
) -> None:
    expected = export_facts(complete)

    def begun(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        if life == "second":
            with RunStore.open(folder) as store:
                key = store.trials.add(trial(store.mutants.add(MUTANTS)))
                store.results.add(key, RESULTS[0], kill_row=KillRow.of_kills(RESULTS[0].mutant, 20, [2]))
        return folder

    whole = begun("whole")
    stops, committed_count = run_until(lambda committed: write_all(whole, committed), ENDLESSLY)
    assert committed_count == len(RESULTS) + 1
    assert stops > KILLS
    half_done = 0
    for number in range(KILLS):
        folder = begun(str(number))
        _, committed_count = run_until(
            lambda committed, to=folder: write_all(to, committed), 1 + number * stops // KILLS
        )
        half_done += (folder / f"{FILE_NAME}-journal").exists()
        if number % 2:
            assert seen(folder) >= committed_count
        assert stored(folder, RunStore.open) >= committed_count
        write_all(folder, lambda: None)
        assert export_facts(folder) == expected
        assert [entry.name for entry in folder.iterdir()] == [FILE_NAME]
        shutil.rmtree(folder)
    assert half_done > 0
