"""The naive path of `verify` agrees on postconditions, on containers as installed, and on what mutants leave."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import NAMES, loaded
from support.sequence_suites import suite_of
from support.sequence_trials import confirmed, prepared, ran

from harness import api
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.resources import subject_folders

PROMISING = [name for name, folder in subject_folders().items() if "\ndef post_" in (folder / "spec.py").read_text()]


@pytest.mark.slow
@pytest.mark.parametrize("name", PROMISING)
def test_both_paths_judge_postconditions_alike(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    experiment = api.subject_experiment(name, "korat", [1], oracles=["postcondition"])
    verification = api.verify(api.run(experiment, tmp_path / "run", jobs=1), sample=20, jobs=1)
    assert verification.checked
    assert verification.holds, verification


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ordered_dict", "priority_queue", "sorted_dict"])
def test_verdicts_of_states_with_proxies_locks_and_bound_methods_are_confirmed(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    suite = suite_of(tmp_path / "suite", "beapi", f"containers/{name}", 1)
    trial = prepared(f"containers/{name}", tmp_path, 1, most=6, suite=suite)
    ran(trial, tmp_path / "run")
    assert confirmed(trial, tmp_path / "run")


FIELDS = ("field_sorted_list", "field_search_tree", "field_tree_set", "field_binomial_heap")
"""The subjects of field_exhaustive2016."""


@pytest.mark.parametrize("name", [*NAMES, *FIELDS])
def test_rep_ok_ends_with_a_verdict_on_any_object_graph(name):
    subject = loaded(name)
    space = StateSpace(subject.spec.finitization(6))
    decoder = Decoder(space, subject.module)

    @settings(max_examples=200, derandomize=True, deadline=None)
    @given(st.tuples(*(st.integers(0, len(field.domain) - 1) for field in space.fields)))
    def check(vector):
        assert subject.spec.rep_ok(decoder.decode(vector).root) in (True, False)

    check()
