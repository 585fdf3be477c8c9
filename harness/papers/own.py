"""Which subjects are a paper's own: published values stand beside those alone, whatever others are called."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from dataclasses import replace

from harness import resources
from harness.analysis.frames import RunFrames
from harness.errors import SourceError


def with_titles_apart(frames: RunFrames, papers: Mapping[str, str]) -> RunFrames:
    """The same run, in which only the paper's own subjects have the titles of its benchmarks.

    Another subject of such a title, or of one that several subjects have, has its name behind it.

    Args:
        papers: the subjects' names by title. A trial is of the paper's own subject if that ran the text that ships.
    """
    trials = frames.trials
    names = {title: group["subject"].nunique() for title, group in trials.groupby("title")}
    shipped = {title: (name, _shipped_hash(name)) for title, name in papers.items() if title in names}
    titles = []
    for subject, source, title in zip(trials["subject"], trials["source_hash"], trials["title"], strict=True):
        own = title in shipped and shipped[title] == (subject, source)
        alone = title not in shipped and names[title] == 1
        titles.append(title if own or alone else f"{title} ({subject})")
    return replace(frames, trials=trials.assign(title=titles))


def is_as_shipped(subject: str, source_hash: str) -> bool:
    """Whether what was run is the text of the subject of that name that ships."""
    return _shipped_hash(subject) == source_hash


def _shipped_hash(name: str) -> str | None:
    """sha256 of the file that the spec of a shipped subject names; None if it does not ship, or has no file of ours."""
    folder = resources.shipped("subjects") / name
    try:
        spec = resources.read_source(folder / "spec.py", "")
        return hashlib.sha256(resources.read_source(folder / _implementation(spec), "").encode()).hexdigest()
    except SourceError:
        return None


def _implementation(spec: str) -> str:
    """What a spec that ships says its implementation is, read from its text: the orchestrator executes no spec."""
    for node in ast.parse(spec).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "implementation":
            return str(ast.literal_eval(node.value))
    return "impl.py"
