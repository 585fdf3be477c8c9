"""Shows the field extensions that a suite covers, as text and as a figure; nothing is executed for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.generators.sat.extension import PAIRS, FieldExtension, read
from harness.generators.sat.pairs import field_names
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import SuiteHeader
from harness.model.finitization import Finitization


@dataclass(frozen=True)
class Grid:
    """A field's extension with names: `rows` are objects, `columns` values, as the finitization has them."""

    extension: FieldExtension
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def title(self) -> str:
        """The field and its counts."""
        of = "" if self.extension.size is None else f" of {self.extension.size:,}"
        return f"{self.extension.field}: {self.extension.covered_size:,}{of} pairs"

    def marks(self, row: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return the known feasible values of an object, and the covered ones, as numbers of columns."""
        covered = frozenset(_row(self.extension.covered, row))
        return covered | frozenset(_row(self.extension.feasible or (), row)), covered


def _row(rows: Sequence[tuple[int, ...]], number: int) -> tuple[int, ...]:
    return rows[number] if number < len(rows) else ()


def grids(header: SuiteHeader, finitization: Finitization) -> list[Grid]:
    """Return the extensions that a suite's header contains, in the order of the finitization; none if it has none."""
    space = StateSpace(finitization)
    objects = _object_names(space)
    rows: dict[str, list[str]] = {}
    columns: dict[str, tuple[str, ...]] = {}
    for name, field in zip(field_names(space), space.fields, strict=True):
        rows.setdefault(name, []).append(objects[field.owner])
        values = zip(field.domain.objects, field.domain.plain, strict=True)
        columns[name] = tuple(repr(plain) if other == PLAIN else objects[other] for other, plain in values)
    extensions = {one.field: one for one in read(header.details.get(PAIRS, {}))}
    return [Grid(extensions[name], tuple(rows[name]), columns[name]) for name in rows if name in extensions]


def _object_names(space: StateSpace) -> list[str]:
    """Return the names of objects by number: `Node0`, or `Node` if it is the only one of its class."""
    classes = Counter(owner.domain.class_name for owner in space.objects)
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for owner in space.objects:
        name = owner.domain.class_name
        names.append(name if classes[name] == 1 else f"{name}{numbers[name]}")
        numbers[name] += 1
    return names


def extension_text(grids: Sequence[Grid]) -> str:
    """Return the values of the objects for each field. Brackets mark values that the suite lacks."""
    lines: list[str] = []
    if any(marks[0] > marks[1] for grid in grids for marks in map(grid.marks, range(len(grid.rows)))):
        lines.append("In brackets: feasible, but not in the suite.")
    for grid in grids:
        remark = "" if grid.extension.size is not None else " in the suite (what is feasible was not asked)"
        lines.append(f"{grid.title}{remark}")
        for number, row in enumerate(grid.rows):
            feasible, covered = grid.marks(number)
            values = [grid.columns[at] if at in covered else f"[{grid.columns[at]}]" for at in sorted(feasible)]
            if values:
                lines.append(f"  {row}: {', '.join(values)}")
    return "\n".join(lines)


def extension_path(path: Path) -> Path:
    """Return the path of the drawing of the extension, in the folder of the states in `path`."""
    return path.with_name(f"{path.stem}-extension{path.suffix}")
