"""Determines a paper's own subjects; published values are compared only with those, whatever others are called."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from harness import resources
from harness.analysis.frames import RunFrames
from harness.errors import SourceError
from harness.model.subject import Subject


def with_titles_apart(frames: RunFrames, papers: Mapping[str, str]) -> RunFrames:
    """Return the same run, in which only the paper's own subjects have the titles of its benchmarks.

    Another subject with such a title, or with a title of several subjects, gets its name appended.

    Args:
        papers: the subjects' names by title. A trial is of the paper's own subject if that ran the texts that ship.
    """
    trials = frames.trials
    names = {title: group["subject"].nunique() for title, group in trials.groupby("title")}
    titles = []
    for subject, shipped, title in zip(trials["subject"], are_as_shipped(trials), trials["title"], strict=True):
        own = papers.get(title) == subject and shipped
        is_unique = title not in papers and names[title] == 1
        titles.append(title if own or is_unique else f"{title} ({subject})")
    return replace(frames, trials=trials.assign(title=titles))


def are_as_shipped(trials: pd.DataFrame) -> pd.Series[bool]:
    """Return, by trial, whether the subject of that name that ships was run: its implementation and its spec.

    Of a frozen run without `subject_hash`, only the implementations are compared.
    """
    shipped = {name: shipped_subject(name) for name in set(trials["subject"])}
    texts = zip(trials["subject"], trials["subject_hash"], trials["source_hash"], strict=True)
    flags = [
        (ships := shipped[name]) is not None
        and (ships.source_hash == source if pd.isna(whole) else ships.content_hash == whole)
        for name, whole, source in texts
    ]
    return pd.Series(flags, index=trials.index, dtype=bool)


def shipped_trials(frames: RunFrames, operators: str | None = None) -> RunFrames:
    """Return the trials of subjects as they ship and of an operator set (None: of any)."""
    trials = frames.trials[are_as_shipped(frames.trials)]
    return replace(frames, trials=trials if operators is None else trials[trials["operator_set"] == operators])


def shipped_subject(name: str) -> Subject | None:
    """Return the texts of a shipped subject that blocks no import and is no installed module; else None.

    Its spec is only read here, not executed.
    """
    spec_path = resources.shipped("subjects") / name / "spec.py"
    try:
        spec = resources.read_source(spec_path, "")
        path = spec_path.parent / _implementation(spec)
        return Subject(name, name, "impl", path, resources.read_source(path, ""), spec_path, spec)
    except SourceError:
        return None


def _implementation(spec: str) -> str:
    """Return the file that a spec names as its implementation, else `impl.py`."""
    for node in ast.parse(spec).body:
        match node:
            case ast.Assign(targets=[ast.Name("implementation")], value=ast.Constant(str(file))):
                return file
    return "impl.py"
