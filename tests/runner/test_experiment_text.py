"""Experiments that are written as TOML are read as the same experiments."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness import api
from harness.command_line import answers
from harness.command_line.main import main
from harness.command_line.parser import parse
from harness.errors import UsageError
from harness.model.experiment import Experiment
from harness.resources import shipped

LINES = {
    "several subjects and generators": "--subject search_tree heap_array --generator korat random:50 mine.py:draw "
    "--scope 1-4 --seeds 10",
    "a suite of calls": '--subject search_tree --suite ca"ses.jsonl --scope 2 --seed -7',
    "each setting": "--subject search_tree --generator beapi --scope 3 --matrix --metamutants --concrete "
    "--operators mujava --observe every-call --oracles public differential",
    "a module": "--target till --tests tests/test_till.py tests/more --flaky exclude --runs 5 --block json --seed 3",
}


def comparable(experiment: Experiment) -> Experiment:
    """Return the experiment without its name, with its trials in order and the folders of its suites in full."""
    suites = tuple(replace(suite, folder=str(Path(suite.folder).resolve())) for suite in experiment.suites)
    trials = sorted(experiment.trials, key=lambda one: (one.subject, one.generator, one.scope, one.seed))
    return replace(experiment, name="", trials=tuple(trials), suites=suites)


@pytest.mark.parametrize("words", LINES.values(), ids=LINES)
def test_the_file_that_init_writes_is_the_experiment_of_the_same_options_of_run(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def draw(subject, scope, seed):\n    yield []\n")
    (tmp_path / 'ca"ses.jsonl').write_text('[["SearchTree"]]\n')
    (tmp_path / "plans").mkdir()
    for path in ("here.toml", "plans/there.toml"):
        assert main(["init", path, *words.split()]) == 0
    of_options = comparable(answers._experiment(parse(["run", *words.split()])[1]))
    for path in ("here.toml", "plans/there.toml"):
        assert comparable(api.experiment(path)) == of_options


@pytest.mark.parametrize("path", sorted(shipped("experiments").glob("*.toml")), ids=lambda path: path.stem)
def test_an_experiment_that_ships_is_the_same_after_it_was_written(path, tmp_path):
    experiment = api.experiment(str(path))
    written = api.write_experiment(experiment, tmp_path / "again.toml")
    assert comparable(api.experiment(str(written))) == comparable(experiment)


def test_a_file_that_exists_is_not_written_again(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("# my notes\n")
    with pytest.raises(UsageError, match=r"mine\.toml exists; give another name, or remove it"):
        api.write_experiment(api.subject_experiment("search_tree", "korat", [1]), path)
    assert path.read_text() == "# my notes\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mine", "mine: an experiment is a .toml file; give it a name such as mine.toml"),
        ("nowhere/mine.toml", "nowhere/mine.toml: No such file or directory; give another name"),
        ("mi\0ne.toml", "embedded null"),
    ],
)
def test_a_file_that_cannot_be_written_is_named_in_one_line(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=message):
        api.write_experiment(api.subject_experiment("search_tree", "korat", [1]), name)
    assert list(tmp_path.iterdir()) == []
