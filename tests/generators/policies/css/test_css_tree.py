"""The constraint tree marks each leaf by its state; an input answers as it was solved for."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.generators.policies.css.concolic import ConcolicRun, ConstraintTree, Decision, Leaf, LeafMark, WrongPath
from harness.generators.sequences.structures import CallChoice
from harness.generators.symbolic.systems import Space, System
from harness.generators.symbolic.values import EndlessPath, PathLimit

CHOICE = CallChoice(0, (None,))


def free() -> System:
    return Space(0).free(1)


def at_most(system: System, most: int, answer: bool) -> Decision:
    """Return the decision that the integer is, or is not, at most `most`."""
    return Decision(answer, system.at_most(1, 0, most))


def opened(tree: ConstraintTree) -> Leaf:
    return tree.next_unexplored()


def test_the_leaf_that_could_not_be_solved_is_marked_and_not_the_path_that_was_explored_before():
    """The listing of section 4.4.2 adds the explored path as the infeasible one."""
    system = free()
    tree = ConstraintTree([(CHOICE, system)])
    explored = tree.grow(opened(tree), [at_most(system, 3, True)], LeafMark.TERMINAL)
    failed = opened(tree)
    tree.close(failed, LeafMark.INFEASIBLE)
    assert (failed.mark, explored.mark) == (LeafMark.INFEASIBLE, LeafMark.TERMINAL)
    assert tree.counts() == {LeafMark.TERMINAL: 1, LeafMark.INFEASIBLE: 1}


@settings(max_examples=50)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=5))
def test_all_leaves_are_found_and_each_value_comes_to_one_of_them(bounds):
    """A program that compares one integer with some: there are as many paths as intervals."""
    tree = ConstraintTree([(CHOICE, free())])
    ends: Counter[bytes] = Counter()
    while (leaf := tree.next_unexplored()) is not None:
        solution = leaf.system and leaf.system.solution()
        system, decisions = leaf.system, []
        for most in bounds[len(leaf.answers) :]:
            decision = at_most(system, most, solution[0] <= most)
            decisions.append(decision)
            system = decision.pair[0] if decision.answer else decision.pair[1]
        ends[tree.grow(leaf, decisions, LeafMark.TERMINAL).answers] += 1
    leaves = {bytes(value <= most for most in bounds) for value in range(-5, 6)}
    assert ends == Counter(leaves)
    assert tree.counts()[LeafMark.TERMINAL] == len(set(bounds)) + 1


def small() -> System:
    """Return a system of one integer, at most 3."""
    return Space(0).free(1).at_most(1, 0, 3)[0]


def test_an_infeasible_path_is_never_carried_out():
    run = ConcolicRun(b"", small())
    run.add(5)
    with pytest.raises(WrongPath, match="takes a path that the solver holds to be infeasible"):
        run.at_most(1, 0, 4)


def test_an_input_must_give_the_answers_that_it_was_solved_for():
    run = ConcolicRun(b"\1\0", small())
    run.add(2)
    assert run.at_most(1, 0, 2)
    assert run.decisions == []
    with pytest.raises(WrongPath, match="takes another path than the one that it was solved for"):
        run.at_most(1, 0, 2)


def test_forks_have_a_limit_and_what_follows_is_no_fork():
    run = ConcolicRun(b"", small(), most_forks=1)
    run.add(0)
    assert run.at_most(1, 0, 3)
    assert run.at_most(1, 0, 2)
    assert run.at_most(1, 0, 2)
    with pytest.raises(EndlessPath):
        run.at_most(1, 0, 1)


def test_what_the_solver_does_not_know_ends_the_path():
    run = ConcolicRun(b"", Space(1).free(2))
    run.add(3)
    run.add(4)
    product = run.defined("*", ((1, 0), (2, 0)))
    assert run.values[product] == 12
    with pytest.raises(PathLimit):
        run.equal(product, 0, 12)
    assert len(run.decisions) == 1


def test_a_pinned_value_is_the_inputs():
    run = ConcolicRun(b"", small())
    run.add(2)
    assert run.pinned((1, 10), "a hash") == 12
    assert run.notices == ["a hash"]
    assert run.system.equal(1, 0, 2)[1] is None
    assert run.pinned((1, 0), "a hash") == 2
    assert run.notices == ["a hash"]
