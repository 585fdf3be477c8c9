"""Makes titles that distinguish subjects, and labels that distinguish the suites of a subject."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from harness.generators.registry import is_file_of_calls
from harness.model.pytest_suite import PYTEST

_PLACE = re.compile(r"^[^:]*\.py:|^[^:]*/(?=[^/:]*\.jsonl)")
"""The file of a function, or the folder of a file of calls."""


def titles_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each subject, with the name of the subject behind it if another one has the same title."""
    often = Counter(titles.values())
    return {name: title if often[title] == 1 else f"{title} ({name})" for name, title in titles.items()}


def short_names(generators: Iterable[str]) -> dict[str, str]:
    """Return the name of each generator in a figure: that of a function or a file of calls, without where it is.

    Where two would have the same name, both have their full ones.
    """
    shortened = {name: _PLACE.sub("", name) for name in generators}
    often = Counter(shortened.values())
    return {name: short if often[short] == 1 else name for name, short in shortened.items()}


def labels_apart(suites: Iterable[tuple[str, str]], generators: Iterable[str], seeds: Iterable[int]) -> tuple[str, ...]:
    """Return what distinguishes rows of trials of one subject: suites and seeds only where there are several.

    Pytest suites have no scope, so that there is none where all are such suites. Each of `suites` is a subject and the
    name of a suite of it, which is empty of those that a generator made.
    """
    subjects = Counter(subject for subject, suite in set(suites) if suite)
    suite = ["suite"] if any(often > 1 for often in subjects.values()) else []
    seed = ["seed"] if len(set(seeds)) > 1 else []
    scope = ["scope"] if set(generators) != {PYTEST} else []
    return ("generator", *suite, *scope, *seed)


def row_name(trial: Mapping[Any, Any], labels: Iterable[str]) -> str:
    """Return the name of a trial in a line: its values of `labels`, with those of scope and seed after these words.

    A file of calls draws nothing, so that its trials have no seed.
    """
    prefixes = {"generator": "", "suite": ""}
    left_out = {"seed"} if is_file_of_calls(str(trial["generator"])) else set()
    shown_labels = [label for label in labels if trial[label] != "" and label not in left_out]
    return " ".join(f"{prefixes.get(label, f'{label} ')}{trial[label]}" for label in shown_labels)
