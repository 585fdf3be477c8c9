"""Experiments that are made from the options of a command, without a file."""

import pytest

from harness import api, resources
from harness.generators.registry import BUILT_IN, SEEDLESS
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite


def test_each_subject_is_run_with_each_generator_at_each_scope_once():
    experiment = api.subject_experiment(["search_tree", "heap_array"] * 2, ["korat", "beapi"] * 2, [1, 2])
    trials = {(trial.subject, trial.generator, trial.scope) for trial in experiment.trials}
    assert len(trials) == len(experiment.trials) == 8
    assert experiment.name == "search_tree-heap_array-korat-beapi"


def test_only_generators_that_draw_have_several_seeds():
    trials = api.subject_experiment("search_tree", ["korat", "random:50"], [1], seed=5, seeds=3).trials
    assert [(trial.generator, trial.seed) for trial in trials] == [
        ("korat", 5), ("random:50", 5), ("random:50", 6), ("random:50", 7),
    ]  # fmt: skip


def test_names_of_many_subjects_stay_short_and_differ():
    *subjects, one, another = resources.grouped_subjects()
    names = {api.subject_experiment([*subjects, last], "korat", [1]).name for last in (one, another)}
    assert len(names) == 2
    assert all(len(name) < 100 for name in names)


@pytest.mark.parametrize("generator", sorted(SEEDLESS))
def test_suites_of_generators_without_seeds_are_the_same_for_two_seeds(generator, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    assert generator in BUILT_IN
    subject = load_subject("list_as_set" if generator in ("korat-plus", "one-per-class") else "search_tree")
    suites = [ensure_suite(subject, Trial(subject.name, generator, 1, seed)) for seed in (0, 1)]
    assert suites[0].header.digest == suites[1].header.digest


def test_korat_makes_the_suites_where_neither_a_generator_nor_a_suite_is_named():
    assert [trial.generator for trial in api.subject_experiment("search_tree", (), [1]).trials] == ["korat"]
    of_file = api.subject_experiment("search_tree", (), [1], suites="cases.jsonl")
    assert [trial.generator for trial in of_file.trials] == ["cases.jsonl"]
