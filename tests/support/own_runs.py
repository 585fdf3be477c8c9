"""Small runs of suites of pytest and of generators, and what runs have stored."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.own_project import own_project

from harness import api
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import MutantResult, OracleName
from harness.runner.origins import FactDisagreement
from harness.runner.run import run_experiment
from harness.store import KillRow, RunStore

SHORT = """\
def bounded(value, limit):
    while value > limit:
        value = value - limit
    return value
"""
SHORT_TESTS = """\
from till.core import bounded


def test_bounded():
    assert bounded(7, 3) == 1
"""

# A seed by which verify draws mutants of SHORT that end: the naive path waits half a minute for one that does not.
DRAWS_WHAT_ENDS = 5


def results_of(out: Path):
    with RunStore.open_existing(out) as store:
        (trial,) = store.trials.all()
        mutants = {mutant.id: mutant for mutant in store.mutants.of(trial.mutant_set)}
        return trial, [(mutants[result.mutant], result) for result in store.results.of(trial.key)]


def rows_of(out: Path, trial):
    with RunStore.open_existing(out) as store:
        return list(store.results.kill_rows(trial.key))


def run_on(folder: Path, out: Path, *, tests: str = "tests", jobs: int = 1, **options):
    return run_experiment(api.pytest_experiment("till.core", [tests], folder=folder, **options), out, jobs)


def judged(folder: Path, core: str = SHORT, tests: str = SHORT_TESTS, **options):
    """Run a suite on a module in the project `own` below a folder; return the trial, and mutants with their results."""
    run_on(own_project(folder / "own", core=core, tests=tests), folder / "out", **options)
    return results_of(folder / "out")


def verified(folder: Path, sample: int | None, seed: int, jobs: int) -> tuple[int, list[FactDisagreement]]:
    """Return the number of verdicts that were re-executed, and the facts that are not confirmed."""
    verification = api.verify(folder, sample, seed, jobs)
    assert not verification.unchecked
    return verification.checked, [*verification.disagreements]


def pinned_run(
    folder: Path,
    subject: str,
    mutants: int,
    generator: str = "korat",
    scopes: Sequence[int] = (1,),
    *,
    operators: str = DEFAULT_OPERATORS,
    is_covered: bool = True,
) -> Path:
    """Run a sample of a subject's mutants as full kill matrices; return `run` in the folder where they are pinned."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        api.pin(subject, mutants, seed=3, operators=operators)
        experiment = api.subject_experiment(subject, generator, list(scopes), matrix=True, operators=operators)
        if not is_covered:
            experiment = replace(experiment, without_coverage=frozenset(experiment.trials))
        return api.run(experiment, folder / "run", jobs=2)


def facts_under(folder: Path, oracle: OracleName) -> tuple[dict[str, MutantResult], dict[str, KillRow]]:
    """Return the results and the rows of kills of a mutant by its id, as one oracle judged."""
    with RunStore.open_existing(folder) as store:
        (stored,) = store.trials.under(oracle)
        results = {result.mutant: result for result in store.results.of(stored.key)}
        return results, {row.mutant: row for row in store.results.kill_rows(stored.key)}
