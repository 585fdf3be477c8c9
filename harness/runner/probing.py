"""Finds the inputs that can kill the mutants of a trial: by probing the original, or by the differential kills.

What does not kill under the differential oracle cannot kill under a weaker one. The public oracle compares a part of
the values that the differential one compares, call by call. If a mutant does the same as the original and leaves the
same state, its postcondition gets the same values. That holds if the differential oracle compares after every call that
is run, and if postconditions are functions of the values that it compares. A postcondition that calls the mutant is
none. Of exceptions the oracle compares the class, so postconditions may ask for no more than their class.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from harness.errors import InstrumentError, StoreError
from harness.kernel.program.builtin_effects import REFLECTIVE, RUNNING_TEXT, CallEffects, named
from harness.kernel.program.code_reading import hangs_on_text
from harness.kernel.running.job import Answer, HarnessFault, InputMask, MutantFacts, ProbeFacts, ProbeOrder
from harness.kernel.specs.contracts import PREFIX
from harness.model.outcome import ORACLES, Mutant, MutantResult, OracleName, Phase, Verdict
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.mutation.probes import probed
from harness.mutation.trees import below
from harness.runner.mutant_results import ProbedFacts
from harness.runner.zygotes import TrialExecutor, answers_of
from harness.store.facts import KillRow

SLICE = 32_768
"""Most inputs in one order to run the original or to probe it (a multiple of 8)."""
LEAST_SLICE = 2048
"""Inputs that are not divided (a multiple of 8)."""
PIECES = 8
"""The number of orders into which more inputs are divided at the least, so that no worker waits for another one."""

_CALLING_BY_NAME = (
    RUNNING_TEXT | named(REFLECTIVE, CallEffects.READS_FIELDS) | {"type", "__class__", "attrgetter", "methodcaller"}
)
"""Names by which a spec may call functions of an implementation that it does not name."""


class Probing:
    """Probes inputs of one trial. Intermediate files, and the slices of the baseline, are in `work`.

    Args:
        infected: whether inputs that infect a mutant are wanted, besides those that reach it.
        with_last_calls: whether inputs whose last calls infect a mutant are wanted, if judging runs nothing unseen.
    """

    def __init__(
        self, subject: Subject, work: Path, oracle: OracleName, *, infected: bool, with_last_calls: bool
    ) -> None:
        self._subject = subject
        self._work = work
        self._oracle = oracle
        self._infected = infected
        self._with_last_calls = with_last_calls
        self.hangs_on_text = hangs_on_text(subject.source)
        """Whether the original behaves otherwise if its text is changed."""

    def rows(
        self, executor: TrialExecutor, mutants: Sequence[Mutant], pieces: Sequence[tuple[int, int]], is_separable: bool
    ) -> ProbedRows:
        """Probe slices of inputs for these mutants.

        Args:
            is_separable: whether judging has run nothing of the program, as far as the baseline says.
        """
        module = probed(self._subject.source, mutants, self._subject.blocked, notes_depth=True)
        probes, folder = self._work / "probes.json", self._work.resolve()
        sites = [(site.reached, site.unprobed, site.compared) for site in module.sites]
        probes.write_text(json.dumps({"text": module.text, "sites": sites, "mutants": len(mutants)}), encoding="utf-8")
        is_separable = is_separable and not _operators(self._defined)  # which judging may run unseen
        calls = ORACLES[self._oracle].asks_program or _may_call(ast.parse(self._subject.spec_source), self._defined)
        has_last_calls = is_separable and self._with_last_calls
        orders = [
            ProbeOrder(
                id=f"probes {start}",
                first=start,
                last=end,
                probes=str(probes.resolve()),
                rows=f"{folder}/{start}.rows",
                judged=calls and not is_separable,
                apart=has_last_calls,
            )
            for start, end in pieces
        ]
        digests, left = {}, self.hangs_on_text
        for answer in answers_of(executor, orders):
            check_no_fault(answer)
            assert isinstance(answer, ProbeFacts)
            digests[answer.id] = answer.digest
            left = left or answer.left
        return ProbedRows(self._work, orders, digests, len(mutants), self._infected, left)

    @cached_property
    def _defined(self) -> set[str]:
        return _defined_functions(self._subject.source)


def slices(first: int, last: int) -> list[tuple[int, int]]:
    """Return inputs `first` to `last - 1` in pieces of at most SLICE, the same for any number of workers."""
    size = min(SLICE, max(LEAST_SLICE, 8 * -(-(last - first) // (8 * PIECES))))
    return [(start, min(start + size, last)) for start in range(first, last, size)]


def check_no_fault(answer: Answer) -> None:
    """Refuse an answer that is a fault.

    Raises:
        InstrumentError: it is one.
    """
    if isinstance(answer, HarnessFault):
        raise InstrumentError(f"{answer.id} could not be run: {answer.fault}; see run.log")


def _defined_functions(source: str) -> set[str]:
    """Return the names of all functions that an implementation defines, but for the one that makes an object."""
    tree = ast.parse(source)
    return {node.name for node in below(tree) if isinstance(node, ast.FunctionDef)} - {"__init__"}


def _may_call(module: ast.Module, defined: set[str]) -> bool:
    """Return whether a spec may call an implementation: by a name `defined` there, or as an operation."""
    spec = list(below(module))
    used = {node.attr for node in spec if isinstance(node, ast.Attribute)}
    used.update(name for node in spec if isinstance(node, ast.MatchClass) for name in node.kwd_attrs)
    names = {node.id for node in spec if isinstance(node, ast.Name)}
    if not _CALLING_BY_NAME.isdisjoint(names | used):
        return True
    return bool(defined & used or _operators(defined))


def _operators(names: set[str]) -> set[str]:
    """Return the names of functions that operations on objects call."""
    return {name for name in names if name.startswith("__") and name.endswith("__")}


class ProbedRows:
    """The inputs that reach and infect each mutant, from all slices: two rows per mutant in one file.

    If the orders ask for last calls, a third row has the inputs whose last calls infect the mutant. If rows are
    narrowed, another row has the inputs that are executed.

    Attributes:
        left: whether inputs depend on earlier ones, or probes change what the original does: then all inputs may kill.
    """

    def __init__(
        self,
        work: Path,
        orders: Sequence[ProbeOrder],
        digests: Mapping[str, str],
        mutants: int,
        infected: bool,
        left: bool = False,
    ) -> None:
        self.left = left
        self._sets = 3 if orders[0].apart else 2
        self._path = (work / "probed.rows").resolve()
        self._infected = infected
        self._length = (orders[-1].last + 7) // 8
        with self._path.open("wb") as file:
            file.truncate(self._length * mutants * self._sets)
            for order in orders:
                data = Path(order.rows).read_bytes()
                width = (order.last - order.first + 7) // 8
                if len(data) != self._sets * mutants * width or hashlib.sha256(data).hexdigest() != digests[order.id]:
                    raise StoreError(f"{order.rows}: not what was written there; run the same command again")
                if width == self._length:  # of all inputs: the rows stand there as they are here
                    file.write(data)
                for row in range(self._sets * mutants) if width < self._length else ():
                    file.seek(row * self._length + order.first // 8)
                    file.write(data[row * width : (row + 1) * width])
                Path(order.rows).unlink()
        self._mutants = mutants
        self._narrowed = False

    def narrow(self, first: int, rows: Iterable[bytes]) -> None:
        """Restrict each mutant to the inputs of its row, which begins at input `first`, a multiple of 8."""
        with self._path.open("r+b") as file:
            file.truncate(self._length * self._mutants * (self._sets + 1))
            for number, bits in enumerate(rows):
                file.seek(self._row(number) * self._length + first // 8)
                both = int.from_bytes(file.read(len(bits))) & int.from_bytes(bits)
                file.seek((number + self._sets * self._mutants) * self._length + first // 8)
                file.write(both.to_bytes(len(bits)))
        self._narrowed = True

    def _row(self, number: int) -> int:
        return number + self._mutants * (self._sets if self._narrowed else self._infected)

    def input_mask(self, number: int) -> InputMask:
        """Return the inputs that may kill mutant `number`."""
        return InputMask(str(self._path), self._row(number) * self._length)

    def last_calls(self, number: int) -> InputMask | None:
        """Return the inputs whose last call may infect mutant `number`, or None if that is not recorded."""
        if self._sets == 2:
            return None
        return InputMask(str(self._path), (number + 2 * self._mutants) * self._length)

    def reach(self, facts: MutantFacts, number: int, first: int, end: int, with_bits: bool) -> ProbedFacts:
        """Add to a mutant's facts how many inputs from `first` to `end - 1` reach and infect it; on demand, which."""
        rows: list[bytes] = []
        with self._path.open("rb") as file:
            for row in (number, self._mutants + number):
                file.seek(row * self._length + first // 8)
                rows.append(file.read((end + 7) // 8 - first // 8))
        reached, infected = (int.from_bytes(bits).bit_count() for bits in rows)
        probed_facts = ProbedFacts(**vars(facts), reached=reached, infected=infected)
        return replace(probed_facts, reached_bits=rows[0], infected_bits=rows[1]) if with_bits else probed_facts


@dataclass(frozen=True)
class DifferentialKills:
    """The results of a finished trial of the same mutants under the differential oracle."""

    results: Mapping[str, MutantResult]
    rows: Mapping[str, KillRow]

    @classmethod
    def of(cls, results: Iterable[MutantResult], rows: Iterable[KillRow]) -> DifferentialKills:
        """Index the results and rows of kills by mutant."""
        return cls({result.mutant: result for result in results}, {row.mutant: row for row in rows})

    def row(self, mutant: str, first: int, last: int) -> bytes:
        """Return the inputs from `first`, a multiple of 8, to `last - 1` that may kill, packed as a row of kills is.

        If the kills of a mutant are not known input by input, these are all inputs from the first kill.
        """
        result, row = self.results.get(mutant), self.rows.get(mutant)
        if result is None or result.phase is Phase.LOAD:
            bits = _ones(0, last)
        elif result.verdict is Verdict.SURVIVED:
            bits = 0
        elif result.executed == result.inputs_run:  # state that leaks from one input may kill on another
            bits = _ones(0, last)
        elif row is None:
            bits = _ones(result.input or 0, last)
        else:
            bits = int.from_bytes(row.bits, "little") | _ones(row.inputs, last)
        length = (last + 7) // 8
        return (bits & _ones(0, last)).to_bytes(length, "little")[first // 8 :]


def sees_all(spec_source: str, implementation: str, observed: Observation | None) -> bool:
    """Return whether the differential oracle compares every value that postconditions depend on.

    Args:
        observed: when the states of sequences are looked at; None: the inputs are states.
    """
    if observed is Observation.END or _may_call(
        _used_by_postconditions(spec_source), _defined_functions(implementation)
    ):
        return False
    functions = [node for node in ast.parse(spec_source).body if isinstance(node, ast.FunctionDef)]
    postconditions = [one for one in functions if one.name.startswith(PREFIX)]
    ask_program = any(argument.arg == "program" for one in postconditions for argument in one.args.kwonlyargs)
    return not ask_program and not any(map(_asks_for_more_than_a_class, postconditions))


def _used_by_postconditions(spec_source: str) -> ast.Module:
    """Return the postconditions, the abstraction, which makes their arguments, and every statement that these use."""
    statements: dict[str, list[ast.stmt]] = {}
    for statement in ast.parse(spec_source).body:
        for name in _bound_by(statement):
            statements.setdefault(name, []).append(statement)
    names = [name for name in statements if name.startswith(PREFIX) or name == "abstraction"]
    used: dict[ast.stmt, None] = {}
    while names:
        for statement in statements.pop(names.pop(), ()):
            used[statement] = None
            names += [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return ast.Module([*used], type_ignores=[])


def _bound_by(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    nodes = list(ast.walk(statement))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _asks_for_more_than_a_class(function: ast.FunctionDef) -> bool:
    """Return whether a function uses `raised` otherwise than in `raised is None` and `isinstance(raised, ...)`."""
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "raised"]
    of_class = 0
    for node in ast.walk(function):
        match node:
            case ast.Compare(
                left=ast.Name(id="raised"), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(None)]
            ):
                of_class += 1
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id="raised"), _]):
                of_class += 1
    return len(uses) > of_class


def _ones(first: int, last: int) -> int:
    return ((1 << last) - (1 << first)) if first < last else 0
