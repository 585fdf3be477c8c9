"""Sequences of calls that build a structure: shortest ones, for all structures that calls lead to."""

import pytest
from support.subjects import load_subject

from harness.checking.judge import CallChecker
from harness.checking.sequences import Sequences, SequenceStep
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute_with_ticks, step_counter


def sequences(name: str, scope: int):
    subject, spec = load_subject(name)
    counter = step_counter()
    text = ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked)
    module = execute_with_ticks(text, counter)
    finitization = spec.finitization(scope)
    judge = CallChecker(spec, module, counter)
    space = StateSpace(finitization)
    states = [Decoder(space, module).decode(vector).root for vector in KoratSearch(space, module, spec.rep_ok)]
    return Sequences(spec, module, spec.sequences(scope, subject.source), judge), states


def find(source: Sequences, accepts) -> tuple[SequenceStep, ...] | None:
    """Return the first sequence to an accepted state."""
    return next((source.steps(visited.calls) for visited in source.visit() if accepts(visited.root)), None)


def written(steps) -> list[str]:
    """Return the calls after the one that makes the object, as text."""
    assert not steps[0].routine.has_receiver
    return [f"{step.routine.name}{step.arguments}" for step in steps[1:]]


def test_every_search_tree_is_built_by_adding_its_keys():
    source, trees = sequences("search_tree", 3)
    for tree in trees:
        expected = concrete(tree)
        steps = find(source, lambda root, wanted=expected: concrete(root) == wanted)
        assert len(steps) == tree.size + 1
        assert all(step.routine.name == "add" for step in steps[1:])


def test_the_first_of_the_shortest_sequences_is_found():
    source, _ = sequences("search_tree", 3)
    assert written(find(source, lambda root: root.size == 2)) == ["add(1,)", "add(2,)"]
    assert written(find(source, lambda root: root.root is None)) == []


def test_functions_build_lists():
    source, _ = sequences("heapq", 2)
    assert written(find(source, lambda root: root == [1, 2])) == ["heappush(1,)", "heappush(2,)"]


@pytest.mark.parametrize("state", [7, 8])
def test_what_no_call_leads_to_is_not_found(state, monkeypatch):
    source, _ = sequences("search_tree", 2)
    monkeypatch.setattr("harness.checking.sequences.MOST_STATES", state)
    assert find(source, lambda root: root.size == 3) is None


def test_tokens_are_arguments_and_objects_are_not():
    source, _ = sequences("linked_list", 1)
    steps = find(source, lambda root: root.size == 1 and root.header.next.element is not None)
    assert written(steps) == ["add(<object 0>,)"]
    source, _ = sequences("sorted_list", 2)
    assert written(find(source, lambda root: root.size == 2)) == ["insert(1,)", "insert(1,)"]
