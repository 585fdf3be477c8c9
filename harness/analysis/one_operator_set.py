"""Selects the part of a run that one operator set made, since scores of different sets do not belong into one table."""

from __future__ import annotations

from dataclasses import replace

from harness.analysis.frames import RunFrames
from harness.model.experiment import DEFAULT_OPERATORS


def of_one_operator_set(frames: RunFrames) -> RunFrames:
    """Return the trials of the default set, which made the printed scores, with their rows; else those of the latest
    set.
    """
    sets = list(frames.trials["operator_set"])
    chosen = DEFAULT_OPERATORS if not sets or DEFAULT_OPERATORS in sets else sets[-1]
    trials = frames.trials[frames.trials["operator_set"] == chosen].reset_index(drop=True)
    keys = set(trials["trial"])
    names = ("results", "coverage", "timings", "samples", "criteria")
    rows = {name: getattr(frames, name) for name in names}
    mine = {name: frame[frame["trial"].isin(keys)].reset_index(drop=True) for name, frame in rows.items()}
    return replace(frames, trials=trials, **mine)
