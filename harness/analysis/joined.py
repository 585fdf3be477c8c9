"""Joins runs of one experiment: trials that were run later are added to earlier ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import pandas as pd

from harness.analysis.evaluated_suites import COMPARED_BASES
from harness.analysis.frames import RunFrames, records
from harness.errors import StoreError
from harness.store.facts import SETTINGS, SUITE

_EARLIER = "earlier "
"""Before the keys of earlier trials: those of frozen runs are numbers."""
_FRAMES = ("trials", "results", "coverage", "timings", "samples", "criteria", "evaluated")


def joined(earlier: RunFrames, later: RunFrames) -> RunFrames:
    """Return the trials of both runs, the earlier ones first. If both runs have a trial, the later one counts.

    If a generator was run later with options, and earlier without them, it is not compared with other generators.

    Raises:
        StoreError: a subject is another one in the later run than it was in the earlier one.
    """
    _check_subjects(earlier.trials, later.trials)
    later = replace(later, evaluated=_without_stand_ins(earlier.trials, later))
    again = set(_identities(later.trials))
    remains = [identity not in again for identity in _identities(earlier.trials)]
    keys = set(earlier.trials["trial"][remains])
    frames = {
        name: _concatenation([_renamed(frame[frame["trial"].isin(keys)]), getattr(later, name)])
        for name in _FRAMES
        for frame in [getattr(earlier, name)]
    }
    begun = {
        session.started for session in later.sessions
    }  # some sessions may have been frozen in the earlier run, too
    before = [session for session in earlier.sessions if not session.started or session.started not in begun]
    return RunFrames(**frames, sessions=(*before, *later.sessions))


def _identities(trials: pd.DataFrame) -> list[tuple[Hashable, ...]]:
    columns = [trials[name].astype("string").fillna("") for name in (*SUITE, *SETTINGS)]
    return list(zip(*columns, strict=True))


def _check_subjects(earlier: pd.DataFrame, later: pd.DataFrame) -> None:
    for subject, rows in later.groupby("subject"):
        before = earlier[earlier["subject"] == subject]
        for name in ("source_hash", "subject_hash"):
            if set(before[name].dropna()) - set(rows[name].dropna()):
                raise StoreError(
                    f"{subject} is another subject in the later run ({name}); run the trials of before again as well"
                )


def _without_stand_ins(earlier: pd.DataFrame, later: RunFrames) -> pd.DataFrame:
    """Return the later evaluated rows, without comparisons by a generator that stands in for an earlier plain one."""
    plain = set(zip(earlier["subject"], earlier["generator"], strict=True))
    with_options = {
        trial["trial"]
        for trial in records(later.trials)
        if ":" in trial["generator"] and (trial["subject"], trial["generator"].partition(":")[0]) in plain
    }
    rows = later.evaluated
    return rows[~(rows["trial"].isin(with_options) & rows["basis"].isin(COMPARED_BASES))]


def _renamed(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(trial=_EARLIER + frame["trial"])


def _concatenation(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate the frames, without empty ones, whose types have no meaning."""
    filled = [frame for frame in frames if len(frame)] or [frames[0]]
    whole: pd.DataFrame = pd.concat(filled, ignore_index=True)
    return whole
