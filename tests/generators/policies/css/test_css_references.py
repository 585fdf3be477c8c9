"""Objects as arguments: chosen with the candidate, or by the solver where the program first asks for them."""

from __future__ import annotations

import pytest
from support.sequence_suites import task_of_text

from harness.generators.policies.css.exploration import CandidatePath
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import Options
from harness.model.sequence import SequenceScope

BOXES = """
class Box:
    def __init__(self):
        self.other = None
        self.size = 0

    def link(self, other):
        self.other = other

    def grow(self):
        self.size += 1

    def kind(self):
        if self.other is None:
            return "none"
        if self.other is self:
            return "own"
        return "large" if self.other.size > 0 else "small"

class Crate(Box):
    def kind(self):
        return "crate" if isinstance(self.other, Crate) else "box"
"""


def boxes() -> SequenceScope:
    bounds = SequenceScope("Box")
    bounds.constructor()
    bounds.constructor(name="Crate")
    bounds.method("link", ([None], bounds.earlier("Box")))
    bounds.method("grow")
    bounds.method("kind")
    return bounds


def paths(text: str, bounds: SequenceScope, calls: int, options: str) -> list[CandidatePath]:
    task = task_of_text(text, bounds, calls)
    return list(CandidateSequenceSearch(Options.read("css", f"{options},length={calls}")).explore(task).paths())


def last_calls(solved: list[CandidatePath]) -> set[tuple[str, object, int]]:
    """Return the names, results and steps of the last calls."""
    return {
        (p.calls[-1].call.name, p.outcome.result, p.outcome.steps) for p in solved if p.calls[-1].call.name == "kind"
    }


@pytest.mark.parametrize("heap", ["simulation", "reasoning"])
def test_objects_none_and_aliases_are_tried(heap: str) -> None:
    solved = paths(BOXES, boxes(), 5, f"heap={heap}")
    assert {result for _, result, _ in last_calls(solved)} == {"none", "own", "large", "small", "crate", "box"}


def test_the_solver_needs_fewer_paths_for_the_same_results() -> None:
    both = {heap: paths(BOXES, boxes(), 4, f"heap={heap}") for heap in ("simulation", "reasoning")}
    assert last_calls(both["simulation"]) == last_calls(both["reasoning"])
    assert len(both["reasoning"]) < len(both["simulation"])
