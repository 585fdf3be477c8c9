"""States drawn by Hypothesis are distinct valid ones, the same for the same seed."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from generator_samples import TREE, is_search_tree, module, task, tree_finitization
from hypothesis.internal.conjecture import providers

from harness.errors import SpecError, UsageError
from harness.generators.policies.hypothesis import states as drawn_states
from harness.generators.policies.hypothesis.states import DrawnStates, Options
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Generator, Task
from harness.generators.registry import find_generator
from harness.model.finitization import Finitization
from harness.model.stop_reason import StopReason


def states(generator: Generator, task_of_states: Task) -> Iterator[tuple[int, ...]]:
    return (tuple(vector) for vector, _ in generator.produce(task_of_states))


def trees(scope: int, seed: int = 0) -> Task:
    return replace(task(module(TREE), tree_finitization(scope), is_search_tree), seed=seed)


def test_what_is_drawn_is_valid_and_each_once():
    drawn = list(states(DrawnStates(Options(40)), trees(2)))
    assert len(drawn) == len(set(drawn)) > 2
    assert set(drawn) <= set(states(Korat(), trees(2)))


def test_as_many_states_are_drawn_as_are_asked_for_the_same_for_the_same_seed():
    drawn = [tuple(states(DrawnStates(Options(4)), trees(3, seed))) for seed in (0, 0, 1, 2)]
    assert {len(one) for one in drawn} == {4}
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1


def test_what_ended_the_drawing_is_told(monkeypatch):
    def stop_after(number: int) -> tuple[int, str | None]:
        production = DrawnStates(Options(number)).produce(trees(2))
        return len(list(production)), production.stop_reason

    assert stop_after(4) == (4, StopReason.STATES)
    count, why = stop_after(40)
    assert (count < 40, why) == (True, StopReason.NOTHING_NEW)
    monkeypatch.setattr(drawn_states, "MOST_ROUNDS", 1)
    assert stop_after(40)[1] is StopReason.ROUNDS


BOX = "class Box:\n    def open(self): pass\n"


def boxes(rep_ok: Callable[[Any], bool]) -> Task:
    """Return the task of boxes of six digits."""
    bounds = Finitization("Box")
    for name in "abcdef":
        bounds.set(f"Box.{name}", *range(10))
    bounds.method("open")
    return task(module(BOX), bounds, rep_ok)


def test_a_field_is_drawn_again_where_rep_ok_refuses_it_so_that_rare_states_are_found():
    drawn = DrawnStates(Options(1)).produce(boxes(lambda box: all(getattr(box, name) == 7 for name in "abcdef")))
    assert [tuple(vector) for vector, _ in drawn] == [(7,) * 6]
    assert 100 <= drawn.explored <= 100 * (6 * 9 + 1), "one execution for each value of a field, at the most"


def test_fields_that_rep_ok_leaves_unread_are_drawn_as_well():
    drawn = [tuple(vector) for vector, _ in DrawnStates(Options(30)).produce(boxes(lambda box: box.a == 0))]
    assert len(drawn) == 30
    assert all(len({vector[field] for vector in drawn}) > 5 for field in range(1, 6))


def test_a_draw_that_no_valid_state_is_near_to_ends(monkeypatch):
    monkeypatch.setattr(drawn_states, "MOST_EXECUTIONS", 7)
    drawn = DrawnStates(Options(3)).produce(boxes(lambda box: box.a + box.b > 99))
    assert list(drawn) == []
    assert drawn.explored == 7 * 100


def test_constants_of_loaded_modules_are_not_drawn(monkeypatch):
    def refuse_threads() -> None:
        raise AssertionError("the drawn states depend on the loaded modules")

    monkeypatch.setattr(providers, "_get_local_constants", refuse_threads)
    assert len(list(DrawnStates(Options(30)).produce(boxes(lambda box: True)))) == 30
    assert providers._get_local_constants is refuse_threads, "others draw as ever"


def test_a_rep_ok_that_raises_is_told_with_the_candidate():
    search_task = task(module(TREE), tree_finitization(1), lambda tree: tree.root.info > 0)
    with pytest.raises(SpecError, match="rep_ok raised AttributeError"):
        list(DrawnStates(Options(5)).produce(search_task))


def test_the_number_of_states_stands_behind_the_colon():
    assert find_generator("hypothesis:7").name == "hypothesis:7"
    for wrong in ("0", "-1", "many", "1000001", "²"):
        with pytest.raises(UsageError, match="the number of states"):
            find_generator(f"hypothesis:{wrong}")
