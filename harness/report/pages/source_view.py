"""Shows source text with its mutants: the lines, the mutants on each, and each mutant as a marked change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.mutant import Mutant
from harness.report.pages.status_text import status
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
