"""Extensions of fields: which pairs are feasible and which a suite covers, as a suite's header keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.errors import UsageError
from harness.generators.sat.breadth_first import field_names
from harness.generators.sat.options import REFERENCES
from harness.generators.sat.pairs import Pair
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.names import meant

_ROW = re.compile(r"([0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*)?")
"""Values of one object: indices have five digits at most."""

Written = dict[str, dict[str, list[str]]]
"""By field, `feasible` (of those fields that were to be covered) and `covered`: by object, indices of values."""


@dataclass(frozen=True)
class FieldExtension:
    """What is known of a field: by object, the indices of its values in the field domain.

    Attributes:
        feasible: None of a field that was not to be covered, whose extension is not known.
    """

    field: str
    feasible: tuple[tuple[int, ...], ...] | None
    covered: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int | None:
        """How many pairs are feasible."""
        return None if self.feasible is None else sum(map(len, self.feasible))

    @property
    def covered_size(self) -> int:
        """How many pairs the suite has."""
        return sum(map(len, self.covered))


def written(feasible: Iterable[Pair], demanded: Iterable[str], covered: Iterable[Pair]) -> Written:
    """Pairs as a header keeps them, by field; `demanded` are the fields all of whose feasible pairs are given."""
    known, had, fields = _by_field(feasible), _by_field(covered), set(demanded)
    made: Written = {}
    for field in sorted({*known, *had}):
        made[field] = {"feasible": known.get(field, [])} if field in fields else {}
        made[field]["covered"] = had.get(field, [])
    return made


def read(data: Mapping[str, Mapping[str, list[str]]]) -> list[FieldExtension]:
    """The fields' extensions of a header; none of a suite that was made in another way."""
    return [
        FieldExtension(field, _rows(told["feasible"]) if "feasible" in told else None, _rows(told["covered"]))
        for field, told in data.items()
    ]


def is_written(data: object) -> bool:
    """Whether something that a process wrote, which has run a program under test, can be read."""
    return isinstance(data, dict) and all(
        isinstance(told, dict) and "covered" in told and set(told) <= {"feasible", "covered"} and _are_rows(told)
        for told in data.values()
    )


def _are_rows(told: Mapping[str, object]) -> bool:
    return all(
        isinstance(rows, list) and all(isinstance(text, str) and _ROW.fullmatch(text) for text in rows)
        for rows in told.values()
    )


def size(data: Mapping[str, Mapping[str, list[str]]]) -> int:
    """The sum of the extensions of those fields that were to be covered: the bound of Theorem 2."""
    return sum(one.size or 0 for one in read(data))


def _by_field(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    found: dict[str, dict[int, list[int]]] = {}
    for pair in sorted(set(pairs)):
        found.setdefault(pair.field, {}).setdefault(pair.owner, []).append(pair.value)
    return {
        field: [_ranges(owners.get(owner, [])) for owner in range(max(owners) + 1)] for field, owners in found.items()
    }


def _ranges(values: list[int]) -> str:
    """Ascending numbers in short: `0-2,5`."""
    parts: list[list[int]] = []
    for value in values:
        if parts and parts[-1][1] == value - 1:
            parts[-1][1] = value
        else:
            parts.append([value, value])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def _rows(texts: list[str]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_numbers(text)) for text in texts)


def _numbers(text: str) -> list[int]:
    ends = [part.partition("-") for part in text.split(",") if part]
    return [number for first, _, last in ends for number in range(int(first), int(last or first) + 1)]


def chosen_fields(space: StateSpace, names: tuple[str, ...], generator: str) -> frozenset[str]:
    """The fields that `names` mean, by `Class.field`; no name: all.

    Raises:
        UsageError: the finitization has no such field; the message tells those that there are.
    """
    fields: dict[str, set[int]] = {}
    for full, field in zip(field_names(space), space.fields, strict=True):
        fields.setdefault(full, set()).update(field.domain.objects)
    if not names:
        return frozenset(fields)
    found: set[str] = set()
    for name in names:
        if name == REFERENCES:
            chosen = {full for full, objects in fields.items() if objects != {PLAIN}}
        else:
            chosen = {full for full in fields if name in (full, full.rpartition(".")[2])}
        if not chosen:
            hint = meant(name, fields)
            raise UsageError(f"generator {generator!r}: the finitization has no field {name!r}; {hint}")
        found |= chosen
    return frozenset(found)
