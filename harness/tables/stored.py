"""What the papers need to know of a stored run, to make the inputs of their tables and figures of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from harness.analysis.frames import RunFrames
from harness.analysis.measures import NONE_PROVEN, Proven, held_equivalent
from harness.errors import StoreError
from harness.measured.measured_frames import MeasuredFrames
from harness.model.mutant import EquivalenceArgument
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
    def measured(self) -> MeasuredFrames:
        """As `frames`, with further ones that take time to measure."""

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
    return held_equivalent(run.arguments)
