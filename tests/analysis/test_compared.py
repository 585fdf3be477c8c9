"""Sub-suites of several generators, scored by indexing, agree with counts made by hand."""

from fractions import Fraction

import pytest
from compared_samples import FIRST, SECOND, THIRD, store_matrix, write_run
from store_samples import MUTANTS, trial

from harness.analysis.compared import SELECTIONS, kills_by_generator, load_compared, points, sub_suites
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.score import ScorePolicy
from harness.model.sequence import SequencePolicy
from harness.runner.selections import random_selection
from harness.store import RunStore


@pytest.fixture
def compared(tmp_path):
    return load_compared(write_run(tmp_path))


def by_name(found):
    return {(point.generator, point.size): point for point in found}


def test_a_generator_with_seeds_is_taken_from_the_beginning_of_each_suite(compared):
    at = by_name(points(compared, (4, 30)))["random", 4]
    # Input `seed` kills one of three mutants: with four inputs, those of seeds 1, 2 and 3.
    assert at.killed == (Fraction(1, 3),) * 3 + (Fraction(0),) * 7
    assert at.seeded
    assert by_name(points(compared, (30,)))["random", 30].killed == (Fraction(1, 3),) * 10


def test_first_kills_tell_of_the_beginnings_of_suites_what_matrices_tell(compared, tmp_path):
    first_kills = load_compared(write_run(tmp_path / "first", ExecutionMode.FIRST_KILL))
    assert points(first_kills, (1, 4, 20, 30)) == points(compared, (1, 4, 20, 30))
    assert kills_by_generator(first_kills[0]) == kills_by_generator(compared[0])


def test_first_kills_of_a_generator_without_seeds_are_left_out(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {FIRST: [0]}, generator="korat", suite_digest="k")
        store_matrix(store, 20, {FIRST: [0]}, ExecutionMode.FIRST_KILL, generator="beapi", suite_digest="b")
    assert list(load_compared(tmp_path)[0].suites) == ["korat"]


def test_another_generator_is_selected_from_at_random(compared):
    at = by_name(points(compared, (5,)))["korat", 5]
    chosen = [random_selection(20, 5, seed) for seed in SELECTIONS]
    assert at.killed == tuple(Fraction(int(mask[0]), 3) for mask in chosen)
    assert {Fraction(0), Fraction(1, 3)} == set(at.killed)
    assert not at.seeded


def test_of_several_scopes_the_smallest_one_with_so_many_inputs_serves(compared):
    found = by_name(points(compared, (20, 21, 41)))
    assert found["korat", 20].scope == 2
    assert found["korat", 21].scope == 3
    assert set(found["korat", 21].killed) == {Fraction(1, 3)}
    assert ("korat", 41) not in found
    assert ("beapi", 21) not in found
    assert all(int(sub.mask.sum()) == 21 for sub in sub_suites(compared[0].suites["korat"], 21))


def test_whole_suites_are_those_of_the_largest_scope(compared):
    found = by_name(points(compared, ()))
    assert (found["korat", None].inputs, found["korat", None].scope) == ((40,), 3)
    assert found["random", None].inputs == (30,) * 10
    assert found["beapi", None].killed == (Fraction(2, 3),)


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
    found = by_name(points(load_compared(folder, ScorePolicy.WITHOUT_PROVEN, proven), ()))
    assert found["random", None].killed == (Fraction(1, 2),) * 10
    assert by_name(points(load_compared(folder, ScorePolicy.ALL_VIABLE, proven), ()))["beapi", None].killed == (
        Fraction(2, 3),
    )


def test_branches_are_asked_for_of_the_very_same_sub_suites(compared):
    asked = []

    def branches(chosen):
        asked.append([(sub.suite.trial.generator, int(sub.mask.sum())) for sub in chosen])
        return [Fraction(1, 2)] * len(chosen)

    found = by_name(points(compared, (25,), branches))
    assert found["random", 25].branches == (Fraction(1, 2),) * 10
    assert asked[:2] == [[("korat", 25)] * 10, [("random", 25)] * 10]


def test_suites_that_were_run_on_other_mutants_are_not_compared(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, suite_digest="one")
        store_matrix(store, 20, {}, generator="beapi", source_hash="6" * 64, suite_digest="two")
    with pytest.raises(StoreError, match="different sources or mutants"):
        load_compared(tmp_path)


def test_sequences_that_were_run_under_several_policies_are_not_compared(tmp_path):
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {}, generator="beapi", sequences=SequencePolicy.ON_MUTANT, suite_digest="one")
        store_matrix(store, 20, {}, generator="rostra", sequences=SequencePolicy.SNAPSHOT, suite_digest="two")
    with pytest.raises(StoreError, match="under several policies"):
        load_compared(tmp_path)


def test_a_run_without_kill_matrices_is_told_what_to_do(tmp_path):
    with RunStore.open(tmp_path) as store:
        store.add_trial(trial(store.add_mutants(MUTANTS), mode=ExecutionMode.FIRST_KILL))
    with pytest.raises(StoreError, match='say mode = "matrix"'):
        load_compared(tmp_path)
