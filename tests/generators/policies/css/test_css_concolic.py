"""An input answers; what its answers say of all values is decided beside it, and a contradiction ends the run."""

from __future__ import annotations

import pytest

from harness.generators.policies.css.concolic import ConcolicRun, WrongPath
from harness.generators.symbolic.differences import Differences, Space
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.runs import EndlessPath, PathLimit


def small() -> Differences:
    """Return a system of one integer, at most 3."""
    system = Space().free(1).at_most(1, 0, 3)[0]
    assert isinstance(system, Differences)
    return system


def test_the_values_answer_and_the_solver_tells_what_is_left() -> None:
    run = ConcolicRun(b"", small())
    run.add(2)
    assert run.at_most(1, 0, 2)
    assert not run.equal(1, 0, 0)
    assert [(one.answer, one.pair[0] is not None, one.pair[1] is not None) for one in run.decisions] == [
        (True, True, True), (False, True, True),
    ]  # fmt: skip
    assert run.system.solution(((2, 9),)) == (2,)


def test_an_infeasible_path_is_never_carried_out() -> None:
    run = ConcolicRun(b"", small())
    run.add(5)
    with pytest.raises(WrongPath, match="takes a path that the solver holds to be infeasible"):
        run.at_most(1, 0, 4)


def test_an_input_must_give_the_answers_that_it_was_solved_for() -> None:
    run = ConcolicRun(b"\1\0", small())
    run.add(2)
    assert run.at_most(1, 0, 2)
    assert run.decisions == []
    with pytest.raises(WrongPath, match="takes another path than the one that it was solved for"):
        run.at_most(1, 0, 2)


def test_fewer_answers_than_are_known_are_too_few() -> None:
    run = ConcolicRun(b"\1", small())
    run.add(2)
    assert run.is_short()
    run.at_most(1, 0, 2)
    assert not run.is_short()


def test_a_pinned_value_is_the_inputs() -> None:
    run = ConcolicRun(b"", small())
    run.add(2)
    assert run.pinned((1, 10), "a hash") == 12
    assert run.notices == ["a hash"]
    assert run.system.equal(1, 0, 2)[1] is None
    assert run.pinned((1, 0), "a hash") == 2
    assert run.notices == ["a hash"]


def test_forks_have_a_limit_and_what_follows_is_no_fork() -> None:
    run = ConcolicRun(b"", small(), most_forks=1)
    run.add(0)
    assert run.at_most(1, 0, 3)
    assert run.at_most(1, 0, 2)
    assert run.at_most(1, 0, 2)
    with pytest.raises(EndlessPath):
        run.at_most(1, 0, 1)


def test_what_the_solver_does_not_know_ends_the_path() -> None:
    run = ConcolicRun(b"", mixed_space(solver_steps=1).free(2))
    run.add(3)
    run.add(4)
    product = run.defined("*", ((1, 0), (2, 0)))
    assert run.values[product] == 12
    with pytest.raises(PathLimit):
        run.equal(product, 0, 12)
    assert len(run.decisions) == 1
