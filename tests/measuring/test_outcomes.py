"""Rewritten programs do what they did, and tell the outcomes that a plain interpreter of the same text sees.

Condition outcomes are as many as Table 6.1 prints, and reached as a naive trace of the same inputs says.
"""

from __future__ import annotations

import ast
import csv
import sys
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_tracer import NaiveOutcomes
from support.sequence_suites import suite_of
from support.subjects import loaded

from harness import api, resources
from harness.analysis.kill_matrix import OutcomeMatrix
from harness.errors import StoreError, UsageError
from harness.kernel.judging.prepared import SequenceProgram
from harness.kernel.running.loaded_suite import bounds_of
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.measuring.outcomes import (
    ConditionOutcomes,
    outcome_name,
    telling_branches,
    telling_conditions,
    telling_outcomes,
)
from harness.papers.jtestcraft2010.run import SUBJECTS
from harness.runner.subjects import load_subject


def executed(
    source: str, rewriting=telling_conditions, **names: object
) -> tuple[dict[str, object], dict[str, set[bool]]]:
    """Execute a rewritten text; return its globals, and the outcomes of each of its places that has some."""
    outcomes = ConditionOutcomes()
    code, places = rewriting(source, "text.py")
    namespace = outcomes.presets() | names
    exec(code, namespace)
    seen: dict[str, set[bool]] = {}
    for number, place in enumerate(places):
        for bit, value in ((0, True), (1, False)):
            if outcomes.seen >> 2 * number + bit & 1:
                seen.setdefault(place, set()).add(value)
    return namespace, seen


def test_conditions_are_comparisons_and_what_is_asked_for_its_truth():
    source = "if a and not (b or c < 2):\n    x = f(c == 3) or d\nelse:\n    x = c > 1 and e"
    variables, seen = executed(source, a=[1], b=0, c=1, d=7, e="e", f=lambda value: value)
    assert variables["x"] is False
    assert seen == {"1: a": {True}, "1: b": {False}, "1: c < 2": {True}, "4: c > 1": {False}}


def test_what_is_no_truth_value_is_handed_on_and_not_told():
    variables, seen = executed("x = a or b", a=[], b=[1])
    assert variables["x"] == [1]
    assert seen == {}


def test_comprehensions_guards_and_asserts_have_conditions():
    source = "x = [n for n in range(4) if n % 2]\nassert x\nmatch x:\n    case [n, m] if n > m:\n        y = 1"
    assert executed(source)[1] == {"1: n % 2": {True, False}, "2: x": {True}, "4: n > m": {False}}


def test_branches_are_whole_tests_loops_and_cases():
    loop = "for n in items:\n    if n > 1 and n < 3:\n        break\n"
    source = loop + "match n:\n    case 1:\n        x = 1\n    case 5:\n        x = 5"
    of_test = "2: n > 1 and n < 3"
    assert executed(source, telling_branches, items=[1, 2])[1] == {
        "1: for n in items": {True},
        of_test: {True, False},
        "7: case 5": {False},
    }
    assert executed(source, telling_branches, items=[1])[1] == {
        "1: for n in items": {True, False},
        of_test: {False},
        "5: case 1": {True},
    }


def test_a_last_case_that_takes_all_gets_none_behind_it():
    variables, seen = executed(
        "match v:\n    case 1:\n        x = 1\n    case _:\n        x = 2", telling_branches, v=3
    )
    assert variables["x"] == 2
    assert seen == {"4: case _": {True}}


def test_truth_is_asked_for_once():
    calls = []

    class CountingTruth:
        def __bool__(self) -> bool:
            calls.append(self)
            return True

    executed("if a:\n    pass\nwhile a:\n    break", a=CountingTruth())
    assert len(calls) == 2


NAMES = st.sampled_from(["p", "q", "r"])


def filled(parts: tuple[str, ...]) -> str:
    """Fill the other parts into a form, which stands first."""
    return parts[0].format(parts)


def expressions() -> st.SearchStrategy[str]:
    """Boolean expressions over three names, as text."""
    return st.recursive(
        NAMES | st.tuples(st.just("({0[1]} < {0[2]})"), NAMES, NAMES).map(filled),
        lambda part: (
            st.tuples(st.just("(not {0[1]})"), part).map(filled)
            | st.tuples(st.sampled_from(["({0[1]} and {0[2]})", "({0[1]} or {0[2]})"]), part, part).map(filled)
            | st.tuples(st.just("({0[1]} if {0[2]} else {0[3]})"), part, part, part).map(filled)
        ),
        max_leaves=8,
    )


class Plain:
    """Interprets such expressions by the definition, and notes the outcome of each atom."""

    def __init__(self, names: dict[str, int]) -> None:
        self.names = names
        self.seen: set[tuple[str, bool]] = set()

    def tested(self, node: ast.expr) -> bool:
        if isinstance(node, ast.BoolOp):
            decisive = isinstance(node.op, ast.Or)
            return decisive if any(self.tested(part) is decisive for part in node.values) else not decisive
        if isinstance(node, ast.UnaryOp):
            return not self.tested(node.operand)
        outcome = bool(self.value(node))
        self.seen.add((ast.unparse(node), outcome))
        return outcome

    def value(self, node: ast.expr) -> object:
        if isinstance(node, ast.Name):
            return self.names[node.id]
        if isinstance(node, ast.Compare):
            return self.value(node.left) < self.value(node.comparators[0])
        assert isinstance(node, ast.IfExp), "and, or and not stand only where they are tested"
        return self.value(node.body) if self.tested(node.test) else self.value(node.orelse)


def values_are_atoms(node: ast.expr) -> bool:
    """Return whether no part used as a value is of `and`, `or` or `not`, or a comparison within another condition."""
    inner = [part for one in ast.walk(node) if isinstance(one, ast.IfExp) for part in (one.body, one.orelse)]
    return not any(isinstance(part, ast.BoolOp | ast.UnaryOp | ast.Compare) for part in inner)


@settings(derandomize=True, max_examples=80, deadline=None)
@given(expressions(), st.tuples(*[st.integers(0, 2)] * 3))
def test_conditions_are_those_that_a_plain_interpreter_sees(text, values):
    names = dict(zip("pqr", values, strict=True))
    variables, seen = executed(f"x = 1 if {text} else 0", **names)
    assert variables["x"] == (1 if eval(text, {}, names) else 0)
    node = ast.parse(text, mode="eval").body
    if values_are_atoms(node):
        plain = Plain(names)
        plain.tested(node)
        assert {(place.partition(": ")[2], value) for place, of in seen.items() for value in of} == plain.seen


@pytest.mark.parametrize(("seen", "name"), [(0, "none"), (0b1, "1+"), (0b10_11_00, "2+- 3-"), (0b1000000, "4+")])
def test_a_class_is_named_by_its_outcomes(seen, name):
    assert outcome_name(seen) == name


SOURCE = '''
class Box:
    def __init__(self, items=1 < 2):
        """Takes items."""
        self.items = items or []

    def look(self, n):
        while True:
            if n > 2 and not self.items:
                return self.items if n else None
            known = n == 1 or self.near(n)
            return known

    def near(self, n):
        return [k for k in range(n) if k % 2]

class Node:
    def ask(self, n):
        return n == 0

def away(n):
    return n == 3
'''
SPANS = {"Box.__init__": (3, 5), "Box.look": (7, 12), "Box.near": (14, 15), "Node.ask": (18, 19)}


def test_operands_and_tests_and_comparisons_are_conditions_and_constants_are_none():
    program = telling_outcomes(SOURCE, "box.py", SPANS, "Box")
    conditions = [(o.function, o.line, o.condition) for o in program.outcomes if o.value is not False]
    assert conditions == [
        ("Box.__init__", 3, ""), ("Box.__init__", 5, "items"),
        ("Box.look", 7, ""), ("Box.look", 9, "n > 2"), ("Box.look", 9, "self.items"), ("Box.look", 10, "n"),
        ("Box.look", 11, "n == 1"), ("Box.look", 11, "self.near(n)"),
        ("Box.near", 14, ""), ("Box.near", 15, "k % 2"),
        ("Node.ask", 18, ""), ("Node.ask", 19, "n == 0"),
    ]  # fmt: skip
    assert {o.function for o in program.outcomes if not o.of_class} == {"Node.ask"}
    assert all(o.of_class for o in telling_outcomes(SOURCE, "box.py", SPANS).outcomes)


def printed_branches() -> dict[str, int]:
    path = resources.shipped("results/published") / "jtestcraft2010_table6_1.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["class"]: int(row["branches"]) for row in csv.DictReader(lines)}


def functions_of(source: str) -> dict[str, tuple[int, int]]:
    """Return the lines of all functions of a module and of its classes."""
    tree = ast.parse(source)
    places = [("", tree), *((f"{node.name}.", node) for node in tree.body if isinstance(node, ast.ClassDef))]
    return {
        prefix + node.name: (node.lineno, node.end_lineno or 0)
        for prefix, place in places
        for node in place.body
        if isinstance(node, ast.FunctionDef)
    }


@pytest.mark.parametrize("name", SUBJECTS)
def test_branches_are_as_printed_and_each_input_reaches_what_a_naive_trace_says(name, tmp_path):
    subject = load_subject(SUBJECTS[name])
    suite = suite_of(tmp_path / "suite", "rostra", SUBJECTS[name], 3)
    matrix = outcomes_of_suite(subject, suite)
    assert matrix.of_class.sum() == printed_branches()[name]
    spans = functions_of(subject.source)
    assert {outcome.function for outcome in matrix.outcomes} == spans.keys()
    spec, module = loaded(SUBJECTS[name])
    naive = NaiveOutcomes(str(module.__file__), subject.source, spans)
    inputs = SequenceProgram(module, bounds_of(spec, 3, subject.source, suite), suite)
    labels = [(outcome.function, outcome.condition, outcome.value) for outcome in matrix.outcomes]
    for number in range(0, len(suite), 3):
        prepared = inputs.prepare(number)
        naive.reached.clear()
        with suppress(BaseException):
            naive.run(lambda prepared=prepared: (prepared.lead_up(), prepared.invoke()))
        fast = {label for label, flag in zip(labels, matrix.reached_by([number]), strict=True) if flag}
        assert fast == naive.reached, f"input {number}"
    assert sys.gettrace() is None


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    suite = suite_of(tmp_path_factory.mktemp("suite") / "suite", "rostra", "jtc_ub_stack", 3)
    return outcomes_of_suite(load_subject("jtc_ub_stack"), suite)


@pytest.mark.slow
def test_inputs_of_states_have_the_outcomes_of_sequences_and_do_not_enter_the_constructor(matrix):
    matrix_of_states = outcomes_of_suite(load_subject("jtc_ub_stack"), api.generate("jtc_ub_stack", "korat", 1))
    assert matrix_of_states.outcomes == matrix.outcomes
    reached = {matrix_of_states.outcomes[number].function for number in np.flatnonzero(matrix_of_states.reached_by())}
    assert "UBStack.push" in reached
    assert "UBStack.__init__" not in reached


def test_a_selection_reaches_what_the_suite_does_and_no_input_of_it_is_idle(matrix):
    chosen = matrix.selected()
    own = matrix.of_class
    assert np.array_equal(matrix.reached_by(chosen) & own, matrix.reached_by() & own)
    covered = [int((matrix.reached_by(chosen[:size]) & own).sum()) for size in range(1, len(chosen) + 1)]
    assert covered == sorted(set(covered)), "each input adds at least one"


def test_rows_tell_the_inputs_that_reach_an_outcome(matrix):
    for row in range(len(matrix.outcomes)):
        inputs = matrix.reaching(row).tolist()
        assert inputs == [number for number in range(matrix.inputs) if matrix.reached_by([number])[row]]
    assert [outcome.value for outcome in matrix.missed()] == [False]


def test_inputs_that_the_suite_lacks_and_rows_of_another_program_are_refused(matrix):
    with pytest.raises(UsageError, match=f"numbered 0 to {matrix.inputs - 1}"):
        matrix.reached_by([matrix.inputs])
    program = telling_outcomes(SOURCE, "box.py", SPANS, "Box")
    with pytest.raises(StoreError, match="of another program"):
        OutcomeMatrix(program, b"x" * (program.width + 1))
