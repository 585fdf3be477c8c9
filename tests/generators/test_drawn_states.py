"""States drawn by Hypothesis are distinct valid ones, the same for the same seed."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from generator_samples import TREE, is_search_tree, module, task, tree_finitization

from harness.errors import SpecError, UsageError
from harness.generators.drawn_states import DrawnStates
from harness.generators.korat.generator import Korat
from harness.generators.protocol import Generator, Task
from harness.generators.registry import find_generator


def states(generator: Generator, given: Task) -> Iterator[tuple[int, ...]]:
    return (tuple(vector) for vector, _ in generator.produce(given))


def trees(scope: int, seed: int = 0) -> Task:
    return replace(task(module(TREE), tree_finitization(scope), is_search_tree), seed=seed)


def test_what_is_drawn_is_valid_and_each_once() -> None:
    drawn = list(states(DrawnStates(40), trees(2)))
    assert len(drawn) == len(set(drawn)) > 2
    assert set(drawn) <= set(states(Korat(), trees(2)))


def test_as_many_states_are_drawn_as_are_asked_for_the_same_for_the_same_seed() -> None:
    drawn = [tuple(states(DrawnStates(4), trees(3, seed))) for seed in (0, 0, 1, 2, 3)]
    assert {len(one) for one in drawn} == {4}
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_each_state_has_all_calls() -> None:
    assert [len(calls) for _, calls in DrawnStates(3).produce(trees(2))] == [2, 2, 2]


def test_a_rep_ok_that_raises_is_told_with_the_candidate() -> None:
    given = task(module(TREE), tree_finitization(1), lambda tree: tree.root.info > 0)
    with pytest.raises(SpecError, match="rep_ok raised AttributeError"):
        list(DrawnStates(5).produce(given))


def test_the_number_of_states_stands_behind_the_colon() -> None:
    assert find_generator("hypothesis:7").name == "hypothesis:7"
    for wrong in ("0", "-1", "many", "1000001", "²"):
        with pytest.raises(UsageError, match="a number of states"):
            find_generator(f"hypothesis:{wrong}")
