"""Writes tests as source: calls in order, then assertions on their results and on the objects at the end."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.report.written_tests.assertions import (
    answered,
    best_probe,
    distinguishing_observers,
    equals,
    probed,
    unused_name,
)
from harness.report.written_tests.layout import laid_out
from harness.report.written_tests.observations import NOT_PLAIN, ObjectObservations
from harness.report.written_tests.observers import ITEMS, PAIRS, Observer
from harness.report.written_tests.recording import Record, RecordedCall

LONG = 4
"""Statements of a test from which on a blank line sets off the call that is tested."""
REPEATED = 3
"""Calls alike from which on they are a loop."""


@dataclass(frozen=True)
class WrittenStatement:
    """A statement: its lines, and how it is called where it is no more than a call that another may be like."""

    lines: tuple[str, ...]
    call: str = ""
    arguments: tuple[str, ...] = ()
    parameter: str = "value"


class TestWriter:
    """Writes tests with the assertions that distinguish them.

    A result is asserted if calls of its routine give different results, among last calls or among earlier calls. The
    last call's result is asserted also if all are equal, unless they are None. An observer's value is asserted if it
    differs between tests. A value that follows from the items of an iteration (their number, whether one is among them)
    is asserted only where it first occurs. Last comes a routine that changes the object, if only its answers show what
    the object holds.

    Args:
        changing: observers that change the object and are not used.
        unsteady: routines whose answers vary; they are not called last.
    """

    __test__ = False

    def __init__(
        self, records: Sequence[Record], changing: Collection[Observer], unsteady: Collection[str] = ()
    ) -> None:
        self._early = _results(call for record in records for call in record.outcomes[:-1])
        self._late = _results(record.last for record in records)
        self._observers = distinguishing_observers(records, changing)
        self._probe = best_probe(records, self._observers, unsteady)
        self._asserted_facts: set[tuple[str, Observer, str]] = set()

    def write(self, name: str, record: Record) -> str:
        """Return the test's source, without a line break at its end."""
        setup = [WrittenStatement(tuple(laid_out(f"{token} = object()"))) for token in record.tokens]
        setup += [self._step(call, is_last=False) for call in record.outcomes[:-1]]
        tested = [self._step(record.last, is_last=True)]
        for observations in record.observations:
            tested += [WrittenStatement(tuple(laid_out(line))) for line in self._state(observations, _names(record))]
        probe = record.probes.get(self._probe)
        if probe is not None:
            lines = probed(probe, record.observations[0].variable, _names(record))
            tested += [WrittenStatement(tuple(laid_out(line))) for line in lines]
        before = _with_loops(setup, _names(record))
        blank = [""] if len(before) > 1 and len(before) + len(tested) > LONG else []
        lines = [line for step in before for line in step.lines]
        lines += [*blank, *(line for step in tested for line in step.lines)]
        return "\n".join([f"def {name}():", *lines])

    def _step(self, call: RecordedCall, is_last: bool) -> WrittenStatement:
        expression = call.written.expression
        if call.raised:
            return WrittenStatement((*laid_out(f"with pytest.raises({call.raised}):"), *laid_out(expression, 2)))
        if self._is_asserted(call, is_last):
            asserted = call.written.name or expression
            lines = [] if call.written.name is None else laid_out(str(call.written))
            return WrittenStatement((*lines, *laid_out(equals(asserted, call.result, call.is_earlier))))
        if call.written.name is not None:
            return WrittenStatement(tuple(laid_out(str(call.written))))
        statement = ast.parse(expression).body[0]
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return WrittenStatement(tuple(laid_out(expression)))
        tree = statement.value
        arguments = tuple(ast.get_source_segment(expression, part) or "" for part in (*tree.args, *tree.keywords))
        parameter = next((one.parameter for one in call.arguments), "value")
        return WrittenStatement(tuple(laid_out(expression)), expression.partition("(")[0], arguments, parameter)

    def _is_asserted(self, call: RecordedCall, is_last: bool) -> bool:
        if call.result == NOT_PLAIN:
            return False
        results = (self._late if is_last else self._early)[call.routine.name]
        return len(results) > 1 or (is_last and results != {"None"})

    def _state(self, observations: ObjectObservations, used_names: Collection[str]) -> list[str]:
        lines = []
        iterations = {ITEMS, PAIRS}.intersection(self._observers)
        items, derived = (observations.items, observations.derived) if iterations else (None, frozenset())
        for observer in self._observers:
            if observer in observations.values:
                source = observations.values[observer]
                if (
                    observer in iterations
                    or source not in derived
                    or not self._is_known(observations, observer, source)
                ):
                    lines.append(equals(observer.template.format(object=observations.variable), source))
            elif observer in observations.answers:
                answers = observations.answers[observer]
                if items is not None and all((answer == "True") is (text in items) for text, answer in answers.items()):
                    answers = {
                        t: answer for t, answer in answers.items() if not self._is_known(observations, observer, answer)
                    }
                lines += answered(observer, observations.variable, answers, used_names)
        return lines

    def _is_known(self, observations: ObjectObservations, observer: Observer, source: str) -> bool:
        """Return whether an earlier test asserts this value, and record that one does from now on."""
        fact = observations.class_name, observer, source
        is_known = fact in self._asserted_facts
        self._asserted_facts.add(fact)
        return is_known


def _results(calls: Iterable[RecordedCall]) -> dict[str, set[str]]:
    """Return the results of calls by routine."""
    results: dict[str, set[str]] = {}
    for call in calls:
        results.setdefault(call.routine.name, set()).update(() if call.raised else {call.result})
    return results


def _with_loops(steps: Sequence[WrittenStatement], used_names: Collection[str]) -> list[WrittenStatement]:
    """Return the steps; successive calls of one routine on one object become a loop if they differ in one argument."""
    shortened: list[WrittenStatement] = []
    for call, group in groupby(steps, key=lambda step: (step.call, len(step.arguments))):
        similar_steps = list(group)
        loop = _loop(similar_steps, used_names) if call[0] and len(similar_steps) >= REPEATED else None
        shortened += similar_steps if loop is None else [loop]
    return shortened


def _loop(steps: Sequence[WrittenStatement], used_names: Collection[str]) -> WrittenStatement | None:
    columns = list(zip(*(step.arguments for step in steps), strict=True))
    several = [number for number, column in enumerate(columns) if len(set(column)) > 1]
    call, arguments = steps[0].call, list(steps[0].arguments)
    if not several:
        body = f"{call}({', '.join(arguments)})"
        return WrittenStatement((*laid_out(f"for _ in range({len(steps)}):"), *laid_out(body, 2)))
    if len(several) > 1 or any("=" in text for text in columns[several[0]]):
        return None
    name = unused_name(steps[0].parameter, used_names)
    head = f"for {name} in ({', '.join(columns[several[0]])}):"
    arguments[several[0]] = name
    return WrittenStatement((*laid_out(head), *laid_out(f"{call}({', '.join(arguments)})", 2)))


def _names(record: Record) -> set[str]:
    """Return the names of a test's variables."""
    return {*record.tokens, *(call.written.name for call in record.outcomes if call.written.name)}
