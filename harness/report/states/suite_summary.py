"""Formats a generated suite for people and as JSON: its counts, engines, notices and field extensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.amounts import counted
from harness.generators.sat.extension import EXTENSION, PAIRS, SOLVING, FieldExtension, read
from harness.generators.sat.pairs import field_names
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import InputKind, SuiteHeader, SuiteReader
from harness.model.details import facts_among
from harness.model.finitization import Finitization
from harness.model.stop_reason import REQUESTED_ENDS, StopReason, reason

_REPEATED: dict[str, str] = {
    StopReason.CALLS: ": the same bytes as {kind}:{inputs}",
    StopReason.PROCESSOR_TIME: ", which leaves another number of inputs each time: {kind}:{inputs} makes the same "
    "bytes anywhere",
}
"""Hints how to generate the same suite again, by the stop reason in its header."""


def suite_facts(name: str, header: SuiteHeader, origin: str | None = None) -> dict[str, Any]:
    """Return the facts of a suite for JSON; `name` is the given name of the subject.

    Args:
        origin: where, how and when the suite was made, if not now.
    """
    return {
        "subject": name,
        "generator": header.generator,
        "scope": header.scope,
        **_effort(header),
        "inputs": header.inputs,
        "inputs_by_method": header.inputs_by_target,
        "seconds": round(header.seconds, 3),
        **({} if header.exploring_seconds is None else {"exploring_seconds": round(header.exploring_seconds, 3)}),
        **(
            {"cpu_seconds": {what: round(s, 3) for what, s in header.cpu_seconds.items()}} if header.cpu_seconds else {}
        ),
        **({"origin": origin} if origin else {}),
        "machine": header.machine,
        "began": header.began,
        "digest": header.digest,
        "engines": header.engines,
        **({"ended": header.ended} if header.ended else {}),
        **({"notices": header.notices} if header.notices else {}),
        **({"extension": header.details[PAIRS], "solving": header.details[SOLVING]} if PAIRS in header.details else {}),
        **({"details": others} if (others := _other_details(header)) else {}),
        **({"classes": [{"name": name, "first": state} for name, state in header.classes]} if header.classes else {}),
    }


def _effort(header: SuiteHeader) -> dict[str, int]:
    """Return what the search went through, and what it found, by the names that all outputs have for these.

    A pre-state is a state that an input begins with, with the objects that are arguments.
    """
    if header.kind == InputKind.STATES.value:
        return {"candidates": header.explored, "pre_states": header.states}
    structures = {} if header.distinct is None else {"structures": header.distinct}
    return {"executed_sequences": header.explored} | structures


def suite_text(name: str, suite: SuiteReader, origin: str | None = None) -> str:
    """Return a suite as text: counts, engines, stop reason, unread fields, covered classes and the suite's folder."""
    header = suite.header
    by_method = ", ".join(f"{target} {count:,}" for target, count in header.inputs_by_target.items())
    found = [f"{number:,} {what.replace('_', ' ')}" for what, number in reversed(_effort(header).items())]
    effort = " of ".join(found).replace("pre states", "pre-states")
    inputs = f"{counted(header.inputs, 'input')} ({by_method})"
    lines = [f"{name} scope {header.scope}: {inputs} on {effort}, {header.seconds:.2f} s"]
    if origin:
        lines.append(f"seconds: of when the suite was made: {origin}")
    if header.engines:
        lines.append(f"engine{'s' * (len(header.engines) > 1)}: {', '.join(header.engines)}")
    if header.states > header.explored and not suite.holds_sequences:
        unread = f" ({', '.join(header.unread)})" if header.unread else ""
        lines.append(
            f"more states than candidates: each value of what rep_ok leaves unread in a valid state{unread} "
            "makes a state of its own"
        )
    if line := extension_line(header):
        lines.append(line)
    lines += [f"{name}: {value}" for name, value in facts_among(_other_details(header)).items()]
    if header.ended and header.ended not in REQUESTED_ENDS:
        again = _REPEATED.get(header.ended, "").format(kind=header.generator.partition(":")[0], inputs=header.inputs)
        lines.append(f"ended {reason(header.ended)}{again}")
    if header.classes:
        lines.append(f"classes covered: {len(header.classes)}, each with its first state:")
        lines.extend(f"  {name}: {state}" for name, state in header.classes)
    return "\n".join([*lines, str(suite.folder)])


def extension_line(header: SuiteHeader) -> str:
    """Return a line with the numbers of pairs and instances, and the solver; empty if the header has no extension."""
    if PAIRS not in header.details:
        return ""
    solver, extensions = header.details[SOLVING], read(header.details[PAIRS])
    measured = [one for one in extensions if one.size is not None]
    fields = measured or extensions
    of_feasible = f" of {sum(one.size or 0 for one in measured):,}" if measured else ""
    covered = sum(one.covered_size for one in fields)
    of_all = "" if solver["kept"] == solver["instances"] else f" of {solver['instances']:,}"
    proven = solver.get("proven_minimal")
    how = "" if proven is None else f", {'' if proven else 'perhaps not '}as few as possible,"
    return (
        f"extension: {solver['kept']:,}{of_all} instances{how} have {covered:,}{of_feasible} pairs; "
        f"{solver['solver']} ({solver['version']}), {solver['variables']:,} variables, {solver['clauses']:,} clauses, "
        f"{solver['calls']:,} calls"
    )


def _other_details(header: SuiteHeader) -> dict[str, Any]:
    """Return the details that have no line of their own."""
    return {name: value for name, value in header.details.items() if name not in (EXTENSION, PAIRS, SOLVING)}


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
