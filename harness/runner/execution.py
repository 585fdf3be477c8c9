"""How the mutants of a trial are executed: baseline, controls, a first look, probes, and the rest for the living."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path

from harness.errors import InstrumentError, StoreError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.splice import mutated_source
from harness.kernel.running.baseline_slices import source_of
from harness.kernel.running.job import BaselineOrder, BatchOrder, MutantOrder, ProbeOrder, RunJob, Wanted
from harness.model.experiment import Approach, ExecutionMode, Experiment
from harness.model.interface import Interface
from harness.model.mutant import Mutant
from harness.model.outcome import OracleName, Phase
from harness.model.subject import Subject
from harness.mutation.probes import probed
from harness.mutation.schemata import metamutant
from harness.runner.instrument import control_orders, prove, with_planted_fault
from harness.runner.kept_slices import KeptSlices
from harness.runner.known_kills import KnownKills
from harness.runner.logs import LOGGER
from harness.runner.oracle_proof import OracleControls, prove_oracle, tried_promises, with_oracle_mutants
from harness.runner.pool import Facts, Pool
from harness.runner.selections import Selections
from harness.store.facts import InstrumentProof

FIRST_LOOK = 2048
"""Inputs that all mutants are probed and executed on before the others are (a multiple of 8): most die there."""

STAGE_FACTOR = 8
"""How many times as many inputs each later stage ends at, with the mutants still living."""

MOST_TOGETHER = 256
"""Mutants in one order, which may be run in one process."""
_BATCHES_EACH = 4

SLICE = 32_768
"""Most inputs in one order to run the original or to probe it (a multiple of 8)."""


class Filter(Enum):
    """Which inputs a mutant is executed on; its facts are the same under each of them."""

    NONE = "every input"
    REACHED = "inputs on which the original reaches the mutated place"
    INFECTED = "inputs on which the mutated expression's value, or the condition around it, differs at least once"
    STAGED = "infected ones in stages, each for the mutants still living"


@dataclass(frozen=True)
class OriginalFacts:
    """Of the original on the whole suite; `cpu_seconds` includes the oracle and the checks of pre-states."""

    steps: int
    raised: int
    cpu_seconds: float


class Execution:
    """One trial's executions. `work` is a folder of this run's own for intermediate files; with `kept`, a resumed run
    finds there what the original did.

    The facts of a mutant are the same as if every input had been executed in order, with `executed`,
    `reached` and `infected` beside them. Filters other than STAGED are its witnesses. Where rows of
    the kill matrix are wanted, a mutant's facts are of all inputs, or, with `selections`, of the first
    ones, as many as decide each of those. With `known` kills, only inputs that these let kill are executed, and
    nobody counts steps.
    """

    def __init__(
        self,
        subject: Subject,
        interface: Interface,
        suite: SuiteReader,
        mutants: Sequence[Mutant],
        experiment: Experiment,
        work: Path,
        chosen: Filter = Filter.STAGED,
        selections: Selections | None = None,
        kept: Path | None = None,
        oracle: OracleName = OracleName.DIFFERENTIAL,
        known: KnownKills | None = None,
    ) -> None:
        self._oracle = oracle
        self._known = known
        self._kept = work if kept is None else kept
        self._filter = chosen
        self._selections = selections
        self._subject = subject
        self._interface = interface
        self._suite = suite
        self._experiment = experiment
        self._work = work
        self._rows = experiment.mode in (ExecutionMode.MATRIX, ExecutionMode.SELECTIONS)
        self._slices = _slices(0, len(suite))
        self._meta: str | None = None
        self._numbers: dict[str, int] = {}
        if experiment.approach is Approach.METAMUTANT:
            text, self._numbers = metamutant(subject.source, mutants)
            self._meta = with_oracle_mutants(with_planted_fault(text, interface, True, subject.driven), interface)

    def write_job(self) -> Path:
        """The job file that the pool's sandboxes load."""
        path = self._work / "job.json"
        self._job.write(path)
        return path.resolve()

    @property
    def _job(self) -> RunJob:
        subject = self._subject
        return RunJob.of(
            subject,
            self._suite,
            concrete=self._experiment.concrete,
            metamutant=self._meta,
            sequences=self._experiment.sequences.value,
            observed=self._experiment.observed.value,
            oracle=self._oracle.value,
        )

    @property
    def _folder(self) -> str:
        """Where the baseline's slices lie."""
        return str(self._work.resolve())

    def observe_original(self, pool: Pool) -> OriginalFacts:
        """Runs the original on every input that no earlier run has left a slice for.

        Raises:
            BaselineError: it fails on an input.
            StoreError: what it did is not what was written.
        """
        kept = KeptSlices(self._kept, self._work, source_of(self._job, self._suite.header.digest))
        found = {first: told for first, last in self._slices if (told := kept.taken(first, last))}
        orders = [BaselineOrder(f"baseline {first}", first, last, self._folder) for first, last in self._slices]
        for fact in pool.run(order for order in orders if order.first not in found):
            _no_fault(fact)
            first = int(fact["id"].split()[1])
            found[first] = kept.keep(first)
        return OriginalFacts(
            steps=sum(told.steps for told in found.values()),
            raised=sum(told.raised for told in found.values()),
            cpu_seconds=sum(told.cpu_seconds for told in found.values()),
        )

    def prove(self, pool: Pool, original: OriginalFacts) -> InstrumentProof:
        """Runs the controls (law 3), those of the oracle last."""
        orders = control_orders(
            self._subject.source,
            self._interface,
            self._meta is not None,
            self._slices,
            self._folder,
            self._subject.driven,
        )
        proof = prove(pool, orders, original.steps)
        controls = OracleControls(
            str(self._subject.spec_path),
            self._interface,
            self._subject.source if self._meta is None else None,
            len(self._suite),
            self._folder,
        )
        if self._oracle is OracleName.DIFFERENTIAL:
            LOGGER.info("the oracle: %s", prove_oracle(pool, controls, original.raised))
        else:
            LOGGER.info("the %s oracle: %s", self._oracle.value, tried_promises(pool, controls))
        return proof

    def run(self, pool: Pool, mutants: Sequence[Mutant]) -> Iterator[Facts]:
        """The facts of each mutant, as they are found."""
        count = len(self._suite)
        so_far: dict[str, Facts] = {}
        for first, last in self._stages():
            if not mutants:
                return
            rows = None if self._filter is Filter.NONE else self.probe(pool, mutants, first, last)
            starts = dict.fromkeys(range(len(mutants)), first)
            while starts:
                orders = [
                    self.order(mutants[n], at, last, None if rows is None else rows.wanted(n))
                    for n, at in starts.items()
                ]
                numbers = {mutants[number].id: number for number in starts}
                ends: dict[int, int] = {}
                for facts in pool.run(orders if self._rows else batches(orders, pool.jobs)):
                    number = numbers[facts["id"]]
                    if "fault" not in facts:
                        end = starts[number] + facts["inputs_run"] if self._rows else last
                        if rows is not None:
                            facts |= rows.facts(number, starts[number], end, with_bits=self._rows)
                        if self._known is not None:
                            facts |= {"steps": None}  # on inputs that were left out, nobody knows its steps
                        facts = _joined(so_far.get(facts["id"]), facts)
                        if end < count and not facts.get("died") and not self._decided(facts):
                            so_far[facts["id"]] = facts
                            ends[number] = end
                            continue
                        if end < count:
                            facts |= {"reached": None, "infected": None}  # nobody asked on all inputs
                    so_far.pop(facts["id"], None)
                    yield facts
                starts = {number: end for number, end in ends.items() if end < last}
            mutants = [mutant for mutant in mutants if mutant.id in so_far]

    def _stages(self) -> list[tuple[int, int]]:
        """All inputs at once, or in stages that grow, so that few mutants are left where there are many inputs."""
        count = len(self._suite)
        if self._selections is None and (self._rows or self._filter is not Filter.STAGED):
            return [(0, count)]
        ends = [FIRST_LOOK]
        while ends[-1] < count:
            ends.append(ends[-1] * STAGE_FACTOR)
        return [(first, min(last, count)) for first, last in pairwise([0, *ends])]

    def _decided(self, facts: Facts) -> bool:
        """Whether later inputs cannot change what is asked of a mutant."""
        if facts["reason"] is None:
            return False
        if self._selections is None or facts["phase"] == Phase.LOAD.value or "bits" not in facts:
            return True  # without bits: it has taken its sandbox along
        return self._selections.decided_by(bytes.fromhex(facts["bits"]))

    def order(self, mutant: Mutant, first: int, last: int, wanted: Wanted | None = None) -> MutantOrder:
        """The order to execute `mutant` on inputs `first` to `last - 1`, or on those `wanted` among them."""
        separate = self._meta is None
        return MutantOrder(
            id=mutant.id,
            baseline=self._folder,
            first=first,
            last=last,
            source=mutated_source(self._subject.source, mutant) if separate else None,
            number=None if separate else self._numbers[mutant.id],
            wanted=wanted,
            matrix=self._rows,
            most_kills=None if self._selections is None else self._selections.enough,
        )

    def probe(self, pool: Pool, mutants: Sequence[Mutant], first: int, last: int) -> Rows:
        """Probes inputs `first` to `last - 1` for these mutants."""
        module = probed(self._subject.source, mutants, self._subject.blocked)
        probes = self._work / "probes.json"
        sites = [(site.reached, site.unprobed, site.compared) for site in module.sites]
        probes.write_text(json.dumps({"text": module.text, "sites": sites, "mutants": len(mutants)}))
        judged = _may_call(self._subject.spec_source, self._subject.source)
        orders = [
            ProbeOrder(
                f"probes {start}",
                start,
                end,
                str(probes.resolve()),
                f"{self._folder}/{start}.rows",
                judged,
                self._folder,
            )
            for start, end in _slices(first, last)
        ]
        digests = {}
        for fact in pool.run(orders):
            _no_fault(fact)
            digests[fact["id"]] = fact["digest"]
        rows = Rows(self._work, orders, digests, len(mutants), infected=self._filter is not Filter.REACHED)
        if self._known is not None:
            rows.narrow(first, [self._known.row(mutant.id, first, last) for mutant in mutants])
        return rows


def batches(orders: Sequence[MutantOrder], jobs: int) -> Sequence[MutantOrder | BatchOrder]:
    """Orders put together, so few that each of several processes has several batches: who is done takes another."""
    size = min(MOST_TOGETHER, len(orders) // (1 if jobs == 1 else _BATCHES_EACH * jobs))
    if size < 2:
        return orders
    return [BatchOrder(orders[at].id, tuple(orders[at : at + size])) for at in range(0, len(orders), size)]


class Rows:
    """Which inputs reach and infect which mutant, from all slices: two rows per mutant in one file.

    Where they are narrowed, a third one tells which of these inputs are executed.
    """

    def __init__(
        self, work: Path, orders: Sequence[ProbeOrder], digests: Mapping[str, str], mutants: int, infected: bool
    ) -> None:
        self._path = work / "probed.rows"
        self._infected = infected
        self._length = (orders[-1].last + 7) // 8
        with self._path.open("wb") as file:
            file.truncate(self._length * mutants * 2)
            for order in orders:
                data = Path(order.rows).read_bytes()
                width = (order.last - order.first + 7) // 8
                if len(data) != 2 * mutants * width or hashlib.sha256(data).hexdigest() != digests[order.id]:
                    raise StoreError(f"{order.rows}: not what was written there; run the same command again")
                for row in range(2 * mutants):
                    file.seek(row * self._length + order.first // 8)
                    file.write(data[row * width : (row + 1) * width])
                Path(order.rows).unlink()
        self._mutants = mutants
        self._narrowed = False

    def narrow(self, first: int, rows: Iterable[bytes]) -> None:
        """Has each mutant executed on inputs of its row alone, which begins at input `first`, a multiple of 8."""
        with self._path.open("r+b") as file:
            file.truncate(self._length * self._mutants * 3)
            for number, bits in enumerate(rows):
                file.seek(self._row(number) * self._length + first // 8)
                both = int.from_bytes(file.read(len(bits))) & int.from_bytes(bits)
                file.seek((number + 2 * self._mutants) * self._length + first // 8)
                file.write(both.to_bytes(len(bits)))
        self._narrowed = True

    def _row(self, number: int) -> int:
        return number + self._mutants * (2 if self._narrowed else self._infected)

    def wanted(self, number: int) -> Wanted:
        """The inputs that may kill mutant `number`."""
        row = self._row(number)
        return Wanted(str(self._path.resolve()), row * self._length)

    def facts(self, number: int, first: int, end: int, with_bits: bool) -> Facts:
        """On how many inputs from `first` to `end - 1` a mutant is reached, and infected; and which, `with_bits`."""
        found: Facts = {}
        with self._path.open("rb") as file:
            for name, row in (("reached", number), ("infected", self._mutants + number)):
                file.seek(row * self._length + first // 8)
                bits = file.read((end + 7) // 8 - first // 8)
                found[name] = int.from_bytes(bits).bit_count()
                if with_bits:
                    found[f"{name}_bits"] = bits.hex()
        return found


_FIRST_KILL = ("reason", "phase", "detail", "input", "shown")


def _joined(before: Facts | None, after: Facts) -> Facts:
    """The facts of a mutant on the first inputs, with those on the others."""
    if before is None:
        return after
    both = dict(after)
    for count in ("inputs_run", "executed", "steps", "seconds", "reached", "infected"):
        if count in after:
            told = before[count], after[count]
            both[count] = None if None in told else sum(told)
    for bits in ("bits", "reached_bits", "infected_bits"):
        if bits in after:
            both[bits] = before[bits] + after[bits]
    if before["reason"] is not None:
        both |= {fact: before[fact] for fact in _FIRST_KILL if fact in before}
    return both


def _slices(first: int, last: int) -> list[tuple[int, int]]:
    """Inputs `first` to `last - 1` in pieces of at most SLICE."""
    return [(start, min(start + SLICE, last)) for start in range(first, last, SLICE)]


def _may_call(spec_source: str, source: str) -> bool:
    """Whether the spec's functions may call the implementation: by a name it defines, or as an operation on objects."""
    spec = list(ast.walk(ast.parse(spec_source)))
    used = {node.attr for node in spec if isinstance(node, ast.Attribute)}
    names = {node.id for node in spec if isinstance(node, ast.Name)}
    defined = {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)} - {"__init__"}
    if names & {"getattr", "eval", "exec", "type"} or used & {"attrgetter", "methodcaller", "__class__"}:
        return True
    return any(name in used or (name.startswith("__") and name.endswith("__")) for name in defined)


def _no_fault(facts: Facts) -> None:
    if "fault" in facts:
        raise InstrumentError(f"{facts['id']} could not be run: {facts['fault']}; see run.log")
