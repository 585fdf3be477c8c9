"""Represents a stored run: its frames, and frames that take time to measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import resources
from harness.did_you_mean import suggestion
from harness.errors import StoreError, UsageError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import EquivalenceArgument, OracleName, ScorePolicy
from harness.model.pytest_suite import PYTEST

if TYPE_CHECKING:
    import pandas as pd

    from harness.analysis.frames import RunFrames
    from harness.analysis.kill_matrix import KillMatrix
    from harness.analysis.measures import Proven


class Run:
    """A stored run as one oracle judged it. Frames are read when they are first used.

    Attributes:
        folder: the folder of the run.
        oracle: the oracle whose verdicts the frames contain.
    """

    def __init__(self, folder: Path | str, oracle: OracleName = OracleName.DIFFERENTIAL) -> None:
        from harness.runner.run import existing_folder

        self.folder = existing_folder(Path(folder))
        self.oracle = oracle

    def under(self, oracle: str) -> Run:
        """Return the same run as another oracle judged it, by the name of an `OracleName`.

        Raises:
            UsageError: there is no such oracle.
        """
        names = [name.value for name in OracleName]
        if oracle not in names:
            raise UsageError(f"no oracle {oracle!r}; {suggestion(oracle, names)}")
        run = Run(self.folder, OracleName(oracle))
        run.all_frames = self.all_frames
        return run

    @cached_property
    def frames(self) -> RunFrames:
        """The frames `trials`, `results`, `coverage` and `timings`; those of a frozen run also contain `samples`."""
        return self.all_frames.under(self.oracle)

    @cached_property
    def all_frames(self) -> RunFrames:
        """The frames with the trials of every oracle; the column `oracle` of `trials` names it."""
        from harness.analysis.frames import load_run
        from harness.analysis.frozen import read_frozen

        return read_frozen(self.folder) if self.is_frozen else load_run(self.folder)

    @cached_property
    def with_samples(self) -> RunFrames:
        """The frames with random selections of every suite with rows of kills (seconds for millions of inputs).

        Nothing is measured in a frozen run: it has the frames that it was frozen with.
        """
        from harness.measured.sampling import sample_run

        return self._with("samples", sample_run)

    @cached_property
    def with_criteria(self) -> RunFrames:
        """The frames with the criteria of every suite with a kill matrix, scored once and kept beside the run."""
        from harness.measured.scored_criteria import score_run

        return self._with("criteria", score_run)

    @cached_property
    def with_evaluated(self) -> RunFrames:
        """The frames with parts of the suites at equal inputs, calls and seconds, and selected by condition outcomes.

        Raises:
            StoreError: the condition outcomes of no trial can be measured.
        """
        from harness.measured.evaluated_run import evaluate_run

        return self._with("evaluated", evaluate_run)

    def _with(self, name: str, measure: Callable[[Path], pd.DataFrame]) -> RunFrames:
        """Return the frames with the named one measured, or those that a frozen run was frozen with."""
        if self.is_frozen:
            return self.frames
        measured: Any = {name: measure(self.folder)}
        return replace(self.all_frames, **measured).under(self.oracle)

    @property
    def is_frozen(self) -> bool:
        """Whether the folder has small text files in place of a store."""
        from harness.analysis.frozen import is_frozen

        return is_frozen(self.folder)

    @cached_property
    def arguments(self) -> dict[str, dict[str, EquivalenceArgument]]:
        """The arguments that mutants are equivalent on the inputs that the spec allows, by subject and mutant.

        There is none for a source changed since the run, and none for the module of a pytest suite.
        """
        trials = self.frames.trials
        hashes = trials[trials["generator"] != PYTEST].groupby("subject")["source_hash"]
        return {str(name): found for name, group in hashes if (found := _arguments_of(str(name), set(group)))}

    def summary(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> pd.DataFrame:
        """Return the summary that `mutascope run` prints: one row per trial of every oracle."""
        from harness.analysis import measures

        return measures.summary(self.all_frames, policy, proven_under(self, policy))

    def scores(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> pd.DataFrame:
        """Return the mutation score of each trial, exact and in percent, with its policy."""
        from harness.analysis import measures

        return measures.scores(self.frames, policy, proven_under(self, policy))

    def coverage(self) -> pd.DataFrame:
        """Return statement and branch coverage of each trial, of the code and of the spec."""
        from harness.analysis import measures

        return measures.coverage_ratios(self.frames)

    def saturation(self) -> pd.DataFrame:
        """Return the scopes after which larger scopes bring nothing more, by subject and generator."""
        from harness.analysis import measures

        return measures.saturation(self.scores(), self.coverage())

    def matrix(
        self,
        subject: str,
        scope: int,
        suite: str | None = None,
        generator: str | None = None,
        seed: int | None = None,
    ) -> KillMatrix:
        """Return the kill matrix of `subject` at `scope`. Its columns are inputs, or tests of the pytest suite `suite`.

        Generator, seed and suite need only be named where there are several.

        Raises:
            UsageError: there are several; the message names them.
            StoreError: there is none that was run to the end.
        """
        from harness.analysis.kill_matrix import KillMatrix
        from harness.analysis.titles import labels_apart, row_name
        from harness.store import RunStore

        asked = {"generator": generator, "seed": seed, "suite": suite}
        chosen = {name: value for name, value in asked.items() if value is not None}
        with RunStore.open_existing(self.folder) as store:
            trials = [
                trial
                for trial in store.finished_under(self.oracle)
                if (trial.subject, trial.scope, trial.mode) == (subject, scope, ExecutionMode.MATRIX)
                and all(getattr(trial, name) == value for name, value in chosen.items())
            ]
            if not trials:
                named = "".join(f", {name} {value}" for name, value in chosen.items())
                raise StoreError(
                    f"{store.path}: {subject}{named} has no complete kill matrix at scope {scope}; run it with --matrix"
                )
            if len(trials) > 1:
                rows = [vars(trial) for trial in trials]
                labels = [label for label in labels_apart(rows) if label != "scope"]
                names = ", ".join(row_name(row, labels) for row in rows)
                raise UsageError(
                    f"{store.path}: {subject} has {len(rows)} kill matrices at scope {scope} ({names}); name one by "
                    "generator, seed or suite"
                )
            return KillMatrix.load(store, trials[0].key)


def check_has_trials(run: Run) -> None:
    """Raise StoreError if no trial is stored yet."""
    if run.frames.trials.empty:
        raise StoreError(f"{run.folder}: no trial is stored there yet; run the experiment first")


def proven_under(run: Run, policy: ScorePolicy) -> Proven:
    """Return the mutants proven equivalent, by subject; they are read only if the policy needs them."""
    from harness.analysis.measures import NONE_PROVEN, held_equivalent

    return NONE_PROVEN if policy is ScorePolicy.ALL_VIABLE else held_equivalent(run.arguments)


def _arguments_of(name: str, source_hashes: set[str]) -> dict[str, EquivalenceArgument]:
    from harness.mutation.manifest import ARGUMENTS
    from harness.mutation.operator_sets import OPERATOR_SETS
    from harness.runner import mutant_set
    from harness.runner.subjects import load_subject

    try:
        subject = load_subject(name)
    except UsageError:
        return {}  # a subject of elsewhere: its run can be looked at nevertheless
    if source_hashes != {subject.source_hash}:
        return {}
    if not any((folder / ARGUMENTS).exists() for folder in resources.mutants_folders(subject)):
        return {}
    if not any(mutant_set.pinned_set(subject, operators) for operators in OPERATOR_SETS):
        return {}  # another version of an installed module: its mutants have other ids
    return {argument.mutant: argument for argument in mutant_set.equivalence_arguments(subject)}
