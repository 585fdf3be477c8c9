"""Forked workers are ended, whatever they do, and a stopped one is noticed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.errors import MutascopeError
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.protocol import Work, WorkerDeath


@contextmanager
def stopping(folder: Path) -> Iterator[Callable[[str], int]]:
    yield lambda order: os.kill(os.getpid(), signal.SIGSTOP) or 0


@contextmanager
def dying(folder: Path) -> Iterator[Callable[[str], int]]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield len


@contextmanager
def unwilling(folder: Path) -> Iterator[Callable[[str], int]]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield lambda order: signal.pause() or 0


@contextmanager
def measuring(folder: Path) -> Iterator[Callable[[str], tuple[int, int]]]:
    yield lambda order: (os.getpid(), len(order))


def lost(order: str, death: WorkerDeath) -> int:
    return -1 if death.of_worker else 1


def test_a_worker_that_is_stopped_is_ended_and_its_order_is_decided_about(tmp_path: Path) -> None:
    with LocalExecutor(Work(stopping, lost), 1, tmp_path, silence=0.5) as executor:
        assert list(executor.run(["a"])) == [("a", -1)]


LARGE = "x" * (1 << 24)


def test_an_order_beyond_what_a_pipe_holds_arrives_whole(tmp_path: Path) -> None:
    with LocalExecutor(Work(measuring, lost), 2, tmp_path) as executor:
        answer_of = {order: answer for order, (_, answer) in executor.run([LARGE, "a", LARGE + "x"])}
    assert answer_of == {order: len(order) for order in (LARGE, "a", LARGE + "x")}


def test_a_stopped_worker_that_takes_no_large_order_is_ended_while_another_works(tmp_path: Path) -> None:
    with LocalExecutor(Work(measuring, lost), 2, tmp_path, silence=3) as executor:
        ((_, (worker, _)),) = executor.run(["a"])
        os.kill(worker, signal.SIGSTOP)
        answers = executor.run([LARGE, "b"])
        assert [next(answers)[0], next(answers)] == ["b", (LARGE, -1)]


def test_a_worker_that_dies_as_it_starts_is_an_error_in_one_line(tmp_path: Path) -> None:
    work = Work(dying, lost)
    with LocalExecutor(work, 1, tmp_path) as executor, pytest.raises(MutascopeError, match="died as it started"):
        list(executor.run(["a"]))


@pytest.mark.end_to_end
def test_a_worker_that_hears_no_signal_is_ended_all_the_same(tmp_path: Path) -> None:
    with LocalExecutor(Work(unwilling, lost), 1, tmp_path) as executor:
        executor.run(["a"])
    assert not [*tmp_path.iterdir()]
