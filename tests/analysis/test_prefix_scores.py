"""Beginnings of random suites are scored by first kills, over seeds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.run_samples import frames_of_rows, result_rows, trial_row

from harness.analysis.frames import RunFrames
from harness.analysis.prefix_scores import beginnings, over_seeds
from harness.errors import StoreError


def random_trial(
    seed: int, firsts: list[int | None], **changes: object
) -> tuple[dict[str, object], list[dict[str, object]]]:
    """A finished trial of 100 random inputs, with the first killing input of each mutant (None: it survives)."""
    row = trial_row("s", "S", 3, trial=f"s-{seed}-{len(firsts)}", seed=seed, generator="random:100", inputs=100)
    results = [
        one | {"mutant": f"m{number}", "input": first}
        for number, first in enumerate(firsts)
        for one in result_rows(str(row["trial"]), int(first is not None), int(first is None))
    ]
    return row | changes, results


def run_of(*trials: tuple[dict[str, object], list[dict[str, object]]]) -> RunFrames:
    return frames_of_rows([row for row, _ in trials], [result for _, results in trials for result in results])


def test_a_mutant_counts_from_the_size_that_holds_its_first_killing_input() -> None:
    frames = run_of(random_trial(0, [0, 9, 10, 99, None]))
    scores = beginnings(frames, [1, 10, 11, 100, 1000])
    assert [(one.size, one.score.killed, one.score.counted) for one in scores] == [
        (1, 1, 5), (10, 2, 5), (11, 3, 5), (100, 4, 5),
    ]  # fmt: skip
    assert {(one.subject, one.seed, one.oracle) for one in scores} == {("s", 0, "differential")}


def test_a_mutant_that_dies_while_it_is_loaded_is_killed_by_every_size() -> None:
    row, results = random_trial(0, [5, None])
    results[0] |= {"input": None, "phase": "load", "reason": "exception"}
    assert [one.score.killed for one in beginnings(run_of((row, results)), [1])] == [1]


def test_a_mutant_that_died_at_an_unknown_input_is_killed_by_the_whole_suite_and_refused_for_prefixes() -> None:
    row, results = random_trial(0, [5, None])
    results[0] |= {"input": None, "phase": "call", "reason": "crash"}
    assert [one.score.killed for one in beginnings(run_of((row, results)), [100])] == [1]
    with pytest.raises(StoreError, match="m0 died at an unknown input"):
        beginnings(run_of((row, results)), [1])


def test_only_the_largest_suite_of_a_seed_counts_and_other_generators_do_not() -> None:
    small, large = random_trial(0, [3], trial="small", inputs=10), random_trial(0, [30], trial="large")
    for row, results in (small, large):
        results[0]["trial"] = row["trial"]
    other = random_trial(1, [0], trial="other", generator="korat")
    other[1][0]["trial"] = "other"
    scores = beginnings(run_of(small, large, other), [10, 50])
    assert [(one.seed, one.size, one.score.killed) for one in scores] == [(0, 10, 0), (0, 50, 1)]


def test_the_maximum_is_of_three_seeds_and_the_mean_of_all() -> None:
    frames = run_of(*(random_trial(seed, [0] * seed + [None] * (10 - seed)) for seed in range(7)))
    (point,) = over_seeds(beginnings(frames, [100]))
    assert point.seeds == tuple(range(7))
    assert point.maximum == Fraction(2, 10)
    assert point.mean == Fraction(3, 10)
    assert (point.spread.median, point.spread.low, point.spread.high) == (Fraction(3, 10), 0, Fraction(6, 10))


OTHER_VALUES = [
    ("operator_set", "ferastrau", "mujava"),
    ("observed", "end", "every-call"),
    ("concrete", False, True),
    ("mutant_set", "5" * 64, "6" * 64),
    ("source_hash", "5" * 64, "6" * 64),
    ("generator", "random:100", "random:101,contracts=no"),
]


@pytest.mark.parametrize(("name", "one", "other"), OTHER_VALUES)
def test_scores_are_averaged_over_seeds_that_are_run_alike(name: str, one: object, other: object) -> None:
    trials = [random_trial(seed, [0, None], **{name: one}) for seed in (1, 2)]
    trials.append(random_trial(1, [0, 0], trial="other", **{name: other}))
    for result in trials[2][1]:
        result["trial"] = "other"
    points = over_seeds(beginnings(run_of(*trials), [100]))
    assert [(point.seeds, point.mean) for point in points] == [((1, 2), Fraction(1, 2)), ((1,), Fraction(1))]
    assert len({point.shared_values for point in points}) == 2


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="from 1"):
        beginnings(run_of(random_trial(0, [0])), [0])
