"""Condition outcomes: as many as Table 6.1 prints, and reached as a naive trace of the same inputs says."""

import ast
import csv
import sys
from contextlib import suppress

import numpy as np
import pytest
from naive_outcomes import NaiveOutcomes
from support.sequence_suites import suite_of
from support.subjects import loaded

from harness import api, resources
from harness.analysis.kill_matrix import OutcomeMatrix
from harness.errors import StoreError, UsageError
from harness.kernel.judging.prepared import SequenceProgram
from harness.kernel.running.loaded_suite import bounds_of
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.measuring.outcomes import telling_outcomes
from harness.papers.jtestcraft2010.run import SUBJECTS
from harness.runner.subjects import load_subject

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
