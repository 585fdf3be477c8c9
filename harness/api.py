"""The facade for scripts and notebooks: one function for everything the command line does.

    from harness import api

    folder = api.run(api.single("search_tree", "korat", [1, 2, 3]))
    run = api.load(folder)
    run.scores()
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import pandas as pd
from tabulate import tabulate

from harness import resources
from harness.analysis import measures
from harness.analysis.frames import RunFrames, load_run
from harness.errors import UsageError
from harness.generators.registry import generator_names
from harness.kernel.suites import SuiteReader
from harness.model.experiment import Approach, ExecutionMode, Experiment, Trial
from harness.model.mutant import Mutant
from harness.mutation.operators import OPERATORS
from harness.papers import PAPERS
from harness.runner import mutants as mutant_sets
from harness.runner.experiment import load_experiment
from harness.runner.run import default_folder, existing_folder, run_experiment
from harness.runner.suites import ensure_suite


def known() -> dict[str, list[str]]:
    """Names of subjects, generators, operators, experiments and papers."""
    return {
        "subjects": list(resources.subject_folders()),
        "generators": generator_names(),
        "operators": [operator.code for operator in OPERATORS],
        "experiments": list(resources.experiment_files()),
        "papers": list(PAPERS),
    }


def generate(subject: str, generator: str = "korat", scope: int = 3, seed: int = 0) -> SuiteReader:
    """The suite of one trial, made in the sandbox or found in the cache."""
    trial = Trial(subject, generator, scope, seed)
    return ensure_suite(resources.load_subject(subject)[0], trial)


def mutants(subject: str) -> list[Mutant]:
    """The subject's mutant set as it is run, then those listed but not run, each with its status."""
    manifest = mutant_sets.mutant_set(*resources.load_subject(subject)).manifest
    return [*manifest.mutants, *manifest.excluded]


def pin(subject: str, size: int | None = None, seed: int = 0) -> list[Mutant]:
    """Derives the subject's mutants anew and pins a sample of `size` (default: all viable) in ./mutants."""
    manifest, _ = mutant_sets.pin(*resources.load_subject(subject), size, seed)
    return list(manifest.mutants)


def experiment(name: str) -> Experiment:
    """The experiment of that name, or in that TOML file."""
    return load_experiment(name)


def single(
    subject: str,
    generator: str,
    scopes: Sequence[int],
    *,
    seed: int = 0,
    matrix: bool = False,
    metamutants: bool = False,
    concrete: bool = False,
) -> Experiment:
    """An experiment on one subject, one trial per scope."""
    return Experiment(
        name=f"{Path(subject).name}-{generator}",
        trials=tuple(Trial(subject, generator, scope, seed) for scope in scopes),
        mode=ExecutionMode.MATRIX if matrix else ExecutionMode.FIRST_KILL,
        approach=Approach.METAMUTANT if metamutants else Approach.SEPARATE,
        concrete=concrete,
    )


def run(experiment: Experiment, folder: Path | None = None, jobs: int | None = None) -> Path:
    """Runs an experiment (default: into results/<name>, on all cores); returns the folder.

    What the folder holds already is not run again.
    """
    folder = default_folder(experiment) if folder is None else folder
    run_experiment(experiment, folder, jobs or os.cpu_count() or 1)
    return folder


class Run:
    """A stored run, loaded when first looked at. Frames are documented in harness.analysis."""

    def __init__(self, folder: Path) -> None:
        self.folder = existing_folder(folder)

    @cached_property
    def frames(self) -> RunFrames:
        """trials, results, coverage and timings as validated pandas frames."""
        return load_run(self.folder)

    def summary(self) -> pd.DataFrame:
        """One row per trial, for people."""
        return measures.summary(self.frames)

    def scores(self) -> pd.DataFrame:
        """Mutation score per trial, exact and in percent, with its policy."""
        return measures.scores(self.frames)

    def coverage(self) -> pd.DataFrame:
        """Statement and branch coverage per trial, of code and specification."""
        return measures.coverage_ratios(self.frames)

    def saturation(self) -> pd.DataFrame:
        """From which scope on nothing grows."""
        return measures.saturation(self.scores(), self.coverage())


def load(folder: Path | str) -> Run:
    """The run stored in `folder`.

    Raises:
        StoreError: there is none.
    """
    return Run(Path(folder))


def as_text(table: pd.DataFrame) -> str:
    """A frame as an aligned text table; what is missing is a dash."""
    cells = table.astype(object).where(table.notna(), "-")
    return tabulate(cells, headers=list(table.columns), showindex=False, floatfmt=".2f", intfmt=",")


def _folder(paper: str, folder: Path | None) -> Path:
    if folder is not None:
        return existing_folder(folder)
    for name, path in resources.experiment_files().items():
        candidate = Path("results") / name
        if load_experiment(str(path)).paper == paper and candidate.is_dir() and name == paper:
            return candidate
    raise UsageError(f"no run of {paper} in ./results; run it (mutascope run {paper}) or name a run: --from DIR")
