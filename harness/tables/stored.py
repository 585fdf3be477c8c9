"""What the papers need to know of a stored run, to make the inputs of their tables and figures of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from harness.analysis.frames import RunFrames
from harness.analysis.measures import NONE_PROVEN, Proven
from harness.errors import StoreError
from harness.model.mutant import Equivalence, EquivalenceArgument
from harness.model.score import ScorePolicy


class StoredRun(Protocol):
    """As `harness.runs.stored_run.Run`; what takes time is found when it is first looked at."""

    @property
    def folder(self) -> Path:
        """Where it is stored."""

    @property
    def frames(self) -> RunFrames:
        """Its facts."""

    @property
    def all_frames(self) -> RunFrames:
        """The same under every oracle; `frames` are of one."""

    @property
    def sampled_frames(self) -> RunFrames:
        """The same, with random selections."""

    @property
    def criteria_frames(self) -> RunFrames:
        """The same, with criteria scored."""

    @property
    def evaluated_frames(self) -> RunFrames:
        """The same, with parts of the suites evaluated."""

    @property
    def arguments(self) -> Mapping[str, Mapping[str, EquivalenceArgument]]:
        """By subject and mutant, why it is held to be equivalent."""


def check_has_trials(run: StoredRun) -> None:
    """Raises StoreError where nothing is stored yet."""
    if run.frames.trials.empty:
        raise StoreError(f"{run.folder}: no trial is stored there yet; run the experiment first")


def proven_under(run: StoredRun, policy: ScorePolicy) -> Proven:
    """By subject, its mutants proven equivalent; looked for only where the policy asks."""
    if policy is ScorePolicy.ALL_VIABLE:
        return NONE_PROVEN
    return {
        subject: frozenset(mutant for mutant, a in found.items() if a.equivalence is Equivalence.PROVEN)
        for subject, found in run.arguments.items()
    }
