"""Candidate sequences reach exactly the paths that all sequences of small values reach, and tell of them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sequence_suites import shipped_task, task_of_text
from symbolic.symbolic_programs import paths_of_small_values

from harness.generators.influence.candidate import CandidateCall, CandidateSequence
from harness.generators.influence.enumeration import CandidateEnumeration
from harness.generators.influence.influence import influence_of
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import Options
from harness.generators.policies.css.production import CandidatePath, Production
from harness.generators.protocol import SequenceTask
from harness.model.sequence import SequenceScope

EVERYTHING = "data_flow=no,partial_order=no,grouped=no,influence=no"
SUBJECTS = ["jtc_ub_stack", "jtc_int_stack", "jtc_bin_search_tree", "jtc_heap_array", "jtc_linked_list", "search_tree"]


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_paths_of_the_last_call_are_those_that_all_sequences_of_small_values_take(name):
    task = shipped_task(name, 3)
    path_ends = {
        (path.calls[-1].symbolic.choice, path.trace[path.begun :], path.outcome.steps, path.outcome.raised)
        for path in CandidateSequenceSearch().explore(task).paths()
        if path.calls[-1].call.receiver is not None
    }
    assert path_ends == {
        (choices[-1], trace, steps, raised)
        for choices, _, trace, steps, raised in paths_of_small_values(task, range(1, 4))
    }


@pytest.mark.parametrize("name", SUBJECTS)
def test_without_pruning_the_paths_are_those_that_all_sequences_of_small_values_take(name):
    task = shipped_task(name, 3)
    production = Production(task, Options.read("css", EVERYTHING), lambda target: NotedEnumeration(task, target, 4))
    path_ends = [
        (tuple(made.symbolic.choice for made in path.calls), path.trace, path.outcome.steps, path.outcome.raised)
        for path in production.paths()
        if [made.call.receiver for made in path.calls] == [None] + [0] * (len(path.calls) - 1) and len(path.calls) > 1
    ]
    assert len(set(path_ends)) == len(path_ends)
    assert set(path_ends) == {
        (choices, before + trace, steps, raised)
        for choices, before, trace, steps, raised in paths_of_small_values(task, range(1, 4))
    }


class NotedEnumeration(CandidateEnumeration):
    """The candidates where each routine may influence each; notes the beginnings that are left out."""

    def __init__(self, task: SequenceTask, target: int, most_calls: int) -> None:
        switches = Options.read("css", EVERYTHING).switches()
        super().__init__(influence_of([], task.bounds), task.bounds.routines, target, most_calls, switches)
        self.left_out: list[str] = []

    def leave_out(self, begun: tuple[CandidateCall, ...]) -> None:
        self.left_out.append(str(CandidateSequence(begun)))
        super().leave_out(begun)


TEXT = """
class Box:
    def __init__(self):
        self.held = 0
    def put(self, value):
        self.held = value
    def fail(self):
        raise ValueError
    def ask(self):
        return self.held > 3
"""


def test_beginnings_that_have_no_path_to_go_on_from_are_left_out() -> None:
    bounds = SequenceScope("Box")
    bounds.method("put", range(9))
    bounds.method("fail")
    bounds.method("ask")
    task = task_of_text(TEXT, bounds, 2)
    candidates = [NotedEnumeration(task, target, 3) for target in range(4)]
    production = Production(task, Options(), candidates.__getitem__)
    influences = {tuple(one.call.name for one in path.calls): path.influences for path in production.paths()}
    assert influences["Box", "put", "ask"] == {(0, 1), (0, 2), (1, 2)}
    left_out = {begun for made in candidates for begun in made.left_out}
    assert {"o0 = Box(); o0.fail()", "o0 = Box(); o0.ask()"} <= left_out  # asking changes nothing
    assert "o0 = Box(); o0.put(?)" not in left_out


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


def test_objects_none_and_aliases_are_tried_and_the_solver_needs_fewer_paths_for_the_same_results():
    both = {heap: paths(BOXES, boxes(), 5, f"heap={heap}") for heap in ("simulation", "reasoning")}
    assert last_calls(both["simulation"]) == last_calls(both["reasoning"])
    assert {result for _, result, _ in last_calls(both["reasoning"])} == {
        "none",
        "own",
        "large",
        "small",
        "crate",
        "box",
    }
    assert len(both["reasoning"]) < len(both["simulation"])


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


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(programs(), st.sampled_from(REDUCED))
def test_each_way_through_a_routine_is_found_with_fewer_sequences(program, options):
    text, scope = program
    assert outcomes(text, scope, options) == outcomes(text, scope, EVERYTHING)
