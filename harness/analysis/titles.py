"""Makes titles that distinguish subjects, and labels that distinguish the suites of a subject."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from harness.generators.registry import is_file_of_calls
from harness.model.pytest_suite import PYTEST
from harness.store.facts import CONDITIONS, SUITE, plain

WAYS = ("mode", "approach")
"""Fields of a trial that say how it was executed, and that change no score."""

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


def labels_apart(trials: Iterable[Mapping[str, Any]], failures: Iterable[Mapping[str, Any]] = ()) -> tuple[str, ...]:
    """Return what distinguishes rows of trials of one subject: suites and seeds only where there are several.

    Pytest suites have no scope, so that there is none where all are such suites. Conditions, such as the operator set,
    are labels where a subject has trials under several of them, and modes where a suite has trials in several of them.

    Args:
        trials: their fields by name.
        failures: those of trials that could not be run.
    """
    rows = list(trials)
    named = [*rows, *failures]
    subjects = Counter(subject for subject, suite in {(row["subject"], row["suite"]) for row in rows} if suite)
    suite = ["suite"] if any(often > 1 for often in subjects.values()) else []
    seed = ["seed"] if len({row["seed"] for row in named}) > 1 else []
    scope = ["scope"] if {row["generator"] for row in named} != {PYTEST} else []
    conditions = [name for name in CONDITIONS if varies(name, rows, ("subject",))]
    conditions += [name for name in WAYS if varies(name, rows, SUITE)]
    return ("generator", *suite, *scope, *conditions, *seed)


def varies(name: str, rows: Iterable[Mapping[str, Any]], within: Iterable[str]) -> bool:
    """Return whether rows that agree in the fields `within` have several values of a field, missing ones left out."""
    values: dict[tuple[Any, ...], set[str]] = {}
    for row in rows:
        values.setdefault(tuple(row[field] for field in within), set()).add(text_of(row[name]))
    return any(len(texts - {""}) > 1 for texts in values.values())


def of_suite(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that distinguish suites, without those of how a suite was run."""
    return tuple(label for label in labels if label not in (*CONDITIONS, *WAYS))


def summary_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels of a run's summary, which has columns of operator sets and sequences anyway."""
    return tuple(label for label in labels if label not in ("operator_set", "sequences", "observed"))


def text_of(value: object) -> str:
    """Return the value of a label as text; empty where it is missing, as None or in a frame."""
    return "" if repr(value) in ("None", "<NA>", "nan") else str(plain(value))


def row_name(trial: Mapping[Any, Any], labels: Iterable[str]) -> str:
    """Return the name of a trial in a line: its values of `labels`, all but generator and suite after these words.

    A file of calls draws nothing, so that its trials have no seed.
    """
    prefixes = {"generator": "", "suite": ""}
    left_out = {"seed"} if is_file_of_calls(str(trial["generator"])) else set()
    texts = {label: text_of(trial[label]) for label in labels if label not in left_out}
    return " ".join(f"{prefixes.get(label, f'{label} ')}{text}" for label, text in texts.items() if text)
