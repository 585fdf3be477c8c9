"""Represents a stored run: its frames and their measures."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.mutant import EquivalenceArgument
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy

if TYPE_CHECKING:
    import pandas as pd

    from harness.analysis.frames import RunFrames
    from harness.analysis.kill_matrix import KillMatrix
    from harness.measured.measured_frames import MeasuredFrames


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
        from harness.analysis.frozen import is_frozen, read_frozen

        return read_frozen(self.folder) if is_frozen(self.folder) else load_run(self.folder)

    @cached_property
    def measured(self) -> MeasuredFrames:
        """The frames with one more that takes time to measure: `with_samples`, `with_criteria` or `with_evaluated`."""
        from harness.measured.measured_frames import MeasuredFrames

        return MeasuredFrames(self.folder, self.all_frames, self.oracle)

    @cached_property
    def arguments(self) -> dict[str, dict[str, EquivalenceArgument]]:
        """The arguments that mutants are equivalent on the inputs that the spec allows, by subject and mutant."""
        from harness.runs.equivalence_arguments import arguments_of

        return arguments_of(self.frames.trials)

    def summary(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> pd.DataFrame:
        """Return the summary that `mutascope run` prints: one row per trial of every oracle."""
        from harness.analysis import measures
        from harness.tables.stored import proven_under

        return measures.summary(self.all_frames, policy, proven_under(self, policy))

    def scores(self, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> pd.DataFrame:
        """Return the mutation score of each trial, exact and in percent, with its policy."""
        from harness.analysis import measures
        from harness.tables.stored import proven_under

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

        If that scope was not run in matrix mode, the matrix is taken out of the next larger scope that was. The inputs
        of a scope are among the next one's (`harness.analysis.nesting`).

        Raises:
            UsageError: there are several; the message names them.
            StoreError: neither was run to the end in matrix mode.
            NestingError: an input of `scope` is not in the larger suite.
        """
        from harness.measured.nested_runs import matrix_at

        asked = {"generator": generator, "seed": seed, "suite": suite}
        chosen = {name: value for name, value in asked.items() if value is not None}
        return matrix_at(self.folder, subject, scope, self.oracle, chosen)
