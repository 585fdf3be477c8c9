"""Frames of a run that take time to measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from harness.analysis.frames import RunFrames
from harness.analysis.frozen import is_frozen
from harness.measured.evaluated_run import evaluate_run
from harness.measured.sampling import sample_run
from harness.measured.scored_criteria import score_run
from harness.model.outcome import OracleName


class MeasuredFrames:
    """The frames of a run under one oracle, and one more beside them, measured when it is first read.

    Nothing is measured in a frozen run: it has the frames that it was frozen with.
    """

    def __init__(self, folder: Path, frames: RunFrames, oracle: OracleName) -> None:
        self._folder = folder
        self._frames = frames
        self._oracle = oracle

    @cached_property
    def with_samples(self) -> RunFrames:
        """The frames with random selections of every suite with rows of kills (seconds for millions of inputs)."""
        return self._judged(lambda frames: replace(frames, samples=sample_run(self._folder)))

    @cached_property
    def with_criteria(self) -> RunFrames:
        """The frames with the criteria of every suite with a kill matrix, scored once and kept beside the run."""
        return self._judged(lambda frames: replace(frames, criteria=score_run(self._folder)))

    @cached_property
    def with_evaluated(self) -> RunFrames:
        """The frames with parts of the suites at equal inputs, calls and seconds, and selected by condition outcomes.

        Raises:
            StoreError: the condition outcomes of no trial can be measured.
        """
        return self._judged(lambda frames: replace(frames, evaluated=evaluate_run(self._folder)))

    def _judged(self, extended: Callable[[RunFrames], RunFrames]) -> RunFrames:
        frames = self._frames if is_frozen(self._folder) else extended(self._frames)
        return frames.under(self._oracle)
