"""The caption of a run's table names suites with notices."""

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


def test_each_suite_with_a_notice_has_a_sentence(tmp_path):
    text = caption(tmp_path, {2: "4 of 40 inputs came twice", 3: "1 of 60 inputs came twice"})
    assert text.endswith(
        "generator mine.py:draw scope 2: 4 of 40 inputs came twice. Tree generator mine.py:draw scope 3: 1 of 60 "
        "inputs came twice."
    )
