"""Experiment files: read as they stand, refused where they are wrong."""

from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.model.experiment import Approach, ExecutionMode, Trial
from harness.model.outcome import OracleName
from harness.model.sequence import Observation
from harness.resources import experiment_files
from harness.runner.experiment import load_experiment


def write(folder: Path, text: str) -> str:
    path = folder / "mine.toml"
    path.write_text(text)
    return str(path)


def test_every_scope_of_every_table_is_a_trial(tmp_path):
    experiment = load_experiment(
        write(
            tmp_path,
            'mode = "matrix"\napproach = "metamutant"\nseed = 7\n'
            '[[trials]]\nsubject = "heapq"\nscopes = [1, 2]\n'
            '[[trials]]\nsubject = "av_tree"\ngenerator = "brute-force"\nscopes = [3]\nseed = 1\n',
        )
    )
    assert experiment.name == "mine"
    assert (experiment.mode, experiment.approach) == (ExecutionMode.MATRIX, Approach.METAMUTANT)
    assert experiment.trials == (
        Trial("heapq", "korat", 1, 7),
        Trial("heapq", "korat", 2, 7),
        Trial("av_tree", "brute-force", 3, 1),
    )
    assert {experiment.mode_of(trial) for trial in experiment.trials} == {ExecutionMode.MATRIX}


def test_scopes_at_which_a_generator_is_alone_are_named_unless_a_paper_chose_them(tmp_path, capsys):
    alone = '[[trials]]\nsubject = "heapq"\nscopes = [1, 2]\n[[trials]]\nsubject = "av_tree"\nscopes = [3]\n'
    both = alone + '[[trials]]\nsubject = "heapq"\ngenerator = "beapi"\nscopes = [2, 3]\n'
    for text in (alone, f'paper = "exhaustive2003"\n{both}'):
        load_experiment(write(tmp_path, text))
        assert capsys.readouterr().err == ""
    load_experiment(write(tmp_path, both))
    assert "alone: heapq at scope 1 (korat), heapq at scope 3 (beapi); give" in capsys.readouterr().err


def test_no_experiment_that_ships_has_a_generator_alone(capsys):
    for name in experiment_files():
        load_experiment(name)
    assert capsys.readouterr().err == ""


def test_a_table_of_trials_may_have_a_mode_and_oracles_of_its_own_and_go_without_coverage(tmp_path):
    own = 'mode = "matrix"\noracles = ["postcondition"]\ncoverage = false\n'
    experiment = load_experiment(
        write(
            tmp_path,
            'oracles = ["differential", "postcondition"]\n'
            '[[trials]]\nsubject = "heapq"\nscopes = [1]\n'
            f'[[trials]]\nsubject = "heapq"\nscopes = [2, 3]\n{own}',
        )
    )
    first, *others = experiment.trials
    assert experiment.mode_of(first) is ExecutionMode.FIRST_KILL
    assert experiment.oracles_of(first) == (OracleName.DIFFERENTIAL, OracleName.POSTCONDITION)
    assert {experiment.mode_of(trial) for trial in others} == {ExecutionMode.MATRIX}
    assert {experiment.oracles_of(trial) for trial in others} == {(OracleName.POSTCONDITION,)}
    assert experiment.without_coverage == {*others}


def test_an_experiment_names_its_oracles(tmp_path):
    table = '[[trials]]\nsubject = "heapq"\nscopes = [1]\n'
    assert load_experiment(write(tmp_path, table)).oracles == (OracleName.DIFFERENTIAL,)
    both = load_experiment(write(tmp_path, f'oracles = ["postcondition", "differential"]\n{table}'))
    assert both.oracles == (OracleName.DIFFERENTIAL, OracleName.POSTCONDITION)


def test_a_table_of_trials_may_have_several_seeds(tmp_path):
    table = '[[trials]]\nsubject = "heapq"\ngenerator = "random"\nscopes = [2, 3]\nseeds = [1, 5]\n'
    trials = load_experiment(write(tmp_path, table)).trials
    assert trials == tuple(Trial("heapq", "random", scope, seed) for scope in (2, 3) for seed in (1, 5))


@pytest.mark.parametrize(
    ("top", "observed", "operators"),
    [
        ("", Observation.END, "ferastrau"),
        ('observe = "every-call"', Observation.EVERY_CALL, "ferastrau"),
        ('operators = "extended"', Observation.END, "extended"),
    ],
)
def test_an_experiment_names_what_is_observed_and_its_operator_set(top, observed, operators, tmp_path):
    experiment = load_experiment(write(tmp_path, f'{top}\n[[trials]]\nsubject = "heapq"\nscopes = [1]\n'))
    assert (experiment.observed, experiment.operators) == (observed, operators)


ORACLES = "oracles is one of differential, postcondition, public, observers, not "


@pytest.mark.parametrize(
    ("top", "own", "message"),
    [
        ("", 'oracles = ["neither"]', f"number 1: {ORACLES}'neither'"),
        ('oracles = ["assertion"]', "", f"{ORACLES}'assertion'"),
        ("oracles = []", "", "oracles is a list such as"),
        ('oracles = "differential"', "", "oracles is a list such as"),
        ("", "coverage = 0", "coverage is true or false, not 0"),
        *(("", wrong, "number 1") for wrong in ("seeds = [1]\nseed = 2", 'seeds = ["a"]')),
    ],
)
def test_a_field_with_a_value_of_another_kind_is_refused(top, own, message, tmp_path):
    with pytest.raises(UsageError) as refused:
        load_experiment(write(tmp_path, f'{top}\n[[trials]]\nsubject = "heapq"\nscopes = [1]\n{own}\n'))
    assert message in str(refused.value)


def test_a_file_that_is_not_there_is_refused_with_one_that_is_like_it(tmp_path):
    (tmp_path / "trees.toml").touch()
    with pytest.raises(UsageError) as refusal:
        load_experiment(f"{tmp_path}/tree.toml")
    assert str(refusal.value) == f"{tmp_path}/tree.toml: no such file; did you mean '{tmp_path}/trees.toml'?"
    with pytest.raises(UsageError) as refusal:
        load_experiment(f"{tmp_path}/nothing.toml")
    assert str(refusal.value) == f"{tmp_path}/nothing.toml: no such file; 'mutascope init' writes one"
