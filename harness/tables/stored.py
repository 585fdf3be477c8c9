"""Declares the facts of a stored run from which papers make the inputs of their tables and figures."""

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
    """The interface of `harness.runs.stored_run.Run`; slow facts are computed on first use."""

    @property
    def folder(self) -> Path:
        """The folder in which the run is stored."""

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
        """The arguments for equivalence, by subject and mutant."""


def check_has_trials(run: StoredRun) -> None:
    """Raise StoreError if no trial is stored yet."""
    if run.frames.trials.empty:
        raise StoreError(f"{run.folder}: no trial is stored there yet; run the experiment first")


def proven_under(run: StoredRun, policy: ScorePolicy) -> Proven:
    """Return the mutants proven equivalent, by subject; they are read only if the policy needs them."""
    if policy is ScorePolicy.ALL_VIABLE:
        return NONE_PROVEN
    return held_equivalent(run.arguments)
