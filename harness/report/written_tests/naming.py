"""Names tests by one template: the tested call with its values, its receiver and the outcome."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from harness.kernel.inputs.call_source import variable_name
from harness.model.routines import RoutineKind
from harness.report.written_tests.recording import Record, short_name

MOST_LETTERS = 81
"""The greatest length of a name; `def NAME():` then has 88 characters."""

_LETTERS_OF_NUMBER = 5
_LONGEST_VALUE = 20


def test_names(records: Sequence[Record]) -> list[str]:
    """Return a name for each test, all different: equal ones are numbered. The names depend only on these tests."""
    names = [_cut(_name(record)) for record in records]
    times, used_names = Counter(names), set(names)
    turns: Counter[str] = Counter()
    unique_names = []
    for name in names:
        if times[name] > 1:
            turns[name] += 1
            while f"{name}_{turns[name]}" in used_names:
                turns[name] += 1
            name = f"{name}_{turns[name]}"
            used_names.add(name)
        unique_names.append(name)
    return unique_names


def _name(record: Record) -> str:
    last = record.last
    is_constructor = last.routine.kind is RoutineKind.CONSTRUCTOR
    call = f"new_{_words(short_name(last.routine.name))}" if is_constructor else _words(last.routine.name)
    values = [_slug(repr(one.value)) for one in last.arguments if not one.is_object]
    return "_".join(part for part in ("test", call, *values, _receiver(record), _outcome(record)) if part)


def _receiver(record: Record) -> str:
    """Return the kind of the object that the last call is made on, and how many values it has; empty without one."""
    if record.before is None or not record.observations:
        return ""
    count = record.before.count
    size = "" if count is None else f"_of_{_slug(str(count))}"
    return f"on_{_words(short_name(record.observations[0].class_name))}{size}"


def _outcome(record: Record) -> str:
    last, before, after = record.last, record.before, record.after
    if last.raised:
        return f"raises_{_words(last.raised)}"
    if last.result not in ("", "None"):
        return f"returns_{_slug(last.result)}"
    is_same = before is not None and after is not None and before.state is not None and before.state == after.state
    return "changes_nothing" if is_same and last.result == "None" else ""


def _words(name: str) -> str:
    return variable_name(name.rpartition(".")[2]).strip("_")


def _slug(source: str) -> str:
    """Return a value's source as part of a name."""
    text = re.sub(r"\W+", "_", source.replace("-", "minus_")).strip("_").lower()
    return text if 0 < len(text) <= _LONGEST_VALUE else "a_value"


def _cut(name: str) -> str:
    """Return a name that leaves room for a number."""
    most = MOST_LETTERS - _LETTERS_OF_NUMBER
    return name if len(name) <= most else name[:most].rpartition("_")[0]
