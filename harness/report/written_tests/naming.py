"""Names tests by the tested call, its receiver and its outcome, and by more facts where two names would be equal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from harness.kernel.inputs.call_source import variable_name
from harness.model.routines import RoutineKind
from harness.report.written_tests.object_facts import ObjectFacts
from harness.report.written_tests.plain import is_finite_number
from harness.report.written_tests.recording import Argument, Record, RecordedCall, short_name

MOST_LETTERS = 81
"""The greatest length of a name; `def NAME():` then has 88 characters."""

_SPECIAL = {"getitem": "get", "setitem": "set", "delitem": "delete"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_FROM = {"remove", "pop", "delete", "extract", "poll", "dequeue", "discard", "take", "popleft", "popitem"}
_TO = {"add", "append"}
_INTO = {"insert", "put", "offer", "store", "set", "setdefault", "update"}
_ONTO = {"push", "enqueue", "heappush", "extend"}
_IN = {"contains", "find", "search", "get", "index", "count", "has", "peek", "lookup"}
_PLACES = {"index", "position", "pos", "i", "at", "n"}
"""Parameters whose values are no elements."""


@dataclass(frozen=True)
class Name:
    """The parts of a test's name: the call and its receiver, the outcome, and facts that distinguish it from other
    tests.
    """

    call: str
    outcome: str
    more: str = ""

    def __str__(self) -> str:
        return "_".join(part for part in ("test", self.call, self.more, self.outcome) if part)


def test_names(records: Sequence[Record]) -> list[str]:
    """Return a name for each test, all different. The names depend only on these tests."""
    is_sorted = _is_sorted(records)
    names = [_name(record, is_sorted) for record in records]
    for longer in (_with_values, _after_calls, _in_full, _of_the_call_in_full, _without_outcome):
        names = _unique_names(names, records, longer)
    return _numbered(map(str, names))


def _unique_names(names: list[Name], records: Sequence[Record], longer: Callable[[Name, Record], Name]) -> list[Name]:
    """Return the names, with repeated ones made longer where that makes them unique and short enough.

    A rule before the last resorts is used only if it distinguishes all tests of one name, so that similar tests have
    similar names.
    """
    unique_names = list(names)
    by_name: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        by_name.setdefault(str(name), []).append(position)
    seen_names = set(by_name)
    for positions in by_name.values():
        if len(positions) == 1:
            continue
        longer_names = [longer(names[position], records[position]) for position in positions]
        times = Counter(map(str, longer_names))
        fits = [
            times[str(one)] == 1 and len(str(one)) <= MOST_LETTERS and str(one) not in seen_names
            for one in longer_names
        ]
        if all(fits) or longer in _LAST_RESORTS:
            for position, one, is_unique in zip(positions, longer_names, fits, strict=True):
                if is_unique:
                    seen_names.add(str(one))
                    unique_names[position] = one
    return unique_names


def _numbered(names: Iterable[str]) -> list[str]:
    """Return the names, cut to their greatest length, with a number after those that occur several times."""
    cut = [name if len(name) <= MOST_LETTERS - 5 else name[: MOST_LETTERS - 5].rpartition("_")[0] for name in names]
    times, seen_names = Counter(cut), set(cut)
    turns: Counter[str] = Counter()
    numbered_names = []
    for name in cut:
        if times[name] > 1:
            turns[name] += 1
            while f"{name}_{turns[name]}" in seen_names:
                turns[name] += 1
            name = f"{name}_{turns[name]}"
            seen_names.add(name)
        numbered_names.append(name)
    return numbered_names


def _is_sorted(records: Sequence[Record]) -> bool:
    """Return whether all objects hold their values in ascending order; names then say which is the smallest."""
    held = [standing.values for record in records for standing in (record.before, record.after) if standing is not None]
    several = [values for values in held if values is not None and len(values) > 1]
    return bool(several) and all(
        all(map(is_finite_number, values)) and list(values) == sorted(values) for values in several
    )


def _name(record: Record, is_sorted: bool) -> Name:
    last = record.last
    if last.routine.kind is RoutineKind.CONSTRUCTOR:
        return _of_constructor(record)
    words = [_words(last.routine.name), *_receiver_words(record, is_sorted)]
    outcome = _outcome_words(record)
    is_refused = outcome == "changes_nothing" or last.raised
    if not words[1] and is_refused and _preposition(words[0].partition("_")[0]) not in ("from", "in"):
        words[1] = "_".join(_slug(repr(one.value)) for one in last.arguments if not one.is_object)
    return Name("_".join(word for word in words if word), outcome)


def _of_constructor(record: Record) -> Name:
    last = record.last
    noun = _words(short_name(last.routine.name)) if last.routine.name[:1].isupper() else _noun(record)
    if last.raised:
        return Name(f"a_new_{noun}", _raises(last))
    count = None if record.after is None else record.after.count
    if count is None or count < 0:
        return Name(f"a_new_{noun}", "")
    if count == 0:
        return Name(f"a_new_{noun}", "is_empty")
    return Name(f"a_new_{noun}", "has_one_value" if count == 1 else f"has_{_number(count)}_values")


def _receiver_words(record: Record, is_sorted: bool) -> list[str]:
    before, last = record.before, record.last
    noun = _noun(record)
    verb = _words(last.routine.name).partition("_")[0]
    if before is None:
        return [""]
    objects = [argument for argument in last.arguments if argument.is_object]
    with_other = f"with_another_{noun}" if objects else ""
    value = next((argument for argument in last.arguments if not argument.is_object), None)
    relation = "" if value is None else _relation(value, before, verb, is_sorted)
    if relation.startswith("the_only"):
        return [relation, _preposition(verb), f"{_article(noun)}_{noun}", with_other]
    if relation.endswith("_of"):
        return [f"{relation}_{_number(before.count or 0)}_{_plural(value)}", with_other]
    return [relation, _preposition(verb), _state(before, noun), with_other]


def _relation(argument: Argument, before: ObjectFacts, verb: str, is_sorted: bool) -> str:
    """Return words that relate an argument's value to the values that the object holds."""
    values, value = before.values, argument.value
    noun = _words(argument.parameter) if argument.parameter == "key" else "value"
    if not values or type(value) not in (int, float, str):
        return ""
    if argument.parameter in _PLACES:
        return _slug(repr(value))
    if value in values:
        if verb not in _FROM | _IN:
            return f"a_{noun}_that_is_there"
        return f"the_only_{noun}" if len(values) == 1 else f"the_{_place(value, values, is_sorted)}_of"
    new = "missing" if verb in _FROM | _IN else "new"
    if not is_sorted or not is_finite_number(value):
        return f"a_{new}_{noun}"
    order = "larger" if value > max(values) else "smaller" if value < min(values) else "middle"
    return f"a_{new}_{order}_{noun}"


def _place(value: Any, values: Sequence[Any], is_sorted: bool) -> str:
    first, last = ("smallest", "largest") if is_sorted else ("first", "last")
    if value == values[0]:
        return first
    if value == values[-1]:
        return last
    at = values.index(value)
    return _ORDINALS[at] if len(values) > 3 and at < len(_ORDINALS) else "middle"


def _state(before: ObjectFacts, noun: str) -> str:
    if before.count is None:
        return f"a_new_{noun}" if before.is_new else f"{_article(noun)}_{noun}"
    if before.count == 0:
        return f"an_empty_{noun}" if before.is_new else f"an_emptied_{noun}"
    if before.count < 0:
        return f"{_article(noun)}_{noun}_of_size_{_number(before.count)}"
    return f"{_article(noun)}_{noun}_of_{_number(before.count)}"


def _outcome_words(record: Record) -> str:
    last, before, after = record.last, record.before, record.after
    if last.raised:
        return _raises(last)
    if last.result not in ("", "None"):
        return f"returns_{_slug(last.result)}"
    if last.result != "None" or before is None or after is None:
        return ""
    if before.state is not None and before.state == after.state:
        return "changes_nothing"
    return _moved(last, before.values, after.values)


def _moved(last: RecordedCall, before: Sequence[Any] | None, after: Sequence[Any] | None) -> str:
    """Return words for the new position of a value that the object already held; empty if it has not moved."""
    value = next((argument.value for argument in last.arguments if not argument.is_object), None)
    if not before or not after or value not in before or Counter(before) != Counter(after) or before == after:
        return ""
    if after[-1] == value:
        return "moves_it_to_the_end"
    return "moves_it_to_the_front" if after[0] == value else "moves_it"


def _with_values(name: Name, record: Record) -> Name:
    return replace(name, more=_with(record.last.arguments))


def _with(arguments: Sequence[Argument]) -> str:
    slugs = [_slug(repr(one.value)) for one in arguments if not one.is_object]
    return f"with_{'_'.join(slugs)}" if slugs else ""


def _after_calls(name: Name, record: Record) -> Name:
    return replace(name, more=_after(record))


def _after(record: Record) -> str:
    """Return words for the earlier calls; successive calls of one routine are named together."""
    earlier = [call for call in record.outcomes[:-1] if call.routine.kind is not RoutineKind.CONSTRUCTOR]
    words = []
    for name, calls in groupby(earlier, key=lambda call: _words(call.routine.name)):
        words += [name, *_choices(list(calls))]
    return f"after_{'_'.join(words)}" if words else ""


def _choices(calls: Sequence[RecordedCall]) -> list[str]:
    values = [_slug(repr(one.value)) for call in calls for one in call.arguments if not one.is_object]
    if values or len(calls) == 1:
        return values
    return ["twice"] if len(calls) == 2 else [_number(len(calls)), "times"]


def _in_full(name: Name, record: Record) -> Name:
    """Add the argument values of the last call and the earlier calls to a name."""
    return replace(name, more="_".join(part for part in (_with(record.last.arguments), _after(record)) if part))


def _of_the_call_in_full(name: Name, record: Record) -> Name:
    """Return a name of the called routine, its argument values and the earlier calls, without the receiver."""
    values = [_slug(repr(one.value)) for one in record.last.arguments if not one.is_object]
    initial_values = [
        _slug(repr(one.value))
        for call in record.outcomes[:-1]
        if call.routine.kind is RoutineKind.CONSTRUCTOR
        for one in call.arguments
        if not one.is_object
    ]
    receiver = ["on_new", *initial_values] if initial_values else []
    return Name("_".join([_words(record.last.routine.name), *values, *receiver]), name.outcome, _after(record))


def _without_outcome(name: Name, record: Record) -> Name:
    return replace(_of_the_call_in_full(name, record), outcome="")


_LAST_RESORTS = (_in_full, _of_the_call_in_full, _without_outcome)
"""Rules that lengthen only the names that they make unique."""


def _noun(record: Record) -> str:
    """Return the noun for the last call's receiver: that of its class, like the name of its variable."""
    if record.observations and record.observations[0].class_name == "list":
        return "list"
    return _words(short_name(record.observations[0].class_name)) if record.observations else "object"


def _preposition(verb: str) -> str:
    if verb in _FROM or verb in ("get", "peek"):
        return "from"
    if verb in _INTO:
        return "into"
    if verb in _TO:
        return "to"
    if verb in _ONTO:
        return "onto"
    return "in" if verb in _IN else "on"


def _raises(last: RecordedCall) -> str:
    return f"raises_{_words(last.raised.rpartition('.')[2])}"


def _number(number: int) -> str:
    if number < 0:
        return f"minus_{-number}"
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _plural(argument: Argument | None) -> str:
    return "keys" if argument is not None and argument.parameter == "key" else "values"


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" else "a"


def _words(name: str) -> str:
    words = variable_name(name.rpartition(".")[2]).strip("_")
    return _SPECIAL.get(words, words)


def _slug(source: str) -> str:
    """Return a value's source as part of a name."""
    if source in ("[]", "()", "{}", "set()", '""', "''"):
        return "nothing"
    if source[:1] in "[({":
        return {"[": "a_list", "(": "a_tuple", "{": "a_set" if ":" not in source else "a_dict"}[source[0]]
    text = re.sub(r"\W+", "_", source.replace("-", "minus_")).strip("_").lower()
    return text if 0 < len(text) <= 20 else "a_value"
