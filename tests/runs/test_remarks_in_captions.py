"""The caption of a run's table has one sentence for suites that differ in numbers of inputs only."""

from __future__ import annotations

from pathlib import Path

from support.store_samples import MUTANTS, trial

from harness import api
from harness.store import RunStore


def caption(folder: Path, notices: dict[int, str]) -> str:
    """Return the caption of the table of scopes of a run with one notice for each scope."""
    with RunStore.open(folder) as store:
        mutants = store.mutants.add(MUTANTS)
        for scope, notice in notices.items():
            store.trials.add(trial(mutants, scope, generator="mine.py:draw", notices=(notice,)))
    return api.tables(folder=folder, table="scopes")["scopes"].caption


def test_suites_of_a_generator_have_a_sentence_in_common(tmp_path: Path) -> None:
    notices = {scope: f"{count:,} of 2,000 inputs came twice" for scope, count in ((1, 46), (2, 1500), (3, 16))}
    text = caption(tmp_path, notices | {4: "3 of 9 inputs are invalid"})
    assert "generator mine.py:draw: in each of 3 suites, 16 to 1,500 of 2,000 inputs came twice. " in text
    assert text.count("came twice") == 1
    assert text.endswith("generator mine.py:draw scope 4: 3 of 9 inputs are invalid.")


def test_suites_of_different_sizes_have_the_range_of_their_sizes_first(tmp_path: Path) -> None:
    text = caption(
        tmp_path, {2: "4 of 40 inputs came twice; each counts once", 3: "1 of 60 inputs came twice; each counts once"}
    )
    assert text.endswith("mine.py:draw: in each of 2 suites with 40 to 60 inputs, 1 to 4 came twice; each counts once.")
