"""The candidates that css leaves out find nothing more than those that it keeps, on random classes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sequence_suites import task_of_text

from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import Options
from harness.model.sequence import SequenceScope

EVERYTHING = "data_flow=no,partial_order=no,grouped=no,influence=no"
REDUCED = ["", "partial_order=no", "data_flow=no", "grouped=no", "heap=reasoning"]
FIELDS = st.sampled_from("xyz")


@st.composite
def statements(draw: st.DrawFn, label: str, other: str) -> list[str]:
    """Draw statements on fields of two objects, or of one and a value, with a label for each branch that they take."""
    one, two, three = draw(FIELDS), draw(FIELDS), draw(FIELDS)
    source = draw(st.sampled_from([f"self.{two}", other]))
    branch = [f"    seen += '{label}'", f"    self.{three} = {draw(st.sampled_from([source, '0']))}"]
    plain = st.just([f"self.{one} = {source}"])
    larger = st.just([f"if self.{one} > {source}:", *branch])
    equal = st.just([f"if self.{one} == {source}:", *branch])
    return draw(st.one_of(plain, larger, equal))


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, SequenceScope]:
    """A class with three fields and two or three methods, each of which returns which branches it took."""
    scope = SequenceScope("Thing")
    lines = ["class Thing:", "    def __init__(self):", "        self.x = self.y = self.z = 1"]
    for name, takes in zip("abc", ["v", "v", draw(st.sampled_from(["v", "other", ""]))], strict=True):
        if not takes:
            continue
        lines += [f"    def {name}(self, {takes}) -> str:", "        seen = ''"]
        for label in draw(st.sampled_from(["p", "pq"])):
            lines += [f"        {line}" for line in draw(statements(label, "v" if takes == "v" else "other.x"))]
        lines.append("        return seen")
        scope.method(name, range(3) if takes == "v" else scope.earlier("Thing"))
    return "\n".join(lines), scope


def outcomes(text: str, scope: SequenceScope, options: str, most_calls: int = 4) -> set[tuple[str, str]]:
    """Return each routine with the branches that it takes on some path."""
    task = task_of_text(text, scope, most_calls - 1)
    search = CandidateSequenceSearch(Options.read("css", options) if options else None)
    return {(path.calls[-1].call.name, str(path.outcome.result)[:9]) for path in search.explore(task).paths()}


@pytest.mark.sweep
@settings(max_examples=25, deadline=None)
@given(programs(), st.sampled_from(REDUCED))
def test_each_way_through_a_routine_is_found_with_fewer_sequences(program, options):
    text, scope = program
    assert outcomes(text, scope, options) == outcomes(text, scope, EVERYTHING)


def test_the_printed_rule_loses_a_way_through_a_routine():
    text = """
class Monitor:
    def __init__(self):
        self.enabled = False
        self.temperature = 0

    def set_enabled(self, enabled) -> str:
        self.enabled = enabled == 1
        return ""

    def update(self, temperature) -> str:
        if self.enabled:
            self.temperature = temperature
        return ""

    def left(self) -> str:
        return "left" if self.temperature > 80 and not self.enabled else "other"
"""
    scope = SequenceScope("Monitor")
    scope.method("set_enabled", range(2))
    scope.method("update", range(100))
    scope.method("left")
    assert ("left", "left") in outcomes(text, scope, "", most_calls=5)
    assert ("left", "left") not in outcomes(text, scope, "partial_order=printed", most_calls=5)
