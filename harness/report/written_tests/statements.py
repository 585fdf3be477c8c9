"""Executes sequences on the original and writes them as tests: the calls in order, then assertions.

A name has the tested call with its values, its receiver and the outcome.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.kernel.inputs.describe import variable_name
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.model.routines import RoutineKind
from harness.report.python_files import telling
from harness.report.written_tests.observers import NOT_PLAIN, ObjectObservations, Standstill
from harness.report.written_tests.recording import Record, RecordedCall, Recorder, short_name
from harness.report.written_tests.source import INDENT, laid_out

LONGEST = 75
"""The greatest length of a name, without its number."""

_LONGEST_VALUE = 20

LONG = 4
"""The number of statements in a test above which a blank line sets off the call that is tested."""


@dataclass(frozen=True)
class TestsRequest:
    """Write inputs of a suite, given by their numbers, as tests; these import the implementation as `module`."""

    __test__ = False  # pytest collects classes of such names

    job: RunJob
    module: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class TestSources:
    """The sources of tests, and what their file needs besides.

    Attributes:
        imports: by module, the names to import from it.
        raises: whether a test expects an exception.
        keeps_state: whether tests leave something in the module, which is to be loaded afresh for each.
        waiting: routines that no test asks, as they wait for ever.
    """

    __test__ = False

    tests: tuple[str, ...]
    imports: Mapping[str, tuple[str, ...]]
    raises: bool
    keeps_state: bool
    waiting: tuple[str, ...]


def write(request: TestsRequest, headway: Headway) -> TestSources:
    """Execute sequences on the original, and write each as the source of a test.

    Raises:
        MutascopeError: the spec cannot be used, or the original does not load or fails.
    """
    standstill = Standstill()
    recorder = Recorder(request.job, headway, request.module, standstill)
    headway.beats.looks = standstill.look
    records = []
    for number in headway.each(request.numbers):
        with telling("input {}".format, number):
            records.append(recorder.record(number))
    writer = TestWriter(records, recorder.changing, recorder.unsteady)
    sources = [writer.write(name, record) for name, record in zip(test_names(records), records, strict=True)]
    return TestSources(
        tests=tuple(sources),
        imports={name: tuple(sorted(names)) for name, names in sorted(recorder.imports.items())},
        raises=any(call.raised for record in records for call in record.outcomes),
        keeps_state=recorder.keeps_state,
        waiting=tuple(recorder.waiting),
    )


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


class TestWriter:
    """Writes tests with the assertions that distinguish them.

    A result is asserted if calls of its routine give different results, among last calls or among earlier calls. The
    last call's result is asserted also if all are equal, unless they are None. An observer's value is asserted if those
    of its family differ between tests. Last comes a routine that changes the object, if its results show values that no
    observer shows.

    Args:
        changing: families of observers that change the object and are not used.
        unsteady: routines whose answers vary; they are not called last.
    """

    __test__ = False

    def __init__(self, records: Sequence[Record], changing: Collection[str], unsteady: Collection[str] = ()) -> None:
        self._early = _results(call for record in records for call in record.outcomes[:-1])
        self._late = _results(record.last for record in records)
        self._changing = changing
        self._distinguishing = distinguishing_families(records)
        self._probe = best_probe(records, unsteady)

    def write(self, name: str, record: Record) -> str:
        """Return the test's source, without a line break at its end."""
        before = [line for token in record.tokens for line in laid_out(f"{token} = object()")]
        for call in record.outcomes[:-1]:
            before += self._call(call, is_last=False)
        tested = self._call(record.last, is_last=True)
        for observations in record.observations:
            tested += self._state(observations)
        if self._probe in record.probes:
            receiver = record.observations[0].variable
            for argument, result in record.probes[self._probe].calls:
                tested += laid_out(equals(f"{receiver}.{self._probe}({argument})", result))
        blank = [""] if len(before) > 1 and len(before) + len(tested) > LONG else []
        return "\n".join([f"def {name}():", *before, *blank, *tested])

    def _call(self, call: RecordedCall, is_last: bool) -> list[str]:
        name, expression = call.written.name, call.written.expression
        if call.raised:
            return [f"{INDENT}with pytest.raises({call.raised}):", *laid_out(expression, 2)]
        results = (self._late if is_last else self._early)[call.routine.name]
        is_asserted = call.result != NOT_PLAIN and (len(results) > 1 or (is_last and results != {"None"}))
        lines = laid_out(str(call.written)) if name is not None or not is_asserted else []
        return [*lines, *(laid_out(equals(name or expression, call.result)) if is_asserted else ())]

    def _state(self, observations: ObjectObservations) -> list[str]:
        return [
            line
            for observer, source in observations.values.items()
            if observer.family not in self._changing and (observer.always or observer.family in self._distinguishing)
            for line in laid_out(equals(observer.of(observations.variable), source))
        ]


def equals(expression: str, source: str) -> str:
    """Return the assertion that an expression has a value, or that it is None, True, False or a variable's object."""
    tree = ast.parse(expression, mode="eval").body
    if isinstance(tree, ast.Compare):
        left, right = (ast.get_source_segment(expression, side) for side in (tree.left, tree.comparators[0]))
        return f"assert {left} {'in' if source == 'True' else 'not in'} {right}"
    return f"assert {expression} {'is' if source.isidentifier() else '=='} {source}"


def distinguishing_families(records: Sequence[Record]) -> set[str]:
    """Return the families of observers that give different values; all of them if there is one test only."""
    sources: dict[str, set[str]] = {}
    for observations in (one for record in records for one in record.observations):
        for observer, source in observations.values.items():
            sources.setdefault(observer.family, set()).add(source)
    return {family for family, found in sources.items() if len(found) > 1 or len(records) == 1}


def best_probe(records: Sequence[Record], unsteady: Collection[str]) -> str:
    """Return the routine that names unobserved values in most tests if it is called last; empty if none names any.

    Of routines that do so equally often, one that takes no argument comes first, since it gives the values in order.
    Others must give different results.
    """
    revealing: Counter[str] = Counter()
    results: dict[str, set[str]] = {}
    draining = set()
    for record in records:
        shown = _shown(record.observations[0]) if record.observations else set()
        for name, probe in record.probes.items():
            revealing[name] += not probe.named <= shown
            results.setdefault(name, set()).update(result for _, result in probe.calls)
            draining |= {name} if probe.takes_nothing else set()
    ranking = [
        (count, name in draining, name)
        for name, count in revealing.items()
        if count and name not in unsteady and (name in draining or len(results[name]) > 1)
    ]
    return max(ranking)[-1] if ranking else ""


def _shown(observations: ObjectObservations) -> set[str]:
    """Return the words in the collections that observers give, and in the observers themselves."""
    texts = [source for source in observations.values.values() if source[0] in "[({"]
    texts += [observer.text for observer in observations.values]
    return {word for text in texts for word in re.split(r"[\[\](){},: ]+", text)}


def _results(calls: Iterable[RecordedCall]) -> dict[str, set[str]]:
    """Return the results of calls by routine."""
    results: dict[str, set[str]] = {}
    for call in calls:
        results.setdefault(call.routine.name, set()).update(() if call.raised else {call.result})
    return results
