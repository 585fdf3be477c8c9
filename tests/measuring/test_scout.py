"""Inputs that are not traced could have covered nothing."""

from functools import partial
from pathlib import Path

import pytest
from coverage_samples import korat_suite, loaded_inputs, small_subject, spans
from support.subjects import load_subject
from support.tellers import silent_headway

from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.program.loader import ModuleText
from harness.measuring import code_observation
from harness.measuring.code_observation import Scout, code_counts, run_inputs
from harness.measuring.job import CodeRequest
from harness.measuring.lines import own_lines
from harness.measuring.meter import Meter

SPEC = """\
from harness.spec import Finitization

def rep_ok(box):
    return True

def finitization(scope):
    f = Finitization("Box")
    f.set("Box.value", range(8))
    f.method("run", range(8))
    return f
"""

IMPLEMENTATION = '''\
class Box:
    def run(self, step):
        """Runs."""
        if self.value == 6 and step == 7:
            return self.rare(step)
        for number in self.numbers(step):
            if number > 100:
                raise ValueError
        return self.value

    def numbers(self, step):
        def late(n):
            if n == 7 and self.value == 7:
                return -1
            return n
        yield late(step)

    def rare(self, step):
        """Comes late, and in part never."""
        if step < 0:
            return 0
        return [x for x in range(step) if x]
'''


@pytest.fixture(autouse=True)
def few_traced(monkeypatch):
    monkeypatch.setattr(code_observation, "TRACED", 4)
    monkeypatch.setattr(code_observation, "MOST", 16)


def both_ways(subject, spec, scope: int, folder: Path):
    """Counts as measured, those of tracing every input in one go, and how many inputs there are."""
    lines = own_lines(subject.source, spans(subject, spec, scope))
    suite = korat_suite(subject, spec, scope, folder)
    for name in ("measured", "whole"):
        (folder / name).mkdir()
    request = CodeRequest.of(subject, scope, lines=lines, folder=str(folder / "measured"), suite=str(suite))
    by_scout = code_counts(request, silent_headway())
    meter = Meter(subject.source, folder / "whole", lines)
    reader = SuiteReader(suite)
    program = loaded_inputs(subject, spec, scope, reader, meter.compiled())
    with meter.running():
        inputs = len(list(run_inputs(program, range(len(reader)))))
    return by_scout, meter.counts(), inputs


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fibonacci_heap", "linked_list", "tree_map"])
def test_leaving_out_inputs_that_enter_nothing_new_changes_no_count(name, tmp_path):
    subject, spec = load_subject(name)
    by_scout, whole, inputs = both_ways(subject, spec, 2, tmp_path)
    assert by_scout == whole
    assert inputs > 4
    assert not all(count.complete for count in by_scout.values())


def test_what_only_a_late_input_covers_is_found(tmp_path):
    subject, spec = small_subject(tmp_path, IMPLEMENTATION, SPEC)
    by_scout, whole, inputs = both_ways(subject, spec, 1, tmp_path)
    assert inputs == 64
    assert by_scout == whole
    assert by_scout["Box.rare"].statements_executed == 2


def test_a_scout_tells_who_enters_the_functions_asked_for(tmp_path):
    subject, spec = small_subject(tmp_path, IMPLEMENTATION, SPEC)
    suite = SuiteReader(korat_suite(subject, spec, 1, tmp_path))
    program_of = partial(StateInputs, spec=spec, space=StateSpace(spec.finitization(1)), suite=suite)
    text = ModuleText("impl", IMPLEMENTATION, "impl.py")
    rare = own_lines(IMPLEMENTATION, spans(subject, spec, 1))["Box.rare"]
    scout = Scout(text, rare, program_of)
    assert [number for number in range(64) if scout.enters(number)] == [55]
    none = Scout(text, frozenset({1}), program_of)
    assert not any(none.enters(number) for number in range(64))
