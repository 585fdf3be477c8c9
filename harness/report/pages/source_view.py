"""Shows source text with its mutants: each with its status and as a marked change, and the lines with those on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from harness.amounts import counted
from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.outcome import KillReason, Mutant, MutantResult, MutantStatus, Verdict
from harness.report.pages.trials import ReportedTrial


class StatusMark(Enum):
    """The status of a mutant, with a sign that is readable without colour. The worst comes last."""

    IGNORED = ("/", "not run")
    KILLED = ("✓", "killed")
    TIMEOUT = ("◷", "killed by a limit")
    PENDING = ("?", "no result")
    UNREACHED = ("∅", "not reached")
    SURVIVED = ("✗", "survived")

    @property
    def sign(self) -> str:
        """One character."""
        return self.value[0]

    @property
    def label(self) -> str:
        """The mark in words."""
        return self.value[1]

    @property
    def css(self) -> str:
        """The class of its style."""
        return self.name.lower()


_MARKS = {
    "Killed": StatusMark.KILLED,
    "Timeout": StatusMark.TIMEOUT,
    "Survived": StatusMark.SURVIVED,
    "NoCoverage": StatusMark.UNREACHED,
    "CompileError": StatusMark.IGNORED,
    "Ignored": StatusMark.IGNORED,
    "Pending": StatusMark.PENDING,
}
_ORDER = list(StatusMark)
_TIMEOUTS = frozenset({KillReason.STEP_LIMIT, KillReason.WALL_LIMIT})


@dataclass(frozen=True)
class MutatedLines:
    """The line or lines of a mutant: the text before, the original, its replacement, the text behind."""

    before: str
    original: str
    replacement: str
    after: str


@dataclass(frozen=True)
class MutantRow:
    """A mutant for the page."""

    mutant: Mutant
    mark: StatusMark
    reason: str
    change: MutatedLines


@dataclass(frozen=True)
class SourceLine:
    """A line with the mutants that begin on it; `mark` is the worst of theirs, None if there are none."""

    number: int
    text: str
    mutants: tuple[MutantRow, ...]

    @property
    def mark(self) -> StatusMark | None:
        """The mark of the mutant that needs attention most."""
        return max((row.mark for row in self.mutants), key=_ORDER.index, default=None)

    @property
    def counts(self) -> list[tuple[StatusMark, int]]:
        """The number of mutants by mark, worst first."""
        marks = [row.mark for row in self.mutants]
        return [(mark, marks.count(mark)) for mark in reversed(_ORDER) if mark in marks]


def mutant_rows(reported: ReportedTrial) -> list[MutantRow]:
    """Return all mutants of the trial in order of position."""
    starts = line_starts(reported.source) if reported.source is not None else []
    mutants = []
    for mutant in reported.mutants:
        word, reason = status(reported, mutant)
        mutants.append(MutantRow(mutant, _MARKS[word], reason, _change(reported.source, starts, mutant)))
    return mutants


def source_lines(reported: ReportedTrial, mutants: Sequence[MutantRow]) -> list[SourceLine]:
    """Return the lines of the source with their mutants; empty if the source is not available."""
    if reported.source is None:
        return []
    starts = line_starts(reported.source)
    by_line: dict[int, list[MutantRow]] = {}
    for mutant in mutants:
        by_line.setdefault(mutant.mutant.location.line, []).append(mutant)
    ends = [*starts[1:], len(reported.source)]
    texts = [reported.source[start:end].rstrip("\r\n") for start, end in zip(starts, ends, strict=True)]
    if texts and not texts[-1]:
        texts.pop()
    return [SourceLine(number, text, tuple(by_line.get(number, ()))) for number, text in enumerate(texts, 1)]


def _change(source: str | None, starts: Sequence[int], mutant: Mutant) -> MutatedLines:
    if source is None:
        return MutatedLines("", mutant.original, mutant.replacement, "")
    start, end = span_offsets(mutant.location, starts)
    line_end = starts[mutant.location.end_line] if mutant.location.end_line < len(starts) else len(source)
    before = source[starts[mutant.location.line - 1] : start].lstrip()
    return MutatedLines(before, mutant.original, mutant.replacement, source[end:line_end].rstrip())


def status(reported: ReportedTrial, mutant: Mutant) -> tuple[str, str]:
    """Return the status of a mutant in the schema's words, and the reason with any argument for its equivalence."""
    word, reason = _status_and_reason(reported, mutant)
    argument = reported.arguments.get(mutant.id)
    if argument is not None:
        reason += f"; {argument.equivalence.value} equivalent: {argument.argument}"
    return word, reason


def _status_and_reason(reported: ReportedTrial, mutant: Mutant) -> tuple[str, str]:
    match mutant.status:
        case MutantStatus.STILLBORN:
            return "CompileError", "does not compile"
        case MutantStatus.EQUIVALENT:
            return "Ignored", "compiles to the original's code objects: trivially equivalent"
        case MutantStatus.DUPLICATE:
            return "Ignored", f"compiles to the code objects of {mutant.same_as}"
        case MutantStatus.VIABLE:
            result = reported.results.get(mutant.id)
            return _status_of_run(result, reported.is_pytest)


def _status_of_run(result: MutantResult | None, of_pytest: bool) -> tuple[str, str]:
    if result is None:
        return "Pending", "not run yet"
    match result.verdict:
        case Verdict.KILLED:
            cause = " in phase ".join(part.value for part in (result.reason, result.phase) if part)
            return ("Timeout" if result.reason in _TIMEOUTS else "Killed"), f"{cause}: {result.detail}"
        case Verdict.SURVIVED:
            if result.reached == 0:
                return (
                    "NoCoverage",
                    result.detail or f"survived {counted(result.inputs_run, 'input')}, and none reaches it",
                )
            return "Survived", _survived(result, of_pytest)
        case Verdict.STILLBORN:
            return "CompileError", result.detail or "does not compile"
        case Verdict.INCONCLUSIVE:
            return "Pending", f"no verdict, the harness is at fault: {result.detail}"


def _survived(result: MutantResult, of_pytest: bool) -> str:
    if not of_pytest:
        return f"survived {counted(result.inputs_run, 'input')}"
    return (
        "survived the test that reaches it"
        if result.reached == 1
        else f"survived the {result.reached} tests that reach it"
    )
