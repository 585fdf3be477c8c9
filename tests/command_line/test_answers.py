"""A command calls a function of the API with the values of its options, and refuses options that do not fit."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from harness import api
from harness.command_line import answers
from harness.command_line.commands import COMMANDS
from harness.command_line.main import main
from harness.command_line.parser import parse
from harness.model.experiment import Approach, ExecutionMode, Experiment
from harness.model.outcome import ScorePolicy
from harness.model.sequence import Observation

Calls = list[tuple[str, dict[str, Any]]]


class Recorded(Exception):
    """Ends a command in place of its function's result."""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The calls of functions of `harness.api` that commands make, with their arguments by parameters."""
    recorded: Calls = []

    def recorder(name: str) -> Any:
        signature = inspect.signature(getattr(api, name))

        def record(*arguments: Any, **named: Any) -> None:
            recorded.append((name, dict(signature.bind(*arguments, **named).arguments)))
            raise Recorded

        return record

    for name in ("run", "tables", "mutants", "pin", "module_mutants", "write_tests", "export_pytest", "verify"):
        monkeypatch.setattr(api, name, recorder(name))
    return recorded


def called(arguments: str) -> None:
    command, values = parse(arguments.split())
    with pytest.raises(Recorded):
        getattr(answers, f"of_{command.name}")(values)


def test_each_command_has_an_answer() -> None:
    assert {f"of_{name.replace('-', '_')}" for name in COMMANDS} == {
        name for name in vars(answers) if name[:3] == "of_"
    }


@pytest.mark.parametrize(
    ("arguments", "function", "expected"),
    [
        ("mutate search_tree", "mutants", {"subject": "search_tree", "operators": "ferastrau"}),
        (
            "mutate search_tree --pin --size 3",
            "pin",
            {"subject": "search_tree", "size": 3, "seed": 0, "operators": "ferastrau"},
        ),
        (
            "mutate --target till --block _till",
            "module_mutants",
            {"target": "till", "blocked": ["_till"], "operators": "ferastrau", "pin": False, "seed": 0},
        ),
        (
            "suite search_tree --scope 2",
            "export_pytest",
            {"subject": "search_tree", "generator": "korat", "scope": 2, "seed": 0},
        ),
        (
            "suite search_tree --scope 2 --export code --select all --generator rostra",
            "write_tests",
            {
                "subject": "search_tree",
                "generator": "rostra",
                "scope": 2,
                "seed": 0,
                "select": "all",
                "fewest": False,
            },
        ),
        ("verify here --sample 4", "verify", {"folder": Path("here"), "sample": 4, "seed": 0}),
        (
            "tables exhaustive2003 --policy without-proven --table table1",
            "tables",
            {
                "paper": "exhaustive2003",
                "policy": ScorePolicy.WITHOUT_PROVEN,
                "oracle": "differential",
                "table": "table1",
            },
        ),
    ],
)
def test_a_form_is_called_with_the_values_of_its_options(
    arguments: str, function: str, expected: dict[str, Any], calls: Calls
) -> None:
    called(arguments)
    ((name, values),) = calls
    assert name == function
    assert expected.items() <= values.items()


def test_the_folder_of_a_run_is_no_paper(calls: Calls, tmp_path: Path) -> None:
    called(f"tables {tmp_path}")
    ((_, values),) = calls
    assert (values["paper"], values["folder"]) == (None, tmp_path)


def experiment_of(calls: Calls) -> tuple[Experiment, dict[str, Any]]:
    """Return the experiment that `api.run` was called with, and its other arguments."""
    ((name, values),) = calls
    assert name == "run"
    return values["experiment"], values


def test_an_experiment_on_one_subject_is_made_from_options_and_run(calls: Calls) -> None:
    called("run --subject search_tree --scope 1-2 --seed 7 --metamutants --jobs 1")
    experiment, values = experiment_of(calls)
    assert [(trial.scope, trial.seed, trial.generator) for trial in experiment.trials] == [
        (1, 7, "korat"),
        (2, 7, "korat"),
    ]
    assert experiment.approach is Approach.METAMUTANT
    assert (values["jobs"], values["executor"]) == (1, "local")


def test_the_folder_of_results_is_not_taken_for_that_of_the_project(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called("run --target till --tests tests --matrix --out results")
    experiment, values = experiment_of(calls)
    (suite,) = experiment.suites
    assert (suite.folder, suite.tests) == (str(tmp_path), ("tests",))
    assert experiment.mode is ExecutionMode.MATRIX
    assert values["folder"] == Path("results")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("run", "give an experiment or --subject, one of them, or --target with --tests; 'mutascope list' names"),
        ("run demo --subject search_tree --scope 1", "give an experiment or --subject, one of them"),
        (
            "run demo --seed 0",
            "--seed goes with --subject or --target; an experiment's file says it for each trial, so",
        ),
        ("run demo --flaky refuse", "--flaky goes with --target; an experiment's file says it"),
        ("run --subject search_tree --scope 1 --runs 2", "--runs goes with --target"),
        ("run --target till --tests tests --scope 1", "--scope goes with --subject; --target is given, so leave"),
        ("run --target till", "--target needs --tests, the files or folders that pytest is called with"),
        ("run --subject search_tree", "--subject needs --scope, as in --scope 3 or --scope 1-5"),
        ("run --subject search_tree --scope 1 --observe every-call", "--observe goes with a generator of sequences"),
        ("init new.toml", "give --subject with --scope, or --target with --tests; 'mutascope list' names subjects"),
        ("mutate", "give a subject, or --target with a module or package that pytest tests"),
        ("mutate search_tree --target till", "give a subject, or --target with a module"),
        ("mutate search_tree --size 3", "--size goes with --pin; give --pin as well, or leave --size out"),
        ("mutate search_tree --block json", "--block goes with --target; SUBJECT is given, so leave --block out"),
        ("shard demo", "give the shard as K/N, such as 3/64, or --print-slurm with a number of shards"),
        ("shard demo 1/2 --print-slurm 3", "give the shard as K/N, such as 3/64"),
        ("suite search_tree --scope 1 --fewest", "--fewest goes with --export code; give --export code as well"),
        ("run demo --scheduler tcp://here:1", "--scheduler goes with --executor dask"),
        ("tables", "give a paper ('mutascope list' names them), or the folder of a run"),
        ("generate search_tree --scope 1 --figure states.txt", "figures are written as .svg, .png, .pdf"),
    ],
)
def test_options_that_do_not_go_together_are_refused_before_anything_is_called(
    arguments: str, says: str, calls: Calls, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert calls == []


def test_a_generator_of_sequences_takes_the_options_of_sequences(calls: Calls) -> None:
    called("run --subject search_tree --scope 1 --generator rostra --observe every-call")
    experiment, _ = experiment_of(calls)
    assert experiment.observed is Observation.EVERY_CALL
