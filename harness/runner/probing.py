"""Probes which inputs reach and infect the mutants of a trial, by runs of the original."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from harness.errors import InstrumentError
from harness.kernel.program.builtin_effects import REFLECTIVE, RUNNING_TEXT, CallEffects, named
from harness.kernel.program.code_reading import hangs_on_text
from harness.kernel.running.job import Answer, HarnessFault, ProbeFacts, ProbeOrder
from harness.model.mutant import Mutant
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName
from harness.model.subject import Subject
from harness.mutation.probes import probed
from harness.mutation.trees import below
from harness.runner.probed_rows import ProbedRows
from harness.runner.zygotes import TrialExecutor, answers_of

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
        calls = ORACLES[self._oracle].asks_program or may_call(ast.parse(self._subject.spec_source), self._defined)
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
        return defined_functions(self._subject.source)


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


def defined_functions(source: str) -> set[str]:
    """Return the names of all functions that an implementation defines, but for the one that makes an object."""
    tree = ast.parse(source)
    return {node.name for node in below(tree) if isinstance(node, ast.FunctionDef)} - {"__init__"}


def may_call(module: ast.Module, defined: set[str]) -> bool:
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
