"""Fork servers seen from outside: the executor of a trial, with a fork server for each worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp

from harness.errors import MutascopeError
from harness.kernel.running.baseline_slices import slice_path
from harness.kernel.running.fact_validation import lost
from harness.kernel.running.job import (
    ORDERS,
    ROWS,
    WORDS,
    Alive,
    Answer,
    BaselineFacts,
    BaselineOrder,
    BatchFacts,
    BatchOrder,
    HarnessFault,
    MutantFacts,
    MutantOrder,
    Order,
    ProbeFacts,
    ProbeOrder,
    RunJob,
)
from harness.model.outcome import KillReason
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.runner.logs import LOGGER
from harness.sandbox.process import NO_FACT, NoProgress, SandboxedProcess, WorkerDied

TrialExecutor = LocalExecutor[Order, Answer]

LOADING_SECONDS = 120.0
"""Processor time for a sandbox to load the implementation, the spec and its finitization."""

SANDBOX_SILENCE = 120.0
"""A sandbox says about every second that it is alive; after so long without a word it is replaced."""

_ANSWERS: dict[type[Order], type[Answer]] = {
    BaselineOrder: BaselineFacts,
    ProbeOrder: ProbeFacts,
    MutantOrder: MutantFacts,
    BatchOrder: BatchFacts,
}
"""The class of answers to an order of each class, unless a fault answers it."""

_END_PREFIX = "ended by"


def zygote_executor(job: Path, jobs: int, hash_seed: int = 0) -> LocalExecutor[Order, Answer]:
    """Make the executor of a job file, with `jobs` workers on this machine."""
    return LocalExecutor(zygote_work(job, hash_seed), jobs, job.parent)


def zygote_work(job: Path, hash_seed: int = 0) -> Work[Order, Answer]:
    """Return the work of a job file.

    A batch is answered in parts. If a zygote dies of it, its mutants are run one by one. A mutant of which two die is
    killed if that can be its doing, else its facts are a fault of the harness.
    """
    return Work(partial(_zygote, job, hash_seed), _lost, left_of, mutants_of)


def mutant_facts(
    executor: TrialExecutor, orders: Iterable[MutantOrder | BatchOrder]
) -> Iterator[MutantFacts | HarnessFault]:
    """Yield the facts of each mutant as they are found, of a batch those of its orders.

    Raises:
        MutascopeError: the original does not load.
    """
    for answer in answers_of(executor, orders):
        if isinstance(answer, BatchFacts):
            yield from answer.facts
        else:
            assert isinstance(answer, (MutantFacts, HarnessFault))
            yield answer


def answers_of(executor: TrialExecutor, orders: Iterable[Order]) -> Iterator[Answer]:
    """Yield the answers to orders as they are found.

    Raises:
        MutascopeError: the original fails, or does not load.
    """
    with closing(executor.run(orders)) as answers:
        for _, answer in answers:
            yield answer


def left_of(order: Order, answer: Answer) -> Order | None:
    """Return the orders of a batch that its answer has no facts of, as a batch."""
    if not isinstance(order, BatchOrder) or not isinstance(answer, BatchFacts):
        return None
    orders = order.orders[len(answer.facts) :]
    return replace(order, id=orders[0].id, orders=orders) if orders else None


def mutants_of(order: Order) -> Sequence[Order]:
    """Return the orders of a batch, each of which shows by itself which mutant it was."""
    return order.orders if isinstance(order, BatchOrder) else ()


@contextmanager
def _zygote(job: Path, hash_seed: int, folder: Path) -> Iterator[Callable[[Order], Answer]]:
    """Start a zygote, and end it in the end.

    Raises:
        MutascopeError: it does not load.
        OSError: it cannot be started.
    """
    outbox = Path(mkdtemp(prefix="outbox-", dir=folder))
    with zygote_process(job, outbox, folder, hash_seed) as zygote:
        try:
            zygote.fact(LOADING_SECONDS)
        except WorkerDied as death:
            raise MutascopeError(_unready(death)) from None
        LOGGER.info("sandbox %d ready", zygote.pid)
        yield partial(_answer, zygote, outbox)


def _answer(zygote: SandboxedProcess, outbox: Path, order: Order) -> Answer:
    zygote.order(ORDERS.to_data(addressed_to(outbox, order)))
    while isinstance(word := zygote.word(WORDS, SANDBOX_SILENCE, idle_factor=1), Alive):
        pass
    if not isinstance(word, (_ANSWERS[type(order)], HarnessFault)) or not _is_about(word, order):
        raise WorkerDied(NO_FACT)
    take_out(outbox, order, word)
    return word


def _is_about(answer: Answer, order: Order) -> bool:
    if not isinstance(answer, BatchFacts) or not isinstance(order, BatchOrder):
        return answer.id == order.id
    ids = [facts.id for facts in answer.facts]
    return bool(ids) and ids == [one.id for one in order.orders[: len(ids)]]


def _unready(death: WorkerDied) -> str:
    if isinstance(death, NoProgress):
        return (
            f"the implementation and its spec, with finitization, did not load {death.how.removeprefix('no word ')}; "
            "make what stands at the level of a module, and the finitization, end"
        )
    return f"the sandbox cannot be started: {death.how}"


def _lost(order: Order, how: str) -> MutantFacts | HarnessFault:
    """Return the facts of an order during which two sandboxes died: the mutant's end if it may be the cause."""
    how = how or f"{_END_PREFIX} taking its pool worker along twice"
    LOGGER.warning("%s: %s", order.id, how)
    cause = how.partition(";")[0]
    if not isinstance(order, MutantOrder) or cause.startswith("ended with"):
        return HarnessFault(order.id, how)
    if cause.startswith((_END_PREFIX, NO_FACT)):
        run = lost(cause.removeprefix(_END_PREFIX).strip())
    else:
        run = lost(f"wall clock: its sandbox {cause}", KillReason.WALL_LIMIT)
    return MutantFacts(**vars(run), id=order.id)


def zygote_process(job: Path, outbox: Path, below: Path | None = None, hash_seed: int = 0) -> SandboxedProcess:
    """Make the sandboxed process of a job, not yet started. It reads the job and the files next to it, the suite, and
    the subject's folders; it writes to `outbox`.
    """
    run_job = RunJob.read(job)
    subject = [Path(run_job.spec_filename).parent, Path(run_job.implementation.filename).parent]
    readable = [job.parent, Path(run_job.suite), *subject]
    return SandboxedProcess(
        "harness.kernel.running.zygote",
        str(job),
        str(outbox),
        below=below,
        readable=readable,
        writable=[outbox],
        hash_seed=hash_seed,
    )


def addressed_to(outbox: Path, order: Order) -> Order:
    """Return the order as the zygote gets it: its files go to its outbox."""
    return replace(order, baseline=str(outbox)) if isinstance(order, BaselineOrder) else order


def take_out(outbox: Path, order: Order, answer: Answer) -> None:
    """Move the file that the fork server wrote for an order to the order's place.

    Raises:
        MutascopeError: there is no plain one.
    """
    if isinstance(answer, HarnessFault):
        return
    if isinstance(order, BaselineOrder):
        _move(order, slice_path(outbox, order.first), slice_path(Path(order.baseline), order.first))
    elif isinstance(order, ProbeOrder):
        _move(order, outbox / ROWS, Path(order.rows))


def _move(order: Order, written: Path, place: Path) -> None:
    """Move a file after checking that it is plain.

    The program's own process wrote it: a pipe would block its reader, and a link would mislead it.
    """
    if written.is_symlink() or not written.is_file():
        raise MutascopeError(
            f"{order.id}: the process of the original left no plain file {written.name}; "
            "see to it that the implementation and the spec write no files of their own"
        )
    written.replace(place)
