"""Inputs are classed as a plain look at each of them says: the spec's class, rep_ok's conditions, branches taken."""

from contextlib import suppress

import pytest
from coverage_samples import korat_suite, loaded_inputs, small_subject
from naive_tracer import NaiveTracer
from support.subjects import load_subject

from harness.errors import SpecError
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.job import BRANCHES, CONDITIONS, EQ_CLASS
from harness.measuring.measurement import measured_classes
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject as load_from_outside
from harness.runner.suites import ensure_suite

BOX = """
class Box:
    def __init__(self):
        self.value = 0
        self.label = 0

    def grow(self):
        if self.value > 1:
            self.value += 1
        return self.value

    def name(self):
        return self.label
"""
SPEC = """
from harness.spec import Finitization

title = "Box"


def rep_ok(box):
    return box.label == 0 or box.value > 0 and box.label != 2


def eq_class(box):
    return {eq_class}


def finitization(scope):
    f = Finitization("Box")
    f.set("Box.value", range(scope + 1))
    f.set("Box.label", range(3))
    f.method("grow")
    f.method("name")
    return f
"""


def classed(folder, eq_class: str = "box.value"):
    subject, spec = small_subject(folder / "box", BOX, SPEC.replace("{eq_class}", eq_class))
    suite = SuiteReader(korat_suite(subject, spec, 2, folder / "suite"))
    return measured_classes(subject, suite), suite


def names_of(input_classes, criterion):
    return [input_classes.names[criterion][number] for number in input_classes.numbers[criterion]]


def test_each_input_has_its_class_by_each_criterion(tmp_path):
    input_classes, suite = classed(tmp_path)
    vectors = [tuple(suite.vector(suite.input(number)[0])) for number in range(len(suite))]
    assert sorted(vectors) == [state for state in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)] for _ in range(2)]
    assert names_of(input_classes, EQ_CLASS) == [str(value) for value, _ in vectors]
    assert input_classes.places[CONDITIONS][:3] == ["8: box.label == 0", "8: box.value > 0", "8: box.label != 2"]
    assert names_of(input_classes, CONDITIONS) == ["1- 2+ 3+" if label else "1+" for _, label in vectors]
    assert input_classes.places[BRANCHES] == ["8: self.value > 1"]
    expected = [("1+" if value > 1 else "1-", "none") for value, _ in vectors[::2]]
    assert names_of(input_classes, BRANCHES) == [name for pair in expected for name in pair]


@pytest.mark.parametrize("name", ["search_tree", "binomial_heap"])
def test_inputs_take_the_same_branches_exactly_where_a_tracer_sees_the_same_lines_behind_each_other(name, tmp_path):
    subject, spec = load_subject(name)
    suite = SuiteReader(korat_suite(subject, spec, 2, tmp_path / "suite", states=25))
    input_classes = measured_classes(subject, suite)
    program = loaded_inputs(subject, spec, 2, suite)
    paths = []
    for number in range(len(suite)):
        tracer = NaiveTracer(str(subject.source_path))
        prepared = program.prepare(number)
        with suppress(Exception):
            tracer.run(prepared.invoke)
        target = suite.calls[suite.input(number)[1]].target
        paths.append((target, frozenset(tracer.lines), frozenset(tracer.arcs)))
    ours = [(seen[0], number) for seen, number in zip(paths, input_classes.numbers[BRANCHES], strict=True)]
    pairs = set(zip(ours, paths, strict=True))
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs}) > 3


def test_sequences_are_classed_by_the_branches_of_their_last_calls():
    subject = load_from_outside("disj_set_checked")
    suite = ensure_suite(subject, Trial("disj_set_checked", "rostra", 2))
    input_classes = measured_classes(subject, suite)
    assert list(input_classes.numbers) == [BRANCHES]
    assert len(input_classes.numbers[BRANCHES]) == len(suite)
    assert len(input_classes.names[BRANCHES]) > 1


@pytest.mark.parametrize(
    ("eq_class", "complaint"),
    [("1 // box.value", "eq_class raised ZeroDivisionError"), ("[box.value]", "eq_class raised TypeError: unhashable")],
)
def test_a_criterion_that_gives_no_class_is_told(eq_class, complaint, tmp_path):
    with pytest.raises(SpecError, match=complaint):
        classed(tmp_path, eq_class)
