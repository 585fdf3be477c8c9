"""A stored run: its frames, scores, coverage, kill matrices, and what the makers of tables and figures take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import resources
from harness.errors import StoreError, UsageError
from harness.model.mutant import Equivalence, EquivalenceArgument
from harness.model.outcome import OracleName
from harness.model.own_suite import PYTEST, SCOPE
from harness.model.score import ScorePolicy
from harness.mutation.equivalence import FILE_NAME as ARGUMENTS_FILE
from harness.names import meant
from harness.runner.subjects import load_subject

if TYPE_CHECKING:
    import pandas as pd

    from harness.analysis.frames import RunFrames
    from harness.analysis.kill_matrix import KillMatrix
    from harness.analysis.outcome_matrix import OutcomeMatrix
    from harness.runs.run_tables import RunFacts
    from harness.tables.table import Table


class Run:
    """A stored run, loaded when first looked at, as one oracle judged it. Frames are documented in harness.analysis."""

    def __init__(self, folder: Path | str, oracle: OracleName = OracleName.DIFFERENTIAL) -> None:
        from harness.runner.run import existing_folder

        self.folder = existing_folder(Path(folder))
        self.oracle = oracle

    def under(self, oracle: str) -> Run:
        """Show the same run as another oracle judged it, by the name of an `OracleName`.

        Raises:
            UsageError: there is no such oracle.
        """
        known = [name.value for name in OracleName]
        if oracle not in known:
            raise UsageError(f"no oracle {oracle!r}; {meant(oracle, known)}")
        found = Run(self.folder, OracleName(oracle))
        found.all_frames = self.all_frames
        return found

    @cached_property
    def frames(self) -> RunFrames:
        """trials, results, coverage and timings as validated pandas frames; of a frozen run, samples as well."""
        return self.all_frames.under(self.oracle)

    @cached_property
    def all_frames(self) -> RunFrames:
        """As `frames`, under every oracle, which `trials` name in the column `oracle`."""
        from harness.analysis.frames import load_run
        from harness.analysis.frozen import is_frozen, read_frozen

        return read_frozen(self.folder) if is_frozen(self.folder) else load_run(self.folder)

    @cached_property
    def sampled_frames(self) -> RunFrames:
        """As `frames`, with random selections of every suite with rows of kills (seconds for millions of inputs)."""
        from harness.analysis.frozen import is_frozen
        from harness.measured.sampling import sample_run

        if is_frozen(self.folder):
            return self.frames
        return replace(self.all_frames, samples=sample_run(self.folder)).under(self.oracle)

    @cached_property
    def criteria_frames(self) -> RunFrames:
        """As `frames`, with the criteria of every suite with a kill matrix; scored once, and kept beside the run."""
        from harness.analysis.frozen import is_frozen
        from harness.measured.scored_criteria import score_run

        if is_frozen(self.folder):
            return self.frames
        return replace(self.all_frames, criteria=score_run(self.folder)).under(self.oracle)

    @cached_property
    def evaluated_frames(self) -> RunFrames:
        """As `frames`, with parts of the suites at equal inputs, calls and seconds, and selected by condition outcomes.

        Raises:
            StoreError: the condition outcomes of no trial can be measured.
        """
        from harness.analysis.frozen import is_frozen
        from harness.measured.evaluated_run import evaluate_run

        if is_frozen(self.folder):
            return self.frames
        return replace(self.all_frames, evaluated=evaluate_run(self.folder)).under(self.oracle)

    @cached_property
    def arguments(self) -> dict[str, dict[str, EquivalenceArgument]]:
        """By subject and mutant, why it is held to be equivalent on the inputs that the spec allows.

        There is none for a source changed since the run, and none for the module of a pytest suite.
        """
        return {subject: found for subject, group in self._sources() if (found := _arguments(subject, group))}

    def summary(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> pd.DataFrame:
        """One row per trial, under whichever oracle, for people."""
        from harness.analysis import measures

        return measures.summary(self.all_frames, policy, self.proven(policy))

    def scores(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> pd.DataFrame:
        """Mutation score per trial, exact and in percent, with its policy."""
        from harness.analysis import measures

        return measures.scores(self.frames, policy, self.proven(policy))

    def coverage(self) -> pd.DataFrame:
        """Statement and branch coverage per trial, of code and specification."""
        from harness.analysis import measures

        return measures.coverage_ratios(self.frames)

    def matrix(self, subject: str, scope: int, suite: str | None = None) -> KillMatrix:
        """Which input kills which mutant of `subject` at `scope`, or which test of the pytest suite of that name.

        Where that scope was not run in matrix mode, it is taken out of the next larger one that was:
        the inputs of a scope are among the next one's (`harness.analysis.nesting`).

        Raises:
            StoreError: neither was run to the end in matrix mode.
            NestingError: an input of `scope` is not in the larger suite.
        """
        from harness.measured.nested_runs import matrix_at

        return matrix_at(self.folder, subject, scope, self.oracle, suite)

    def outcomes(self, subject: str, scope: int, generator: str | None = None) -> OutcomeMatrix:
        """Which input of a trial's suite reaches which condition outcome; columns are those of its kill matrix.

        Measured when first asked for, and kept beside the run.

        Raises:
            StoreError: there is no such trial; or the subject was changed since.
        """
        from harness.measured.known_outcomes import outcomes_at

        return outcomes_at(self.folder, subject, scope, generator)

    def condition_outcomes(self) -> pd.DataFrame:
        """One row per trial and condition outcome: how many inputs reach it, and the first of them.

        Raises:
            StoreError: the outcomes of no trial can be measured.
        """
        from harness.measured.known_outcomes import outcome_frame

        return outcome_frame(self.folder)

    def outcome_tables(self, table: str | None = None) -> dict[str, Table]:
        """Condition outcomes of each suite: how many are reached, which never are, and what those selected kill.

        Raises:
            UsageError: there is no such table.
            StoreError: the outcomes of no trial can be measured.
        """
        from harness.runs.outcomes_of_run import OutcomesOfRun

        return OutcomesOfRun(self.folder).tables(table)

    def saturation(self) -> pd.DataFrame:
        """From which scope on nothing grows."""
        from harness.analysis import measures

        return measures.saturation(self.scores(), self.coverage())

    def facts(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> RunFacts:
        """What the makers of a run's own tables and figures take (`harness.report`)."""
        from harness.analysis.frozen import is_frozen
        from harness.runs.run_tables import RunFacts

        if self.frames.trials.empty:
            if not self.all_frames.trials.empty:
                name = self.oracle.value
                raise StoreError(
                    f"{self.folder}: nothing was judged by the {name} oracle; run it with oracles = [{name!r}]"
                )
            raise StoreError(f"{self.folder}: no trial is stored there yet; run the experiment first")
        folder = None if is_frozen(self.folder) else self.folder
        return RunFacts(self.frames, policy, self.proven(policy), self.all_frames, folder)

    def paper_inputs(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, paper: str = "exhaustive2003") -> Any:
        """What the makers of a paper's tables and figures in `harness.papers` take.

        Raises:
            UsageError: there is no such paper.
        """
        from harness.papers import paper as known_paper

        return known_paper(paper).inputs(self, policy)

    def freeze(self, folder: Path | str, experiment: str | None = None, keep: bool = False) -> Path:
        """Writes what tables and figures need as small text files, from which they rebuild without the run.

        The criteria are among them where they were scored before, and the evaluated suites where condition outcomes
        were measured.

        Args:
            experiment: name or path of the experiment that was run; trials that it does not list, as ones that it
                had before, are left out.
            keep: whether trials that are frozen in the folder already, and are not in this run, stay there.

        Raises:
            UsageError: there is no such experiment.
            StoreError: what is to be kept cannot be read, or is of other subjects.
        """
        from harness.analysis.frozen import read_frozen, write_frozen
        from harness.analysis.joined import joined
        from harness.measured.known_classes import FOLDER
        from harness.measured.known_outcomes import FOLDER as OUTCOMES

        frames = replace(self.all_frames, samples=self.sampled_frames.samples)
        if (self.folder / FOLDER).is_dir():
            frames = replace(frames, criteria=self.criteria_frames.criteria)
        if (self.folder / OUTCOMES).is_dir():
            frames = replace(frames, evaluated=self.evaluated_frames.evaluated)
        if keep:
            frames = joined(read_frozen(Path(folder)), frames)
        if experiment is not None:
            frames = replace(frames, trials=_listed(frames.trials, experiment))
        write_frozen(frames, Path(folder))
        return Path(folder)

    def proven(self, policy: ScorePolicy) -> Mapping[str, frozenset[str]]:
        """By subject, its mutants proven equivalent.

        They are looked for only where the policy asks: a set that is not pinned has to be derived for it.
        """
        if policy is ScorePolicy.ALL_VIABLE:
            return {}
        return {
            subject: frozenset(m for m, argument in found.items() if argument.equivalence is Equivalence.PROVEN)
            for subject, found in self.arguments.items()
        }

    def _sources(self) -> list[tuple[str, set[str]]]:
        """Each subject with the hashes of its sources that were run; modules of pytest suites are none."""
        trials = self.frames.trials[self.frames.trials["generator"] != PYTEST]
        return [(str(subject), set(group)) for subject, group in trials.groupby("subject")["source_hash"]]


def _listed(trials: pd.DataFrame, experiment: str) -> pd.DataFrame:
    """The trials that an experiment lists, in the mode that it gives them and under its oracles, and its suites."""
    from harness.runner.experiment import load_experiment
    from harness.runner.pytest_runs.package import modules_of

    asked = load_experiment(experiment)
    listed = {
        (t.subject, t.generator, "", t.scope, t.seed, asked.mode_of(t).value, oracle.value)
        for t in asked.trials
        for oracle in asked.oracles_of(t)
    }
    listed |= {
        (module.target, PYTEST, module.name, SCOPE, module.seed, asked.mode.value, OracleName.DIFFERENTIAL.value)
        for suite in asked.suites
        for module in modules_of(suite)
    }
    columns = ("subject", "generator", "suite", "scope", "seed", "mode", "oracle")
    rows = zip(*(trials[column] for column in columns), strict=True)
    return trials[[row in listed for row in rows]]


def _arguments(name: str, source_hashes: set[str]) -> dict[str, EquivalenceArgument]:
    from harness.mutation.operator_sets import OPERATOR_SETS
    from harness.runner import mutants as mutant_sets

    try:
        subject = load_subject(name)
    except UsageError:
        return {}  # a subject of elsewhere: its run can be looked at nevertheless
    if source_hashes != {subject.source_hash}:
        return {}
    if not any((folder / ARGUMENTS_FILE).exists() for folder in resources.mutants_folders(subject)):
        return {}
    if not any(mutant_sets.mutant_set(subject, operators).pinned for operators in OPERATOR_SETS):
        return {}  # another version of an installed module: its mutants have other ids
    return {argument.mutant: argument for argument in mutant_sets.equivalence_arguments(subject)}


def run_folder(paper: str | None, folder: Path | str | None, by: str = "--from DIR") -> Path:
    """The folder of a run: the one that is given, else that of the paper's own run, else of its frozen one.

    Raises:
        StoreError: there is no such folder.
        UsageError: nothing is given, or the paper has no run; `by` says how to name one.
    """
    from harness.runner.run import existing_folder

    if folder is not None:
        return existing_folder(Path(folder))
    if paper is None:
        raise UsageError("give a paper, or the folder of a run")
    own, frozen = Path("results") / paper, resources.shipped("results/frozen") / paper
    for found in (own, frozen):
        if found.is_dir():
            return found
    raise UsageError(f"no run in {own}; make one (mutascope run {paper}) or name a run's folder ({by})")
