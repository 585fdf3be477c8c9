"""Tests as source: calls in order, with what says something of their results, and of the objects at the end."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from harness.report.written_tests.assertions import answered, best_probe, equals, free, probed, saying
from harness.report.written_tests.layout import laid_out
from harness.report.written_tests.observers import ITEMS, PAIRS, Observer
from harness.report.written_tests.recording import Outcome, Record
from harness.report.written_tests.telling import NOT_PLAIN, Told

LONG = 4
"""Statements of a test from which on a blank line sets off the call that is tested."""
REPEATED = 3
"""Calls alike from which on they are a loop."""


@dataclass(frozen=True)
class Step:
    """A statement: its lines, and how it is called where it is no more than a call that another may be like."""

    lines: tuple[str, ...]
    call: str = ""
    arguments: tuple[str, ...] = ()
    parameter: str = "value"


class TestWriter:
    """Writes tests that are told apart by what they say.

    A result is asserted where calls of its routine give different ones, among the last calls, or among the others. The
    last call's is asserted, too, where they all give the same, unless that is None. What an observer tells is
    asserted where it is not the same in all tests; what the items of an iteration tell already (how many there are,
    whether a value is among them), where it is told for the first time. At last it is asserted what a routine gives
    that changes the object, where nothing else tells what that tells.

    Args:
        changing: observers that are not used.
        unsteady: routines that are not called so.
    """

    __test__ = False

    def __init__(
        self, records: Sequence[Record], changing: Collection[Observer], unsteady: Collection[str] = ()
    ) -> None:
        self._early = _results(call for record in records for call in record.outcomes[:-1])
        self._late = _results(record.last for record in records)
        self._observers = saying(records, changing)
        self._probe = best_probe(records, self._observers, unsteady)
        self._known: set[tuple[str, Observer, str]] = set()

    def write(self, name: str, record: Record) -> str:
        """The test's source, with no line break at its end."""
        setup = [Step(tuple(laid_out(f"{token} = object()"))) for token in record.tokens]
        setup += [self._step(call, is_last=False) for call in record.outcomes[:-1]]
        tested = [self._step(record.last, is_last=True)]
        for told in record.told:
            tested += [Step(tuple(laid_out(line))) for line in self._state(told, _names(record))]
        probe = record.probes.get(self._probe)
        if probe is not None:
            lines = probed(probe, record.told[0].variable, _names(record))
            tested += [Step(tuple(laid_out(line))) for line in lines]
        before = _with_loops(setup, _names(record))
        blank = [""] if len(before) > 1 and len(before) + len(tested) > LONG else []
        lines = [line for step in before for line in step.lines]
        lines += [*blank, *(line for step in tested for line in step.lines)]
        return "\n".join([f"def {name}():", *lines])

    def _step(self, call: Outcome, is_last: bool) -> Step:
        expression = call.written.expression
        if call.raised:
            return Step((*laid_out(f"with pytest.raises({call.raised}):"), *laid_out(expression, 2)))
        if self._is_asserted(call, is_last):
            asserted = call.written.name or expression
            lines = [] if call.written.name is None else laid_out(str(call.written))
            return Step((*lines, *laid_out(equals(asserted, call.result, call.is_earlier))))
        if call.written.name is not None:
            return Step(tuple(laid_out(str(call.written))))
        statement = ast.parse(expression).body[0]
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return Step(tuple(laid_out(expression)))
        tree = statement.value
        arguments = tuple(ast.get_source_segment(expression, part) or "" for part in (*tree.args, *tree.keywords))
        parameter = next((one.parameter for one in call.arguments), "value")
        return Step(tuple(laid_out(expression)), expression.partition("(")[0], arguments, parameter)

    def _is_asserted(self, call: Outcome, is_last: bool) -> bool:
        if call.result == NOT_PLAIN:
            return False
        given = (self._late if is_last else self._early)[call.routine.name]
        return len(given) > 1 or (is_last and given != {"None"})

    def _state(self, told: Told, taken: Collection[str]) -> list[str]:
        lines = []
        tells = {ITEMS, PAIRS}.intersection(self._observers)
        items, derived = (told.items, told.derived) if tells else (None, frozenset())
        for observer in self._observers:
            if observer in told.values:
                source = told.values[observer]
                if observer in tells or source not in derived or not self._is_known(told, observer, source):
                    lines.append(equals(observer.template.format(object=told.variable), source))
            elif observer in told.answers:
                answers = told.answers[observer]
                if items is not None and all((answer == "True") is (text in items) for text, answer in answers.items()):
                    answers = {t: answer for t, answer in answers.items() if not self._is_known(told, observer, answer)}
                lines += answered(observer, told.variable, answers, taken)
        return lines

    def _is_known(self, told: Told, observer: Observer, source: str) -> bool:
        """Whether a test before has asserted this; it is from now on."""
        known = told.class_name, observer, source
        is_known = known in self._known
        self._known.add(known)
        return is_known


def _results(calls: Iterable[Outcome]) -> dict[str, set[str]]:
    """By routine, what its calls give."""
    found: dict[str, set[str]] = {}
    for call in calls:
        found.setdefault(call.routine.name, set()).update(() if call.raised else {call.result})
    return found


def _with_loops(steps: Sequence[Step], taken: Collection[str]) -> list[Step]:
    """The steps, with calls of one routine on one object behind each other as loops, if they differ in one argument."""
    found: list[Step] = []
    for call, group in groupby(steps, key=lambda step: (step.call, len(step.arguments))):
        alike = list(group)
        loop = _loop(alike, taken) if call[0] and len(alike) >= REPEATED else None
        found += alike if loop is None else [loop]
    return found


def _loop(steps: Sequence[Step], taken: Collection[str]) -> Step | None:
    columns = list(zip(*(step.arguments for step in steps), strict=True))
    several = [number for number, column in enumerate(columns) if len(set(column)) > 1]
    call, arguments = steps[0].call, list(steps[0].arguments)
    if not several:
        body = f"{call}({', '.join(arguments)})"
        return Step((*laid_out(f"for _ in range({len(steps)}):"), *laid_out(body, 2)))
    if len(several) > 1 or any("=" in text for text in columns[several[0]]):
        return None
    name = free(steps[0].parameter, taken)
    head = f"for {name} in ({', '.join(columns[several[0]])}):"
    arguments[several[0]] = name
    return Step((*laid_out(head), *laid_out(f"{call}({', '.join(arguments)})", 2)))


def _names(record: Record) -> set[str]:
    """Variables of a test."""
    return {*record.tokens, *(call.written.name for call in record.outcomes if call.written.name)}
