"""An executor answers every order once, no dying worker loses one, and a worker leaves when it is told to."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from harness.errors import BaselineError, MutascopeError
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.sandbox.process import WorkerDied


@dataclass(frozen=True)
class Job:
    """A worker doubles the numbers, one after the other; `do` says how it fails at that."""

    numbers: tuple[int, ...]
    do: str = ""
    place: str = ""


@dataclass(frozen=True)
class Unanswered:
    """The answer of an order that nobody could answer."""

    how: str


@contextmanager
def doubling(folder: Path) -> Iterator[Callable[[Job], int]]:
    """A worker that doubles the first of the numbers; its folder can be written to."""
    (folder / "opened").write_text("")
    yield done


def done(job: Job) -> int:
    number = job.numbers[0]
    if job.do == "fall" and number < 0:
        raise WorkerDied("fell")
    if job.do == "kill" and number < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    if job.do == "refuse":
        raise BaselineError("the original fails")
    if job.do == "break":
        raise AssertionError(f"number {number}")
    if job.do == "end of file":
        raise EOFError
    if job.do == "pid":
        return os.getpid()
    if job.do == "wait":
        until = monotonic() + 60
        while not Path(job.place).exists() and monotonic() < until:
            sleep(0.01)
    if job.do == "write":
        Path(job.place).touch()
    return 2 * number


def next_part(job: Job, answer: int) -> Job | None:
    return replace(job, numbers=job.numbers[1:]) if len(job.numbers) > 1 else None


def one_by_one(job: Job) -> Sequence[Job]:
    return [replace(job, numbers=(number,)) for number in job.numbers] if len(job.numbers) > 1 else []


WORK: Work[Job, Any] = Work(doubling, lambda job, how: Unanswered(how), next_part, one_by_one)


@pytest.fixture
def executor(tmp_path):
    return lambda jobs=1, work=WORK: LocalExecutor(work, jobs, tmp_path)


def jobs_of(count: int, do: str = "") -> list[Job]:
    return [Job((number,), do) for number in range(count)]


def answers(executor: LocalExecutor[Job, Any], orders: Sequence[Job]) -> dict[int, Any]:
    return {order.numbers[0]: answer for order, answer in executor.run(orders)}


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_order_is_answered_once_whatever_the_number_of_jobs(executor, jobs):
    with executor(jobs) as opened:
        answered = [(order.numbers, answer) for order, answer in opened.run(jobs_of(20))]
        assert list(opened.run([])) == []
    assert sorted(answered) == [((number,), 2 * number) for number in range(20)]


def test_at_most_so_many_workers_as_jobs_serve_several_runs(executor):
    with executor(2) as opened:
        answered = {answer for _ in range(3) for answer in answers(opened, jobs_of(8, "pid")).values()}
    assert 1 <= len(answered) <= 2
    assert os.getpid() not in answered


def test_an_order_is_answered_in_parts_each_with_what_was_left_of_it(executor):
    with executor(2) as opened:
        answered = [(order.numbers, answer) for order, answer in opened.run([Job((1, 2, 3)), Job((4,))])]
    assert [one for one in answered if one[1] < 8] == [((1, 2, 3), 2), ((2, 3), 4), ((3,), 6)]
    assert ((4,), 8) in answered


def test_orders_are_taken_when_a_worker_is_free(executor):
    consumed: list[int] = []

    def late() -> Iterator[Job]:
        for job in jobs_of(6):
            consumed.append(job.numbers[0])
            yield job

    with executor(2) as opened:
        for number, _ in enumerate(opened.run(late())):
            assert len(consumed) <= number + 2
    assert consumed == list(range(6))


def test_the_first_orders_are_begun_before_anybody_asks_for_an_answer(executor, tmp_path):
    with executor(1) as opened:
        answered = opened.run([Job((3,), "write", str(tmp_path / "begun"))])
        until = monotonic() + 60
        while not (tmp_path / "begun").exists() and monotonic() < until:
            sleep(0.01)
        assert (tmp_path / "begun").exists()
        assert [answer for _, answer in answered] == [6]


@pytest.mark.parametrize(("do", "how"), [("fall", "fell"), ("kill", "")])
def test_an_order_that_two_workers_die_of_is_lost_and_the_others_go_on(executor, do, how):
    with executor(2) as opened:
        answered = answers(opened, [Job((1, 2, -3, 4), do), Job((-5,), do), Job((6,), do)])
    assert answered == {1: 2, 2: 4, -3: Unanswered(how), 4: 8, -5: Unanswered(how), 6: 12}


def test_what_was_answered_of_an_order_before_a_death_is_not_run_again(executor):
    with executor(1) as opened:
        answered = [order.numbers for order, _ in opened.run([Job((1, -2, 3), "fall")])]
    assert answered == [(1, -2, 3), (-2,), (3,)]


def test_what_stands_for_a_lost_order_answers_one_part_and_the_rest_is_run(executor):
    with executor(1, Work(doubling, lambda job, how: Unanswered(how), next_part)) as opened:
        answers = [answer for _, answer in opened.run([Job((1, -2, 3), "fall")])]
    assert answers == [2, Unanswered("fell"), 6]


def test_an_exception_about_a_lost_order_ends_the_run(executor):
    def refused(job: Job, how: str) -> Unanswered:
        raise WorkerDied(f"{job.numbers} {how}")

    with executor(1, replace(WORK, lost=refused)) as opened:
        with pytest.raises(WorkerDied, match=r"\(-1,\) fell"):
            list(opened.run([Job((-1,), "fall"), Job((1,))]))
        assert answers(opened, jobs_of(2)) == {0: 0, 1: 2}


def test_an_error_for_the_user_is_raised_and_the_executor_can_be_used_again(executor):
    with executor(2) as opened:
        with pytest.raises(BaselineError, match="the original fails"):
            list(opened.run([Job((1,), "refuse"), *jobs_of(3)]))
        assert answers(opened, jobs_of(3)) == {0: 0, 1: 2, 2: 4}


@pytest.mark.parametrize(("do", "fault"), [("break", "AssertionError: number 7"), ("end of file", "EOFError")])
def test_a_fault_in_a_worker_is_no_death_and_is_raised_with_its_place(executor, do, fault):
    with executor(1) as opened, pytest.raises(RuntimeError, match=rf"(?s)in done.*{fault}"):
        list(opened.run([Job((7,), do)]))


def test_a_fault_in_the_iterable_before_any_answer_ends_the_orders_before_it(executor, tmp_path):
    def broken() -> Iterator[Job]:
        yield Job((5,), "wait", str(tmp_path / "never"))
        raise ValueError("no more")

    with executor(2) as opened:
        with pytest.raises(ValueError, match="no more"):
            list(opened.run(broken()))
        assert answers(opened, jobs_of(2)) == {0: 0, 1: 2}


def test_a_run_that_the_next_one_has_closed_takes_nothing_from_it(executor, tmp_path):
    with executor(2) as opened:
        first = opened.run([Job((5,), "wait", str(tmp_path / "never"))])
        second = opened.run(jobs_of(4))
        assert list(first) == []
        first.close()
        assert sorted(answer for _, answer in second) == [0, 2, 4, 6]


def test_closing_the_answers_ends_what_is_at_work_and_the_next_run_hears_nothing_of_it(executor, tmp_path):
    with executor(2) as opened:
        with closing(opened.run([Job((1,)), Job((2,), "wait", str(tmp_path / "never"))])) as answered:
            assert next(answered)[1] == 2
        assert answers(opened, jobs_of(4)) == {0: 0, 1: 2, 2: 4, 3: 6}


def test_leaving_ends_every_worker_and_removes_what_they_wrote(executor, tmp_path):
    with executor(2) as opened:
        workers = set(answers(opened, jobs_of(8, "pid")).values())
        assert list(tmp_path.rglob("opened"))
        opened.run([Job((1,), "wait", str(tmp_path / "never"))])
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    assert not list(tmp_path.rglob("opened"))


@contextmanager
def dying(folder: Path) -> Iterator[Callable[[str], int]]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield len


@contextmanager
def unwilling(folder: Path) -> Iterator[Callable[[str], int]]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    yield lambda order: signal.pause() or 0


def test_an_order_beyond_what_a_pipe_holds_arrives_whole(tmp_path):
    large = "x" * (1 << 24)
    with LocalExecutor(Work(measuring, lambda order, how: -1), 2, tmp_path) as executor:
        assert dict(executor.run([large, "a", large + "x"])) == {large: 1 << 24, "a": 1, large + "x": (1 << 24) + 1}


@contextmanager
def measuring(folder: Path) -> Iterator[Callable[[str], int]]:
    yield len


def test_a_worker_that_dies_as_it_starts_is_an_error_in_one_line(tmp_path):
    work = Work(dying, lambda order, how: -1)
    with LocalExecutor(work, 1, tmp_path) as executor, pytest.raises(MutascopeError, match="died as it started"):
        list(executor.run(["a"]))


def test_a_worker_that_hears_no_signal_is_ended_all_the_same(tmp_path):
    with LocalExecutor(Work(unwilling, lambda order, how: -1), 1, tmp_path) as executor:
        executor.run(["a"])
    assert not [*tmp_path.iterdir()]


CODE = """
import os, signal, time
from harness.runner.executors.worker_process import WorkerEnd, leave

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

signal.signal(signal.SIGTERM, leave)
try:
    Finalized()
    time.sleep(30)
except WorkerEnd:
    print("it leaves")
"""


def test_a_worker_that_is_ended_within_a_finalizer_leaves_without_a_word():
    process = subprocess.run([sys.executable, "-c", CODE], capture_output=True, encoding="utf-8", check=True)
    assert (process.stdout, process.stderr) == ("it leaves\n", "")
