"""Shards divide the mutants of a trial, or of a pytest suite, without communicating."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.own_project import own_project
from support.shards import everything_of, merged_shards
from support.shop import shop

from harness import api
from harness.errors import UsageError
from harness.runner import shards
from harness.runner.shards import WHOLE, WHOLE_SHARE, Shard
from harness.store import RunStore

TRIAL = ("search_tree", "korat", "", 3, 0)
UNITS = st.dictionaries(st.text(max_size=3), st.text("abc", max_size=1), max_size=80)
COUNTS = st.integers(1, 70)


def single_units(count: int) -> dict[str, str]:
    return {f"ROR:{number}": f"ROR:{number}" for number in range(count)}


@given(UNITS, COUNTS, st.integers(0, 9))
def test_each_mutant_is_in_exactly_one_shard(units, count, seed):
    shares = [Shard(number, count).share((*TRIAL[:4], seed), units) for number in range(1, count + 1)]
    assert sorted(mutant for share in shares for mutant in share.mutants or ()) == sorted(units)
    assert sum(share.is_first for share in shares) == 1


@given(UNITS, COUNTS)
def test_a_unit_is_not_divided(units, count):
    shares = [Shard(number, count).share(TRIAL, units) for number in range(1, count + 1)]
    for unit in units.values():
        members = {mutant for mutant, its_unit in units.items() if its_unit == unit}
        assert [share.mutants & members for share in shares if share.mutants and share.mutants & members] == [members]


@given(UNITS, COUNTS)
def test_shares_do_not_depend_on_the_order_of_the_mutants(units, count):
    turned = dict(reversed(units.items()))
    for number in range(1, count + 1):
        assert Shard(number, count).share(TRIAL, units) == Shard(number, count).share(TRIAL, turned)


def test_a_trial_is_spread_over_shards_that_have_sixteen_mutants_of_it_each():
    shares = [Shard(number, 64).share(TRIAL, single_units(200)) for number in range(1, 65)]
    sizes = sorted(len(share.mutants or ()) for share in shares)
    assert sizes == [0] * 52 + [16] * 4 + [17] * 8


def test_trials_begin_at_different_shards():
    firsts = {
        number
        for scope in range(1, 41)
        for number in range(1, 8)
        if Shard(number, 7).share((*TRIAL[:3], scope, 0), single_units(4)).is_first
    }
    assert firsts == set(range(1, 8))


def test_another_trial_divides_the_mutants_in_another_way(monkeypatch):
    monkeypatch.setattr(shards, "MUTANTS_EACH", 1)
    own = [Shard(1, 2).share((*TRIAL[:4], seed), single_units(40)).mutants for seed in range(4)]
    assert len(set(own)) == 4


def test_the_whole_has_every_mutant():
    assert WHOLE.share(TRIAL, single_units(40)).mutants == frozenset(single_units(40))
    assert WHOLE_SHARE.has("ROR:1")
    assert not WHOLE_SHARE.is_empty


@pytest.mark.parametrize("text", ["", "1", "1/", "/2", "a/2", "1/2/3", "-1/2", "1.0/2", " 1/2", "0/0", "0/2", "3/2"])
def test_a_text_that_names_no_shard_is_refused(text):
    with pytest.raises(UsageError, match="shard"):
        Shard.of_text(text)


def test_the_refusal_of_a_shard_names_the_last_one():
    with pytest.raises(UsageError, match=r"no shard 3/2; shards are numbered from 1/2 to 2/2$"):
        Shard.of_text("3/2")


def test_a_shard_is_read_as_it_is_written():
    assert Shard.of_text("3/64") == Shard(3, 64)
    assert str(Shard(3, 64)) == "3/64"


@pytest.fixture
def few_are_spread(monkeypatch):
    monkeypatch.setattr(shards, "MUTANTS_EACH", 2)


@pytest.mark.slow
@pytest.mark.usefixtures("few_are_spread")
@pytest.mark.parametrize("matrix", [False, True])
def test_a_package_has_the_same_facts_in_shards(matrix, tmp_path):
    experiment = shop(tmp_path / "project", matrix=matrix)
    whole = api.run(experiment, tmp_path / "whole", jobs=1)
    merged = merged_shards(experiment, tmp_path / "parts", 3)
    assert merged.missing == ()
    assert everything_of(merged.folder) == everything_of(whole)
    judged = []
    for number in range(1, 4):
        with RunStore.open_existing(tmp_path / "parts" / f"{number}") as store:
            trials = [trial.key for trial in store.trials.all() if trial.subject == "shop.cart"]
            judged += [len(store.results.of(key)) for key in trials]
    assert len(judged) > 1
    assert all(judged)


@pytest.mark.slow
@pytest.mark.usefixtures("few_are_spread")
def test_mutants_of_import_time_are_judged_in_shards(tmp_path):
    project = own_project(tmp_path / "project")
    experiment = api.pytest_experiment("till.core", ["tests"], folder=project, flaky="exclude", operators="extended")
    whole = api.run(experiment, tmp_path / "whole", jobs=1)
    merged = merged_shards(experiment, tmp_path / "parts", 7)
    assert everything_of(merged.folder) == everything_of(whole)
