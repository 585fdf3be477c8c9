"""Executes the mutants of a trial: baseline, controls, a first look, probes, and then further inputs for survivors."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import StoreError
from harness.kernel.inputs.suites import BLOCK, MOST_BLOCKS, SuiteReader
from harness.kernel.program.splice import mutated_source
from harness.kernel.running.baseline_slices import Slice, check_slice, slice_path, source_of
from harness.kernel.running.job import (
    BaselineOrder,
    BatchOrder,
    HarnessFault,
    InputMask,
    MutantFacts,
    MutantOrder,
    RunJob,
)
from harness.model.experiment import Approach, ExecutionMode, Experiment
from harness.model.interface import Interface
from harness.model.outcome import ORACLES, KillReason, Mutant, OracleName, Phase
from harness.model.subject import Subject
from harness.mutation.schemata import metamutant
from harness.runner.instrument import NO_OP, Controls, prove, prove_oracle, with_controls
from harness.runner.logs import LOGGER
from harness.runner.mutant_results import ProbedFacts
from harness.runner.probing import DifferentialKills, ProbedRows, Probing, check_no_fault, slices
from harness.runner.zygotes import TrialExecutor, answers_of, mutant_facts, zygote_executor
from harness.store.facts import InstrumentProof

if TYPE_CHECKING:
    from harness.selections import Selections

FIRST_LOOK = 2048
"""Inputs that all mutants are probed and executed on before the others are (a multiple of 8): most die there."""

STAGE_FACTOR = 8
"""The factor by which the end of each later stage, with the surviving mutants, exceeds the last one's."""

MOST_TOGETHER = 256
"""Mutants in one order, which may be run in one process."""
_BATCHES_EACH = 4


class Filter(Enum):
    """The rule for the inputs that a mutant is executed on; its facts are the same under each rule."""

    NONE = "every input"
    REACHED = "inputs on which the original reaches the mutated place"
    INFECTED = "inputs on which the mutated expression's value, or the condition around it, differs at least once"
    STAGED = "infected ones in stages, each for the mutants still living"


@dataclass(frozen=True)
class OriginalFacts:
    """Facts of the original on the whole suite.

    Attributes:
        cpu_seconds: includes the oracle and the checks of pre-states.
        blocks: the processor seconds after which it has run each of the first blocks of `BLOCK` inputs.
        untold: places of values without content, with the numbers of calls that gave or left them.
        lost: the place that keeps something which cannot be put back before each input, if that was noticed just now.
    """

    steps: int
    raised: int
    cpu_seconds: float
    blocks: list[float]
    untold: Mapping[str, int]
    lost: str = ""


class Execution:
    """One trial's executions. `work` is a folder of this run's own for intermediate files. In `cache_folder`, which is
    `work` by default, a resumed run finds the baseline of the original.

    The facts of a mutant are the same as if every input had been executed in order, with `executed`,
    `reached` and `infected` beside them. Filters other than STAGED are its witnesses. Where rows of
    the kill matrix are wanted, a mutant's facts are of all inputs, or, with `selections`, of the first
    ones, as many as decide each of those. With `differential_kills`, only inputs that these let kill are executed, and
    nobody counts steps.
    """

    def __init__(  # noqa: PLR0913 (the parts of one trial)
        self,
        subject: Subject,
        interface: Interface,
        suite: SuiteReader,
        mutants: Sequence[Mutant],
        experiment: Experiment,
        work: Path,
        chosen: Filter = Filter.STAGED,
        selections: Selections | None = None,
        cache_folder: Path | None = None,
        oracle: OracleName = OracleName.DIFFERENTIAL,
        differential_kills: DifferentialKills | None = None,
    ) -> None:
        self._oracle = oracle
        self._differential_kills = differential_kills
        self._cache_folder = work if cache_folder is None else cache_folder
        self._filter = chosen
        self._selections = selections
        self._subject = subject
        self._interface = interface
        self._suite = suite
        self._experiment = experiment
        self._work = work
        self._folder = str(self._cache_folder.resolve())
        """The folder of the baseline's slices."""
        self._rows = experiment.mode in (ExecutionMode.MATRIX, ExecutionMode.SELECTIONS)
        self._slices = slices(0, len(suite))
        self._meta: str | None = None
        self._numbers: dict[str, int] = {}
        self._is_separable = False
        # There are calls before the last one, and what infects is asked of each.
        with_last_calls = suite.holds_sequences and chosen is Filter.STAGED
        infected = chosen is not Filter.REACHED
        self._probing = Probing(subject, work, oracle, infected=infected, with_last_calls=with_last_calls)
        if experiment.approach is Approach.METAMUTANT and not self._probing.hangs_on_text:
            text, self._numbers = metamutant(subject.source, mutants, in_closures=False)
            self._meta = with_controls(text, interface, subject.driven)

    def write_job(self) -> Path:
        """Write the job file that the executor's sandboxes load, and return its path."""
        self._job.write(self._job_path)
        return self._job_path

    @property
    def _job_path(self) -> Path:
        return (self._cache_folder / "job.json").resolve()

    @property
    def _job(self) -> RunJob:
        subject = self._subject
        return RunJob.of_suite(
            subject,
            self._suite,
            concrete=self._experiment.concrete,
            metamutant=self._meta,
            observed=self._experiment.observed.value,
            oracle=self._oracle.value,
        )

    def observe_original(self, executor: TrialExecutor) -> OriginalFacts:
        """Run the original on every input that no earlier run has left a slice of the same program for.

        Raises:
            BaselineError: it fails on an input.
            StoreError: a slice is not what was written just now.
        """
        source = source_of(self._job, self._suite.header.digest)
        stored = self._stored_slices(source)
        orders = [BaselineOrder(f"baseline {first}", first, last, self._folder) for first, last in self._slices]
        lost = ""
        for answer in answers_of(executor, [one for one in orders if one.first not in stored]):
            check_no_fault(answer)
            lost = lost or getattr(answer, "lost", "")
        baseline_slices = {
            one.first: stored.get(one.first) or check_slice(slice_path(self._cache_folder, one.first), source)
            for one in orders
        }
        self._is_separable = all(stored.apart for stored in baseline_slices.values())
        blocks, spent = [], 0.0
        for first, one in baseline_slices.items():
            blocks += [spent] * (first > 0 and first % BLOCK == 0) + [spent + seconds for seconds in one.blocks]
            spent += one.cpu_seconds
        return OriginalFacts(
            steps=sum(stored.steps for stored in baseline_slices.values()),
            raised=sum(stored.raised for stored in baseline_slices.values()),
            cpu_seconds=spent,
            blocks=blocks[:MOST_BLOCKS],
            untold=sum((Counter(stored.untold) for stored in baseline_slices.values()), Counter()),
            lost=lost,
        )

    def _stored_slices(self, source: str) -> dict[int, Slice]:
        """Return the slices of an earlier run by their first inputs; those that are damaged or of another program are
        removed.
        """
        stored: dict[int, Slice] = {}
        for first, _ in self._slices:
            path = slice_path(self._cache_folder, first)
            if path.exists():
                try:
                    stored[first] = check_slice(path, source)
                except StoreError:
                    LOGGER.warning("%s: damaged, or made from another program, spec or suite; it is made again", path)
                    path.unlink()
        return stored

    def prove(self, executor: TrialExecutor, original: OriginalFacts) -> InstrumentProof:
        """Run the controls (law 3), those of the oracle last."""
        kind = ORACLES[self._oracle]
        # An observer may be the first to raise, and the observers' results stand for the state.
        reasons = [KillReason.EXCEPTION, *[KillReason.STATE] * kind.asks_program]
        proof = prove(executor, self._controls, original.steps, reasons, self._job.files, original.lost)
        name = "" if self._oracle is OracleName.DIFFERENTIAL else f"{self._oracle.value} "
        LOGGER.info("the %soracle: %s", name, prove_oracle(kind.proof, executor, self._controls, original.raised))
        return proof

    @property
    def _controls(self) -> Controls:
        return Controls(
            spec=str(self._subject.spec_path),
            interface=self._interface,
            source=self._subject.source,
            slices=self._slices,
            baseline=self._folder,
            in_metamutant=self._meta is not None,
            driven=self._subject.driven,
        )

    def difference_by_hash_seed(self) -> str:
        """Run the original on the first inputs under another hash seed, if it has sets or calls `hash`.

        Return what it does otherwise on an input; empty if it does the same.
        """
        companions = (file.source for file in self._subject.companions)
        if not any(map(_uses_hashes, (self._subject.source, *companions))):
            return ""
        original = self._controls.order(NO_OP, 0, min(FIRST_LOOK, len(self._suite)), backwards=True)
        with zygote_executor(self._job_path, 1, hash_seed=1) as executor:
            facts = next(mutant_facts(executor, [original]))
        check_no_fault(facts)
        assert isinstance(facts, MutantFacts)
        return f"on {facts.input_text}, {facts.detail}" if facts.reason else ""

    def run(self, executor: TrialExecutor, mutants: Sequence[Mutant]) -> Iterator[ProbedFacts | HarnessFault]:
        """Yield the facts of each mutant, as they are found."""
        count = len(self._suite)
        so_far: dict[str, ProbedFacts] = {}
        left: dict[Mutant, None] = {}
        for first, last in self._stages():
            if not mutants:
                break
            rows = None if self._filter is Filter.NONE else self.probe(executor, mutants, first, last)
            if rows is not None and rows.left:
                left |= dict.fromkeys(mutants)  # inputs do not stand alone
                break
            starts = dict.fromkeys(range(len(mutants)), first)
            while starts:
                orders = [
                    self.order(
                        mutants[n], at, last, *(() if rows is None else (rows.input_mask(n), rows.last_calls(n)))
                    )
                    for n, at in starts.items()
                ]
                numbers = {mutants[number].id: number for number in starts}
                ends: dict[int, int] = {}
                for answer in mutant_facts(executor, orders if self._rows else batches(orders, executor.jobs)):
                    number = numbers[answer.id]
                    before = so_far.pop(answer.id, None)
                    if isinstance(answer, HarnessFault):
                        yield answer
                        continue
                    if answer.left:
                        left[mutants[number]] = None
                        continue
                    end = starts[number] + answer.inputs_run if self._rows else last
                    facts = self._probed(answer, rows, number, starts[number], end)
                    facts = facts if before is None else before.joined(facts)
                    if end < count and not facts.died and not self._decided(facts):
                        so_far[facts.id] = facts
                        ends[number] = end
                        continue
                    # Reach is unknown on the inputs that were not run.
                    yield replace(facts, reached=None, infected=None) if end < count else facts
                starts = {number: end for number, end in ends.items() if end < last}
            mutants = [mutant for mutant in mutants if mutant.id in so_far]
        if left:
            yield from self._run_whole(executor, [*left])

    def _run_whole(self, executor: TrialExecutor, mutants: Sequence[Mutant]) -> Iterator[ProbedFacts | HarnessFault]:
        """Yield the facts of mutants that leak state to later inputs: on all inputs, in order, in a process each."""
        count = len(self._suite)
        rows = self.probe(executor, mutants, 0, count)
        numbers = {mutant.id: number for number, mutant in enumerate(mutants)}
        orders = [replace(self.order(mutant, 0, count), most_kills=None) for mutant in mutants]
        for answer in mutant_facts(executor, orders):
            yield (
                answer if isinstance(answer, HarnessFault) else self._probed(answer, rows, numbers[answer.id], 0, count)
            )

    def _probed(self, answer: MutantFacts, rows: ProbedRows | None, number: int, first: int, end: int) -> ProbedFacts:
        """Return the facts of a mutant on inputs `first` to `end - 1`, with the inputs that reach it."""
        if rows is None:
            facts = ProbedFacts(**vars(answer))
        else:
            facts = rows.reach(answer, number, first, end, with_bits=self._rows)
        # The steps on inputs that were left out are unknown.
        return facts if self._differential_kills is None else replace(facts, steps=None)

    def _stages(self) -> list[tuple[int, int]]:
        """Return all inputs as one stage, or in stages that grow, so that few mutants are left for many inputs."""
        count = len(self._suite)
        if self._selections is None and (self._rows or self._filter is not Filter.STAGED):
            return [(0, count)]
        ends = [FIRST_LOOK]
        while ends[-1] < count:
            ends.append(ends[-1] * STAGE_FACTOR)
        return [(first, min(last, count)) for first, last in pairwise([0, *ends])]

    def _decided(self, facts: ProbedFacts) -> bool:
        """Return whether later inputs cannot change the facts that are wanted of a mutant."""
        if facts.reason is None:
            return False
        if self._selections is None or facts.phase is Phase.LOAD or facts.bits is None:
            return True  # without bits: its sandbox died with it
        return self._selections.decided_by(facts.bits)

    def order(
        self,
        mutant: Mutant,
        first: int,
        last: int,
        input_mask: InputMask | None = None,
        last_calls: InputMask | None = None,
    ) -> MutantOrder:
        """Return the order to execute `mutant` on inputs `first` to `last - 1`, or on those of `input_mask` among them.

        Of sequences, inputs whose last call is not among `last_calls` are left out where the state before it is equal.
        """
        number = self._numbers.get(mutant.id)
        return MutantOrder(
            id=mutant.id,
            baseline=self._folder,
            first=first,
            last=last,
            source=mutated_source(self._subject.source, mutant) if number is None else None,
            number=number,
            input_mask=input_mask,
            last_calls=last_calls,
            matrix=self._rows,
            most_kills=None if self._selections is None else self._selections.enough,
        )

    def probe(self, executor: TrialExecutor, mutants: Sequence[Mutant], first: int, last: int) -> ProbedRows:
        """Probe inputs `first` to `last - 1` for these mutants."""
        rows = self._probing.rows(executor, mutants, slices(first, last), self._is_separable)
        if self._differential_kills is not None:
            rows.narrow(first, [self._differential_kills.row(mutant.id, first, last) for mutant in mutants])
        return rows


def batches(orders: Sequence[MutantOrder], jobs: int) -> Sequence[MutantOrder | BatchOrder]:
    """Combine orders into batches that are small enough for each of several processes to get several of them."""
    size = min(MOST_TOGETHER, len(orders) // (1 if jobs == 1 else _BATCHES_EACH * jobs))
    if size < 2:
        return orders
    return [BatchOrder(orders[at].id, tuple(orders[at : at + size])) for at in range(0, len(orders), size)]


def _uses_hashes(source: str) -> bool:
    sets = (ast.Set, ast.SetComp)
    names = ("set", "frozenset", "hash")
    nodes = ast.walk(ast.parse(source))
    return any(isinstance(node, sets) or (isinstance(node, ast.Name) and node.id in names) for node in nodes)
