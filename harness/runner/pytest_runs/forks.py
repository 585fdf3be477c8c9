"""Several warmed processes at work on groups of mutants, each group with one of them."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from harness.model.mutant import Mutant
from harness.model.outcome import KillReason, MutantResult
from harness.pytest_suites.job import CollectOrder, MutantOrder
from harness.pytest_suites.mutant_facts import MutantFacts, lost
from harness.runner.logs import LOGGER
from harness.runner.pytest_runs.original import Original
from harness.runner.pytest_runs.schedule import Group, Likelihood, numbered, tests_of
from harness.runner.pytest_runs.warmed import Warmed
from harness.sandbox.process import NO_FACT, SandboxedProcess, WorkerDied

Answer = tuple[int, MutantFacts | str]
"""A mutant's number, and the facts of it; text is a fault."""
Answers = SimpleQueue[Answer | BaseException | None]
"""None stands for the end of a thread."""

_END_EVERY = 0.05


@dataclass(frozen=True)
class MutantRuns:
    """What is to be run: the mutants with their numbers in the metamutant, and those of which results are there."""

    mutants: Sequence[Mutant]
    selectors: Mapping[str, int]
    original: Original
    done: Mapping[str, MutantResult]
    seed: int
    matrix: bool

    def left(self, number: int) -> bool:
        """Whether a mutant is to be run: one that no test reaches is not."""
        return self.mutants[number].id not in self.done and bool(tests_of(number, self.original))

    def order(self, number: int, likelihood: Likelihood) -> MutantOrder:
        """The order to run a mutant; of a whole row, tests come as the suite has them."""
        chosen = tests_of(number, self.original)
        tests = sorted(chosen) if self.matrix else likelihood.order(chosen)
        mutant = self.mutants[number]
        names = tuple(self.original.tests[test] for test in tests)
        anew = number in self.original.anew
        return MutantOrder(mutant.id, self.selectors[mutant.id], names, self.seed, self.matrix, anew)


class Forks:
    """So many warmed processes, each in a thread of its own.

    Args:
        job: the file of the job; `folder` holds it and what the processes work in.
        readable: where the target is installed.
        collected: processes that have collected the suite already; whoever gives them ends them.
    """

    def __init__(self, job: Path, folder: Path, readable: Path, jobs: int, collected: Sequence[Warmed] = ()) -> None:
        self._collected = list(collected)
        self._job = job
        self._folder = folder
        self._readable = readable
        self._jobs = jobs
        self._started = iter(range(1 << 30))
        self._stopping = threading.Event()

    def run(self, order: Sequence[Group], runs: MutantRuns) -> Generator[Answer, None, None]:
        """Facts of each mutant, in the order in which they are found; nothing is left running where nobody asks on.

        Raises:
            MutascopeError: the suite cannot be collected any more.
        """
        wanted = [group for group in order if any(runs.left(number) for number in group.mutants)]
        anew = deque(group for group in wanted if group.anew)
        later = deque(group for group in wanted if not group.anew)
        found: Answers = SimpleQueue()
        jobs = min(self._jobs, len(wanted))
        with ThreadPoolExecutor(max(1, jobs)) as threads:
            for _ in range(jobs):
                threads.submit(self._work, anew, later, runs, found)
            try:
                while jobs:
                    answer = found.get()
                    if isinstance(answer, BaseException):
                        jobs -= 1  # it has ended its thread
                        raise answer
                    if answer is None:
                        jobs -= 1
                    else:
                        yield answer
            except BaseException:
                self._stopping.set()
                while jobs:  # a thread may be about to start its next process
                    SandboxedProcess.end_all()
                    time.sleep(_END_EVERY)
                    while not found.empty():
                        jobs -= not isinstance(found.get(), tuple)
                raise

    def _work(
        self,
        anew: deque[Group],
        later: deque[Group],
        runs: MutantRuns,
        found: Answers,
    ) -> None:
        try:
            with ExitStack() as opened:
                process = _Replaceable(self, opened)
                for groups, collected in ((anew, False), (later, True)):
                    if collected:
                        process.take(self._collected)
                    while groups and not self._stopping.is_set():
                        try:
                            group = groups.popleft()
                        except IndexError:
                            break  # another thread was faster
                        self._run_group(group, runs, process, collected, found)
        except BaseException as error:
            found.put(error)
        else:
            found.put(None)

    def _run_group(
        self,
        group: Group,
        runs: MutantRuns,
        process: _Replaceable,
        collected: bool,
        found: Answers,
    ) -> None:
        likelihood = Likelihood(runs.original)
        numbers = numbered(runs.original)
        for number in group.mutants:
            if self._stopping.is_set():
                return
            known = runs.done.get(runs.mutants[number].id)
            if known is not None:
                likelihood.killed_by(known.input)
            elif runs.left(number):
                facts = process.ask(runs.order(number, likelihood), collected)
                first = None if isinstance(facts, str) else facts.first
                likelihood.killed_by(numbers.get(first.killer or "") if first else None)
                found.put((number, facts))

    def start(self) -> Warmed:
        """A further process, with a folder of its own."""
        return Warmed(self._job, self._folder / f"work-{next(self._started)}", self._readable)

    @property
    def stops(self) -> bool:
        """Whether the run is being ended."""
        return self._stopping.is_set()


class _Replaceable:
    """A warmed process that is started when it is first asked, and started again where it dies."""

    def __init__(self, forks: Forks, opened: ExitStack) -> None:
        self._forks = forks
        self._opened = opened
        self._process: Warmed | None = None
        self._collected = False

    def take(self, collected: list[Warmed]) -> None:
        """Goes on with one of these processes, unless one is running already."""
        if self._process is None:
            try:
                self._process = collected.pop()
            except IndexError:
                return  # none, or another thread was faster
            self._collected = True

    def ask(self, order: MutantOrder, collected: bool) -> MutantFacts | str:
        """Return the facts of a mutant; if the process dies of it twice, a fault; if it twice reports none, a crash."""
        how = ""
        for _ in range(2):
            try:
                if self._process is None:
                    self._process = self._opened.enter_context(self._forks.start())
                    self._collected = False
                if collected and not self._collected:
                    self._process.ask(CollectOrder())
                    self._collected = True
                return self._process.run(order)
            except WorkerDied as death:
                how = death.how
                if self._forks.stops:
                    break
                LOGGER.warning("%s: the process of the tests %s; it is started again", order.id, how)
                self._opened.close()
                self._process = None
        said = f"the process of the tests {how}"
        return lost(KillReason.CRASH, said) if how.startswith(NO_FACT) else said
