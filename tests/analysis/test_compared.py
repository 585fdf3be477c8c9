"""Sub-suites of several generators, scored by indexing, agree with counts made naively over all that there are."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix, write_run

from harness import api
from harness.analysis.compared import (
    FIRST_KILLS,
    TOO_LONG,
    TOO_SMALL,
    UNTIMED,
    Basis,
    Budget,
    ComparedSuite,
    Rule,
    SubSuites,
    comparable_suites,
    curves,
    kills_of,
    missed,
    rows,
    sizes_of,
    sub_suites,
)
from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode, TrialFilter
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.sequence import ON_MUTANT, Observation
from harness.store import KillRow, RunStore


@pytest.fixture
def compared(tmp_path):
    return comparable_suites(write_run(tmp_path))


def inputs(number):
    return Budget(Basis.INPUTS, Fraction(number))


def at(compared, budgets=(), rule=Rule.DRAWN):
    """The sub-suites, or why there are none, by generator, scope and limit."""
    found = [row for group in rows(compared, budgets, rule) for row in group]
    return {(row.generator, row.subject.scope, row.budget and row.budget.limit): row.suites for row in found}


def killed(suites):
    return suites.worth(kills_of, np.ones(3, dtype=np.bool_)).expected


def by_mutant(subject, suites):
    return [suites.chances()[subject.order.index(mutant)] for mutant in (FIRST, SECOND, THIRD)]


def naive_worth(kills_of_suites, inputs, size, rule):
    """The expected value, and the interval of 90 %, over all sub-suites of suites that are equally likely."""
    scores = []
    for kills in kills_of_suites:
        chosen = [range(size)] if rule is Rule.FIRST else list(combinations(range(inputs), size))
        killed = [Fraction(sum(bool(set(one) & killers) for killers in kills), len(kills)) for one in chosen]
        scores += [(score, Fraction(1, len(kills_of_suites) * len(chosen))) for score in killed]
    tail = Fraction(1, 20)
    low = max(v for v, _ in scores if sum(weight for score, weight in scores if score < v) <= tail)
    high = min(v for v, _ in scores if sum(weight for score, weight in scores if score > v) <= tail)
    return sum(score * weight for score, weight in scores), low, high


def suite(kills, inputs, seed=0, calls=None):
    matrix = KillMatrix([KillRow.of_kills(f"m{n}", inputs, killers) for n, killers in enumerate(kills)], inputs)
    made = SimpleNamespace(inputs=inputs, key=str(seed), generator="g")
    return ComparedSuite(made, matrix, calls=None if calls is None else np.array(calls))


@settings(max_examples=40, deadline=None)
@given(st.data())
@pytest.mark.parametrize("rule", Rule)
def test_expected_value_and_interval_are_those_of_all_sub_suites(rule, data):
    number = data.draw(st.integers(1, 7))
    kills = st.lists(st.sets(st.integers(0, number - 1)), min_size=3, max_size=3)
    suites = data.draw(st.lists(kills, min_size=1, max_size=4))
    size = data.draw(st.integers(1, number))
    cut = sub_suites([suite(one, number, seed) for seed, one in enumerate(suites)], inputs(size), rule)
    worth = cut.worth(kills_of, np.ones(3, dtype=np.bool_))
    expected, low, high = naive_worth(suites, number, size, rule)
    assert (float(worth.expected), worth.low, worth.high) == (pytest.approx(float(expected)), low, high)
    shares = [np.mean([naive_worth([[one[m]]], number, size, rule)[0] for one in suites]) for m in range(3)]
    assert cut.chances().tolist() == pytest.approx([float(share) for share in shares])


def test_of_more_sub_suites_than_are_drawn_the_interval_is_that_of_the_draws():
    cut = sub_suites([suite([{number} for number in range(60)], 60)], inputs(30), Rule.DRAWN)
    assert cut.worth(kills_of, np.ones(60, dtype=np.bool_)) == (Fraction(1, 2),) * 3
    uneven = sub_suites([suite([set(range(10))] * 2 + [set(range(10, 12))] * 3, 60)], inputs(30), Rule.DRAWN)
    worth = uneven.worth(kills_of, np.ones(5, dtype=np.bool_))
    # Inputs 10 and 11 are missed by a quarter of the draws: all five mutants or two of them are killed.
    assert (worth.low, worth.high) == (Fraction(2, 5), 1)


def test_the_chance_of_a_large_suite_is_right_to_the_last_digits():
    assert 1 - missed(np.array([1, 0, 54_754]), 54_754, 10_000) == pytest.approx([10_000 / 54_754, 0, 1], rel=1e-12)
    assert 1 - missed(np.array([1, 1_000_000]), 1_000_000, 500_000) == pytest.approx([0.5, 1], rel=1e-12)


def test_one_rule_holds_for_all_generators(compared):
    first = at(compared, [inputs(4)], Rule.FIRST)
    assert by_mutant(compared[0], first["korat", 2, 4]) == [1, 0, 0]
    # Input `seed` kills one of three mutants: with four inputs, those of seeds 1, 2 and 3.
    assert by_mutant(compared[0], first["random", 2, 4]) == pytest.approx([0, 0.3, 0])
    drawn = at(compared, [inputs(4)])
    assert by_mutant(compared[0], drawn["korat", 2, 4]) == pytest.approx([4 / 20, 0, 0])
    assert by_mutant(compared[0], drawn["random", 2, 4]) == pytest.approx([0, 4 / 30, 0])


def test_a_filter_leaves_suites_of_other_generators_out_of_the_comparison(tmp_path):
    folder = write_run(tmp_path)
    assert {name for at_scope in comparable_suites(folder) for name in at_scope.suites} > {"random"}
    chosen = comparable_suites(folder, chosen=TrialFilter((), ("random",)))
    assert {name for at_scope in chosen for name in at_scope.suites} == {"random"}
    assert comparable_suites(folder, chosen=TrialFilter(("another",))) == []


def test_suites_are_counted_by_their_digests_and_not_by_their_seeds(tmp_path):
    with RunStore.open(tmp_path) as store:
        for seed in range(6):
            store_matrix(store, 20, {FIRST: [0]}, generator="korat", seed=seed, suite_digest="the same")
    (subject,) = comparable_suites(tmp_path)
    assert len(subject.suites["korat"]) == 1


def test_first_kills_tell_of_the_beginnings_of_suites_what_matrices_tell(compared, tmp_path):
    first_kills = comparable_suites(write_run(tmp_path / "first", ExecutionMode.FIRST_KILL))
    budgets = [inputs(number) for number in (1, 4, 20, 30)]
    for (key, one), other in zip(
        at(first_kills, budgets, Rule.FIRST).items(), at(compared, budgets, Rule.FIRST).values(), strict=True
    ):
        if isinstance(one, SubSuites):
            assert (one.chances() == other.chances()).all(), key
    assert at(first_kills, budgets)["random", 2, 4] == FIRST_KILLS
    assert killed(at(first_kills)["random", 2, None]) == Fraction(1, 3)


def test_where_there_are_first_kills_alone_only_first_inputs_are_compared(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {FIRST: [3]}, ExecutionMode.FIRST_KILL, generator="korat", suite_digest="k")
    with pytest.raises(StoreError, match='say mode = "matrix"'):
        api.compare(tmp_path)
    only = comparable_suites(tmp_path, needs_matrix=False)
    found = at(only, [inputs(3), inputs(4)], Rule.FIRST)
    assert [by_mutant(only[0], found["korat", 2, size])[0] for size in (3, 4)] == [0, 1]


def test_first_kills_alone_are_not_looked_at_where_inputs_are_drawn(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {FIRST: [3]}, suite_digest="k")
        for scope, source in ((3, "5" * 64), (3, "6" * 64)):
            changed = {"scope": scope, "source_hash": source, "suite_digest": source}
            store_matrix(store, 20, {}, ExecutionMode.FIRST_KILL, generator="random", **changed)
    assert [one.scope for one in comparable_suites(tmp_path)] == [2]


def test_generators_are_compared_at_each_scope_and_whole_suites_stand_there(compared):
    found = at(compared, [inputs(20), inputs(21)])
    assert [(one.scope, sorted(one.suites)) for one in compared] == [(2, ["beapi", "korat", "random"]), (3, ["korat"])]
    assert killed(found["korat", 2, 20]) == killed(found["korat", 3, 20]) == Fraction(1, 3)
    assert found["korat", 2, 21] == found["beapi", 2, 21] == TOO_SMALL
    assert found["korat", 3, 21].inputs == 21
    found = at(compared)
    assert [found["korat", scope, None].inputs for scope in (2, 3)] == [20, 40]
    assert found["random", 2, None].inputs == 30
    assert killed(found["beapi", 2, None]) == Fraction(2, 3)


CALLS = {"korat": [1] * 20, "beapi": [2, 4] * 10, "random": list(range(1, 31))}


@pytest.mark.parametrize(
    ("rule", "limit", "expected"),
    [
        # 20 calls are 20 states, the first 7 of 2 + 4 + 2 + ... calls, and the first 5 of 1 + 2 + 3 + ... calls.
        (Rule.FIRST, 20, {"korat": (20, 20), "beapi": (7, 20), "random": (5, 15)}),
        # Of 20 sequences of 3 calls on average, 6 have 18.
        (Rule.DRAWN, 20, {"korat": (20, 20), "beapi": (6, 18), "random": (1, 15.5)}),
        (Rule.FIRST, 1, {"korat": (1, 1), "beapi": TOO_LONG, "random": (1, 1)}),
        (Rule.DRAWN, 2, {"korat": (2, 2), "beapi": TOO_LONG, "random": TOO_LONG}),
        (Rule.DRAWN, 30, {"korat": TOO_SMALL, "beapi": (10, 30), "random": (1, 15.5)}),
    ],
)
def test_at_equal_calls_longer_inputs_are_fewer_and_what_exceeds_the_budget_says_so(compared, rule, limit, expected):
    counted = [compared[0].with_each(lambda one: replace(one, calls=np.array(CALLS[one.trial.generator])))]
    found = at(counted, [Budget(Basis.CALLS, Fraction(limit))], rule)
    for name, (size, calls) in ((name, of) for name, of in expected.items() if not isinstance(of, str)):
        assert (found[name, 2, limit].inputs, found[name, 2, limit].calls) == (size, pytest.approx(calls))
    told = {name: found[name, 2, limit] for name, of in expected.items() if isinstance(of, str)}
    assert told == {name: of for name, of in expected.items() if isinstance(of, str)}


def test_at_equal_seconds_a_suite_is_drawn_from_only_after_its_generation(compared):
    def timed(one):
        is_timed = one.trial.generator != "beapi"
        return replace(one, making=Fraction(1), running=Fraction(1)) if is_timed else one

    budgets = [Budget(Basis.SECONDS, limit) for limit in (Fraction(1, 2), Fraction(3, 2), Fraction(5))]
    found = at([compared[0].with_each(timed)], budgets)
    # One second for the suite, half of the other for running.
    assert [found["korat", 2, Fraction(at, 2)].inputs for at in (3, 10)] == [10, 20]
    assert found["korat", 2, Fraction(1, 2)] == TOO_SMALL
    assert found["beapi", 2, 5] == UNTIMED


def test_the_price_of_first_inputs_does_not_depend_on_how_many_were_asked_for(compared):
    seconds = [Fraction(1), Fraction(2), Fraction(4)]
    asked = {
        inputs: compared[1].with_each(
            lambda one, inputs=inputs: replace(
                one,
                trial=replace(one.trial, inputs=inputs),
                making=Fraction(inputs, 8),
                running=Fraction(1),
                blocks=tuple(seconds[: inputs // 32]),
            )
        )
        for inputs in (40, 100)
    }
    prices = [Budget(Basis.SECONDS, limit) for limit in (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(100))]
    asked["not measured"] = asked[100].with_each(lambda one: replace(one, blocks=()))
    sizes = {}
    for name, one in asked.items():
        cuts = [sub_suites(one.suites["korat"], budget, Rule.FIRST) for budget in prices]
        sizes[name] = [cut if isinstance(cut, str) else cut.inputs for cut in cuts]
    assert sizes == {
        40: [TOO_SMALL, 32, 32, 40], 100: [TOO_SMALL, 32, 64, 100], "not measured": [UNTIMED, UNTIMED, UNTIMED, 100],
    }  # fmt: skip


def test_each_point_of_a_curve_has_the_worth_and_the_cost_of_a_row(compared):
    timed = [
        one.with_each(
            lambda one: replace(
                one, making=Fraction(1), running=Fraction(2), calls=np.full(one.trial.inputs, 3, dtype=np.int64)
            )
        )
        for one in compared
    ]
    for rule in Rule:
        drawn = list(curves(timed, rule))
        assert [(curve.scope, curve.generator) for curve in drawn] == [
            (2, "beapi"), (2, "korat"), (2, "random"), (3, "korat"),
        ]  # fmt: skip
        for curve in drawn:
            for point in curve.points:
                key = curve.generator, curve.scope
                assert point.killed.expected == killed(at(timed, [inputs(point.size)], rule)[*key, point.size])
                if rule is Rule.DRAWN:
                    seconds = Budget(Basis.SECONDS, Fraction(point.budgets[Basis.SECONDS]).limit_denominator(10_000))
                    assert at(timed, [seconds], rule)[*key, seconds.limit].inputs == point.size
                else:
                    in_full_block = curve.points[-1].size > 32 >= point.size  # whose seconds were not measured
                    assert point.budgets.get(Basis.SECONDS) == (None if in_full_block else 3)
                assert (point.budgets[Basis.CALLS], point.branches) == (3 * point.size, None)


def test_sizes_rise_by_steps_of_about_two_and_end_with_the_whole_suite():
    assert sizes_of(1) == [1]
    assert sizes_of(20) == [1, 2, 5, 10, 20]
    assert sizes_of(396) == [1, 2, 5, 10, 20, 50, 100, 200, 396]


def test_what_is_proven_equivalent_does_not_count_where_the_policy_says_so(tmp_path):
    proven = {"tree": frozenset([THIRD])}
    folder = write_run(tmp_path)
    without, every = (comparable_suites(folder, policy, proven) for policy in reversed(ScorePolicy))
    worth = at(without)["random", 2, None].worth(kills_of, without[0].counted())
    assert (worth.expected, without[0].counted().sum()) == (Fraction(1, 2), 2)
    assert at(every)["beapi", 2, None].worth(kills_of, every[0].counted()).expected == Fraction(2, 3)


def test_suites_that_were_run_on_other_mutants_are_not_compared(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, suite_digest="one")
        store_matrix(store, 20, {}, generator="beapi", source_hash="6" * 64, suite_digest="two")
    with pytest.raises(StoreError, match="different sources or mutants"):
        comparable_suites(tmp_path)


SEVERAL = [
    ("operator_set", ("ferastrau", "mujava"), r"operator sets \(ferastrau, mujava\).*--operators"),
    ("observed", (Observation.END, Observation.EVERY_CALL), "policies of observation .*--observe"),
    ("concrete", (False, True), "comparisons of states .*--concrete"),
]


@pytest.mark.parametrize(("name", "values", "refusal"), SEVERAL)
@pytest.mark.parametrize("generators", [("beapi", "rostra"), ("beapi", "beapi")])
def test_suites_that_were_run_under_several_conditions_are_not_compared(tmp_path, name, values, refusal, generators):
    with RunStore.open(tmp_path) as store:
        for generator, value in zip(generators, values, strict=True):
            store_matrix(store, 20, {}, generator=generator, suite_digest=generator, **{name: value})
    with pytest.raises(StoreError, match=f"^[^\n]* under several .*{refusal}[^\n]* into a folder of its own$"):
        comparable_suites(tmp_path)


def test_inputs_that_are_no_sequences_are_compared_with_sequences_of_one_policy(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, suite_digest="states")
        store_matrix(store, 20, {}, generator="beapi", sequences=ON_MUTANT, suite_digest="sequences")
    (subject,) = comparable_suites(tmp_path)
    assert list(subject.suites) == ["beapi", "korat"]


def test_the_suites_of_another_oracle_are_compared_where_they_are_asked_for(tmp_path):
    write_run(tmp_path)
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, scope=2, suite_digest="k2", oracle=OracleName.PUBLIC)
    (subject,) = comparable_suites(tmp_path, oracle=OracleName.PUBLIC)
    assert not at([subject])["korat", 2, None].chances().any()
    assert at(comparable_suites(tmp_path))["korat", 2, None].chances().any()
    with pytest.raises(StoreError, match="no trial under the oracle postcondition"):
        api.compare(tmp_path, oracle="postcondition")
