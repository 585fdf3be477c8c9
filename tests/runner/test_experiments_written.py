"""Experiments of options and of files, written as TOML or as a job array, are read as the same experiments."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness import api, resources
from harness.command_line import answers
from harness.command_line.main import main
from harness.command_line.parser import parse
from harness.errors import UsageError
from harness.generators.registry import BUILT_IN, SEEDLESS
from harness.model.experiment import Experiment, Trial
from harness.model.pytest_suite import Flaky, PytestSuite
from harness.resources import shipped
from harness.runner.experiment import load_experiment
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

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


def test_the_script_says_where_the_environment_is_activated():
    *_, remark, command, folders = api.slurm_script("demo", 3).splitlines()
    assert remark == "# Activate the environment that has mutascope here."
    assert command.startswith("mutascope shard demo ")
    assert folders.startswith("    --out ")


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def test_a_suite_is_seen_from_the_folder_of_the_file(tmp_path):
    text = (
        'mode = "matrix"\nseed = 4\n[[suites]]\ntarget = "till.core"\ntests = ["tests"]\nfolder = "own"\n'
        'flaky = "exclude"\nruns = 5\nblock = ["_heapq"]\n'
    )
    experiment = load_experiment(written(tmp_path, text))
    assert experiment.trials == ()
    assert experiment.suites == (
        PytestSuite("till.core", ("tests",), str(tmp_path / "own"), Flaky.EXCLUDE, 4, 5, ("_heapq",)),
    )
    assert PytestSuite.of_json(experiment.suites[0].to_json()) == experiment.suites[0]


def test_a_suite_has_the_name_of_its_table_or_is_called_what_pytest_is_called_with(tmp_path):
    text = "".join(
        f'[[suites]]\ntarget = "till.core"\n{rest}\n'
        for rest in ('tests = ["a", "b"]', 'tests = ["a"]\nname = "unit"', 'tests = ["a"]\nname = "unit"\nseed = 1')
    )
    assert [suite.name for suite in load_experiment(written(tmp_path, text)).suites] == ["a b", "unit", "unit"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('target = "a"\ntests = ["a"]\nruns = 0\n', "runs is a whole number from 1 to 1000, not 0"),
        ('target = "a"\ntests = ["a"]\nruns = 1000000000\n', "runs is a whole number from 1 to 1000, not 1000000000"),
        ('target = "a"\ntests = "a"\n', r"tests is a list of texts, not 'a'; write \['a'\]"),
        ('target = "a"\ntests = ["a"]\nblock = "_a"\n', r"block is a list of texts, not '_a'; write \['_a'\]"),
        (
            'target = "a"\ntests = ["a"]\n[[suites]]\ntarget = "a"\ntests = ["a"]\nruns = 5\n',
            r"\[\[suites\]\] number 2 has the target, seed and name of number 1 \('a'\); give it a name of its own",
        ),
    ],
)
def test_a_suite_that_is_written_wrongly_is_told_in_one_line(tmp_path, table, message):
    with pytest.raises(UsageError, match=message):
        load_experiment(written(tmp_path, f"[[suites]]\n{table}"))


def test_modules_to_block_are_given_as_a_list():
    with pytest.raises(UsageError, match=r"blocked is a list of names of modules, not '_heapq'; write \['_heapq'\]"):
        api.pytest_experiment("till.core", ["tests"], blocked="_heapq")
