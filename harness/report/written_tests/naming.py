"""Names tests by one template: the tested call with its values, its receiver and the outcome."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from harness.kernel.inputs.call_source import variable_name
from harness.model.routines import RoutineKind
from harness.report.written_tests.recording import Record, short_name

LONGEST = 75
"""The greatest length of a name, without its number."""

_LONGEST_VALUE = 20


def test_names(records: Sequence[Record]) -> list[str]:
    """Return a name for each test, all different: equal ones are numbered. The names depend only on these tests."""
    names: dict[str, None] = {}
    times: Counter[str] = Counter()
    for name in map(_name, records):
        unique = name
        while unique in names:
            times[name] += 1
            unique = f"{name}_{times[name] + 1}"
        names[unique] = None
    return list(names)


def _name(record: Record) -> str:
    last, routine = record.last, record.last.routine
    is_constructor = routine.kind is RoutineKind.CONSTRUCTOR
    parts = ["test", f"new_{_words(short_name(routine.name))}" if is_constructor else _words(routine.name)]
    parts += [_slug(repr(value)) for value in last.arguments]
    if routine.has_receiver and record.observations:
        parts.append(f"on_{_words(short_name(record.observations[0].class_name))}")
        parts += [] if record.count is None else ["of", _slug(str(record.count))]
    if last.raised:
        parts.append(f"raises_{_words(last.raised)}")
    elif last.result not in ("", "None"):
        parts.append(f"returns_{_slug(last.result)}")
    elif last.result == "None" and record.is_unchanged:
        parts.append("changes_nothing")
    return "_".join(parts)[:LONGEST].rstrip("_")


def _words(name: str) -> str:
    return variable_name(name.rpartition(".")[2]).strip("_")


def _slug(source: str) -> str:
    """Return a value's source as part of a name."""
    text = re.sub(r"\W+", "_", source.replace("-", "minus_")).strip("_").lower()
    return text if 0 < len(text) <= _LONGEST_VALUE else "a_value"
