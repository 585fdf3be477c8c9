"""Extensions of fields: the feasible and covered pairs of a suite, and the solver, as details in the suite's header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.amounts import ranges
from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.generators.sat.options import REFERENCES
from harness.generators.sat.pairs import Pair, field_names
from harness.kernel.inputs.state_space import PLAIN, StateSpace

_ROW = re.compile(r"([0-9]{1,5}(-[0-9]{1,5})?(,[0-9]{1,5}(-[0-9]{1,5})?)*)?")
"""The values of one object; indices have five digits at most."""

Written = dict[str, dict[str, list[str]]]
"""By field: `covered`, and `feasible` if the field was to be covered, each with indices of values by object."""


@dataclass(frozen=True)
class FieldExtension:
    """The known pairs of a field: by object, the indices of its values in the field domain.

    Attributes:
        feasible: the feasible pairs; None if the field was not to be covered, so that its extension is unknown.
    """

    field: str
    feasible: tuple[tuple[int, ...], ...] | None
    covered: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int | None:
        """The number of feasible pairs."""
        return None if self.feasible is None else sum(map(len, self.feasible))

    @property
    def covered_size(self) -> int:
        """The number of pairs of the suite."""
        return sum(map(len, self.covered))


def written(feasible: Iterable[Pair], demanded: Iterable[str], covered: Iterable[Pair]) -> Written:
    """Return pairs in the form of a header, by field; `feasible` has all feasible pairs of the fields `demanded`."""
    feasible_rows, covered_rows, fields = _by_field(feasible), _by_field(covered), set(demanded)
    extensions: Written = {}
    for field in sorted({*feasible_rows, *covered_rows}):
        extensions[field] = {"feasible": feasible_rows.get(field, [])} if field in fields else {}
        extensions[field]["covered"] = covered_rows.get(field, [])
    return extensions


def read(data: Mapping[str, Mapping[str, list[str]]]) -> list[FieldExtension]:
    """Return the extensions of fields in a header; empty for suites of other generators."""
    return [
        FieldExtension(field, _rows(told["feasible"]) if "feasible" in told else None, _rows(told["covered"]))
        for field, told in data.items()
    ]


def is_written(data: object) -> bool:
    """Return whether `read` accepts data that were written by a process that has run a program under test."""
    return isinstance(data, dict) and all(
        isinstance(told, dict) and "covered" in told and set(told) <= {"feasible", "covered"} and _are_rows(told)
        for told in data.values()
    )


def _are_rows(rows_by_name: Mapping[str, object]) -> bool:
    return all(
        isinstance(rows, list) and all(isinstance(text, str) and _ROW.fullmatch(text) for text in rows)
        for rows in rows_by_name.values()
    )


def size(data: Mapping[str, Mapping[str, list[str]]]) -> int:
    """Return the sum of the extensions of the fields that were to be covered: the bound of Theorem 2."""
    return sum(one.size or 0 for one in read(data))


def _by_field(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    indices: dict[str, dict[int, list[int]]] = {}
    for pair in sorted(set(pairs)):
        indices.setdefault(pair.field, {}).setdefault(pair.owner, []).append(pair.value)
    return {
        field: [ranges(owners.get(owner, [])) for owner in range(max(owners) + 1)] for field, owners in indices.items()
    }


def _rows(texts: list[str]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_numbers(text)) for text in texts)


def _numbers(text: str) -> list[int]:
    ends = [part.partition("-") for part in text.split(",") if part]
    return [number for first, _, last in ends for number in range(int(first), int(last or first) + 1)]


def chosen_fields(space: StateSpace, names: tuple[str, ...], generator: str) -> frozenset[str]:
    """Return the fields that `names` refer to, as `Class.field`; all fields if there is no name.

    Raises:
        UsageError: the finitization has no such field; the message lists the existing ones.
    """
    fields: dict[str, set[int]] = {}
    for full, field in zip(field_names(space), space.fields, strict=True):
        fields.setdefault(full, set()).update(field.domain.objects)
    if not names:
        return frozenset(fields)
    all_chosen: set[str] = set()
    for name in names:
        if name == REFERENCES:
            chosen = {full for full, objects in fields.items() if objects != {PLAIN}}
        else:
            chosen = {full for full in fields if name in (full, full.rpartition(".")[2])}
        if not chosen:
            hint = suggestion(name, fields)
            raise UsageError(f"generator {generator!r}: the finitization has no field {name!r}; {hint}")
        all_chosen |= chosen
    return frozenset(all_chosen)


EXTENSION = "sat.extension"
"""The number of feasible pairs of the fields that were to be covered: a fact of the trial."""
PAIRS = "sat.pairs"
"""The feasible and covered pairs by field (`harness.generators.sat.extension.Written`)."""
SOLVING = "sat.solving"
"""The solver's name, version and seed, the formula's size, and the number of calls."""


def details(extension: Written, solving: dict[str, Any]) -> dict[str, Any]:
    """Return the details of a suite; `extension` is empty if no pairs were to be covered."""
    covering = {EXTENSION: size(extension), PAIRS: extension} if extension else {}
    return {**covering, SOLVING: solving}


def can_be_read(details: dict[str, object]) -> bool:
    """Return True if the details of a suite, written by an untrusted process, can be read."""
    if PAIRS not in details:
        return EXTENSION not in details
    pairs: Any = details[PAIRS]
    return is_written(pairs) and is_solving(details.get(SOLVING)) and details.get(EXTENSION) == size(pairs)


def is_solving(value: object) -> bool:
    """Return True if a value from an untrusted process describes a solver."""
    if not isinstance(value, dict) or not all(type(value.get(name)) is str for name in ("solver", "version")):
        return False
    counts = ("variables", "clauses", "calls", "instances", "kept")
    return all(type(value.get(name)) is int for name in counts) and value.get("proven_minimal") in (None, True, False)
