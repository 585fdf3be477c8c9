"""The extensions of fields that a suite covers, as text and as a figure; nothing is executed for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.generators.sat.breadth_first import field_names
from harness.generators.sat.extension import FieldExtension, read
from harness.generators.sat.told import PAIRS, SOLVING
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import SuiteHeader
from harness.model.finitization import Finitization
from harness.report.states.graph import object_names


@dataclass(frozen=True)
class Grid:
    """A field's extension with names: `rows` are objects, `columns` values, as the finitization has them."""

    found: FieldExtension
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def title(self) -> str:
        """The field and its counts."""
        of = "" if self.found.size is None else f" of {self.found.size:,}"
        return f"{self.found.field}: {self.found.covered_size:,}{of} pairs"

    def marks(self, row: int) -> tuple[frozenset[int], frozenset[int]]:
        """The values of an object that are feasible, as far as is known, and those covered, as numbers of columns."""
        covered = frozenset(_row(self.found.covered, row))
        return covered | frozenset(_row(self.found.feasible or (), row)), covered


def _row(rows: Sequence[tuple[int, ...]], number: int) -> tuple[int, ...]:
    return rows[number] if number < len(rows) else ()


def grids(header: SuiteHeader, finitization: Finitization) -> list[Grid]:
    """The extensions that a suite's header tells, in the finitization's order; none where it tells none."""
    space = StateSpace(finitization)
    objects = object_names(space)
    rows: dict[str, list[str]] = {}
    columns: dict[str, tuple[str, ...]] = {}
    for name, field in zip(field_names(space), space.fields, strict=True):
        rows.setdefault(name, []).append(objects[field.owner])
        values = zip(field.domain.objects, field.domain.plain, strict=True)
        columns[name] = tuple(repr(plain) if other == PLAIN else objects[other] for other, plain in values)
    found = {one.field: one for one in read(header.details.get(PAIRS, {}))}
    return [Grid(found[name], tuple(rows[name]), columns[name]) for name in rows if name in found]


def extension_line(header: SuiteHeader) -> str:
    """One line: pairs, what covers them, and the solver; empty where the header tells no extension."""
    if PAIRS not in header.details:
        return ""
    told, extensions = header.details[SOLVING], read(header.details[PAIRS])
    known = [one for one in extensions if one.size is not None]
    fields = known or extensions
    of_feasible = f" of {sum(one.size or 0 for one in known):,}" if known else ""
    covered = sum(one.covered_size for one in fields)
    of_all = "" if told["kept"] == told["instances"] else f" of {told['instances']:,}"
    proven = told.get("proven_minimal")
    how = "" if proven is None else f", {'' if proven else 'perhaps not '}as few as possible,"
    return (
        f"extension: {told['kept']:,}{of_all} instances{how} have {covered:,}{of_feasible} pairs; "
        f"{told['solver']} ({told['version']}), {told['variables']:,} variables, {told['clauses']:,} clauses, "
        f"{told['calls']:,} calls"
    )


def extension_text(shown: Sequence[Grid]) -> str:
    """Per field, the objects with their values; in brackets, which a line explains, what the suite lacks."""
    lines: list[str] = []
    if any(marks[0] > marks[1] for grid in shown for marks in map(grid.marks, range(len(grid.rows)))):
        lines.append("In brackets: feasible, but not in the suite.")
    for grid in shown:
        known = "" if grid.found.size is not None else " in the suite (what is feasible was not asked)"
        lines.append(f"{grid.title}{known}")
        for number, row in enumerate(grid.rows):
            feasible, covered = grid.marks(number)
            values = [grid.columns[at] if at in covered else f"[{grid.columns[at]}]" for at in sorted(feasible)]
            if values:
                lines.append(f"  {row}: {', '.join(values)}")
    return "\n".join(lines)


def extension_path(path: Path) -> Path:
    """Where the extension is drawn, beside the states in `path`."""
    return path.with_name(f"{path.stem}-extension{path.suffix}")
