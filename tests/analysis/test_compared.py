"""Sub-suites of several generators, scored by indexing, agree with counts made by hand."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix, write_run
from support.store_samples import MUTANTS, trial

from harness.analysis.comparable_suites import comparable_suites, load_compared
from harness.analysis.compared import Basis, SelectionMode, kills_by_generator, points
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.model.sequence import Observation, SequencePolicy
from harness.model.trial_filter import TrialFilter
from harness.store import RunStore


@pytest.fixture
def compared(tmp_path):
    return load_compared(write_run(tmp_path))


def by_name(points):
    return {(point.generator, point.scope, point.limit): point for point in points}


def test_a_generator_that_declares_random_prefixes_is_taken_from_the_beginning_of_each_suite(compared):
    at = by_name(points(compared, (4, 30)))["random", 2, 4]
    # Input `seed` kills one of three mutants: with four inputs, those of seeds 1, 2 and 3.
    assert at.killed == (Fraction(1, 3),) * 3 + (Fraction(0),) * 7
    assert set(at.selections) == {SelectionMode.PREFIX}
    assert by_name(points(compared, (30,)))["random", 2, 30].killed == (Fraction(1, 3),) * 10


def test_a_filter_leaves_suites_of_other_generators_out_of_the_comparison(tmp_path):
    folder = write_run(tmp_path)
    assert {name for at_scope in comparable_suites(folder) for name in at_scope.suites} > {"random"}
    chosen = comparable_suites(folder, chosen=TrialFilter((), ("random",)))
    assert {name for at_scope in chosen for name in at_scope.suites} == {"random"}
    assert comparable_suites(folder, chosen=TrialFilter(("another",))) == []


def test_any_other_generator_is_drawn_from_however_many_seeds_it_has(tmp_path):
    kills = {FIRST: [17, 18, 19], SECOND: [19]}
    with RunStore.open(tmp_path) as store:
        for seed in (1, 2):
            store_matrix(store, 20, kills, generator="hypothesis:60", seed=seed, suite_digest=f"h{seed}")
    (at,) = (point for point in points(load_compared(tmp_path), (5,)) if point.limit)
    draws = [set(draw) for draw in combinations(range(20), 5)]
    killed = sum(bool(draw & set(killers)) for draw in draws for killers in kills.values())
    assert at.killed == (Fraction(killed, 3 * len(draws)),) * 2
    assert set(at.selections) == {SelectionMode.DRAWN}


def test_suites_are_counted_by_their_digests_and_not_by_their_seeds(tmp_path):
    with RunStore.open(tmp_path) as store:
        for seed in range(6):
            store_matrix(store, 20, {FIRST: [0]}, generator="korat", seed=seed, suite_digest="the same")
    (subject,) = load_compared(tmp_path)
    assert len(subject.suites["korat"]) == 1
    (at,) = (point for point in points([subject], (5,)) if point.limit)
    assert at.killed == (Fraction(5, 20) / 3,)


def test_first_kills_tell_of_the_beginnings_of_suites_what_matrices_tell(compared, tmp_path):
    first_kills = load_compared(write_run(tmp_path / "first", ExecutionMode.FIRST_KILL))
    assert points(first_kills, (1, 4, 20, 30)) == points(compared, (1, 4, 20, 30))
    assert kills_by_generator(first_kills[0]) == kills_by_generator(compared[0])


def test_first_kills_of_a_generator_without_random_prefixes_are_left_out(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {FIRST: [0]}, generator="korat", suite_digest="k")
        for seed in (1, 2):
            store_matrix(
                store, 20, {FIRST: [0]}, ExecutionMode.FIRST_KILL,
                generator="hypothesis", seed=seed, suite_digest=f"h{seed}",
            )  # fmt: skip
    assert list(load_compared(tmp_path)[0].suites) == ["korat"]


def test_generators_are_compared_at_each_scope_by_itself(compared):
    point_at = by_name(points(compared, (20, 21)))
    assert [(one.scope, sorted(one.suites)) for one in compared] == [(2, ["beapi", "korat", "random"]), (3, ["korat"])]
    assert point_at["korat", 2, 20].killed == (Fraction(1, 3),)
    assert point_at["korat", 3, 20].killed == (Fraction(1, 3),)
    assert ("korat", 2, 21) not in point_at
    assert ("beapi", 2, 21) not in point_at
    assert point_at["korat", 3, 21].inputs == (21,)


def test_whole_suites_stand_at_each_scope(compared):
    point_at = by_name(points(compared, ()))
    assert [point_at["korat", scope, None].inputs for scope in (2, 3)] == [(20,), (40,)]
    assert point_at["random", 2, None].inputs == (30,) * 10
    assert point_at["beapi", 2, None].killed == (Fraction(2, 3),)


def test_at_equal_calls_longer_inputs_are_fewer(compared):
    calls = {"korat": [1] * 20, "beapi": [2, 4] * 10, "random": list(range(1, 31))}
    at_scope = compared[:1]
    point_at = by_name(points(at_scope, (20,), basis=Basis.CALLS, calls=lambda s: np.array(calls[s.trial.generator])))
    inputs = {name: point_at[name, 2, 20].inputs[0] for name in calls}
    # 20 calls are 20 states, 6 of 20 drawn sequences of 3 calls on average, and the first 5 of 1 + 2 + 3 + ... calls.
    assert inputs == {"korat": 20, "beapi": 6, "random": 5}
    assert point_at["beapi", 2, 20].killed == (Fraction(6, 20) * Fraction(2, 3),)


def test_at_equal_seconds_a_suite_is_drawn_from_only_after_its_generation(compared):
    (subject, _) = compared
    timed = {
        name: [replace(suite, making=Fraction(1), running=Fraction(1)) for suite in suites]
        for name, suites in subject.suites.items()
        if name != "beapi"
    } | {"beapi": subject.suites["beapi"]}
    point_at = by_name(
        points([replace(subject, suites=timed)], (Fraction(1, 2), Fraction(3, 2), 5), basis=Basis.SECONDS)
    )
    assert ("korat", 2, Fraction(1, 2)) not in point_at
    assert point_at["korat", 2, Fraction(3, 2)].inputs == (
        10,
    )  # one second for the suite, half of the other for running
    assert [point_at["random", 2, at].inputs[0] for at in (Fraction(1, 2), Fraction(3, 2), 5)] == [7, 22, 30]
    assert ("beapi", 2, 5) not in point_at  # its seconds were not measured


def test_a_generator_kills_what_at_least_half_of_its_suites_kill(tmp_path):
    with RunStore.open(tmp_path) as store:
        for seed in range(4):
            kills = {FIRST: [0]} if seed == 0 else {SECOND: [0]} if seed < 3 else {}
            store_matrix(store, 20, kills, generator="random", seed=seed, suite_digest=f"r{seed}")
    (subject,) = load_compared(tmp_path)
    kills = {kill.mutant.id: kill for kill in kills_by_generator(subject)}
    assert [kills[mutant].killed["random"] for mutant in (FIRST, SECOND, THIRD)] == [(1, 4), (2, 4), (0, 4)]
    assert [kills[mutant].is_killed_by("random") for mutant in (FIRST, SECOND, THIRD)] == [False, True, False]
    assert [kills[mutant].is_killed_by_any("random") for mutant in (FIRST, SECOND, THIRD)] == [True, True, False]


def test_it_is_told_which_generator_kills_which_mutant_and_how_often(compared):
    kills = {kill.mutant.id: kill for kill in kills_by_generator(compared[0])}
    assert list(kills) == [SECOND, FIRST, THIRD]  # by line
    assert kills[FIRST].killed == {"korat": (1, 1), "random": (0, 10), "beapi": (1, 1)}
    assert kills[SECOND].killed == {"korat": (0, 1), "random": (10, 10), "beapi": (0, 1)}
    assert kills[THIRD].is_killed_by("beapi")
    assert not kills[THIRD].is_killed_by("korat")


def test_what_is_proven_equivalent_does_not_count_where_the_policy_says_so(tmp_path):
    proven = {"tree": frozenset([THIRD])}
    folder = write_run(tmp_path)
    point_at = by_name(points(load_compared(folder, ScorePolicy.WITHOUT_PROVEN, proven), ()))
    assert point_at["random", 2, None].killed == (Fraction(1, 2),) * 10
    assert by_name(points(load_compared(folder, ScorePolicy.ALL_VIABLE, proven), ()))["beapi", 2, None].killed == (
        Fraction(2, 3),
    )


def test_branches_are_asked_for_of_the_very_same_sub_suites(compared):
    requested_parts = []

    def branches(chosen):
        requested_parts.append([(part.suite.trial.generator, part.size) for part in chosen])
        return [Fraction(1, 2)] * len(chosen)

    point_at = by_name(points(compared, (25,), branches))
    assert point_at["random", 2, 25].branches == (Fraction(1, 2),) * 10
    assert requested_parts[0] == [("random", 25)] * 10


def test_suites_that_were_run_on_other_mutants_are_not_compared(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, suite_digest="one")
        store_matrix(store, 20, {}, generator="beapi", source_hash="6" * 64, suite_digest="two")
    with pytest.raises(StoreError, match="different sources or mutants"):
        load_compared(tmp_path)


SEVERAL = [
    ("operator_set", ("ferastrau", "mujava"), r"operator sets \(ferastrau, mujava\).*--operators"),
    ("sequences", (SequencePolicy.ON_MUTANT, SequencePolicy.SNAPSHOT), r"sequences \(on-mutant, snapshot\)"),
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
        load_compared(tmp_path)


def test_inputs_that_are_no_sequences_are_compared_with_sequences_of_one_policy(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, suite_digest="states")
        store_matrix(store, 20, {}, generator="beapi", sequences=SequencePolicy.SNAPSHOT, suite_digest="sequences")
    (subject,) = load_compared(tmp_path)
    assert list(subject.suites) == ["beapi", "korat"]


def test_the_suites_of_another_oracle_are_compared_where_they_are_asked_for(tmp_path):
    write_run(tmp_path)
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, scope=2, suite_digest="k2", oracle=OracleName.PUBLIC)
    (subject,) = load_compared(tmp_path, oracle=OracleName.PUBLIC)
    assert not any(kill.is_killed_by_any("korat") for kill in kills_by_generator(subject))
    assert any(kill.is_killed_by_any("korat") for kill in kills_by_generator(load_compared(tmp_path)[0]))
    with pytest.raises(StoreError, match="no trial under the oracle postcondition"):
        load_compared(tmp_path, oracle=OracleName.POSTCONDITION)


def test_a_run_without_kill_matrices_is_told_what_to_do(tmp_path):
    with RunStore.open(tmp_path) as store:
        store.trials.add(trial(store.mutants.add(MUTANTS), mode=ExecutionMode.FIRST_KILL))
    with pytest.raises(StoreError, match='say mode = "matrix"'):
        load_compared(tmp_path)
