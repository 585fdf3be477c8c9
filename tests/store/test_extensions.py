"""A trial keeps the sum of the extensions that its suite covers; others look as they did before there was any."""

import json
import sqlite3

from store_samples import MUTANTS, trial

from harness.analysis.frames import load_run
from harness.store import RunStore, export_facts
from harness.store.connect import FILE_NAME


def exported(folder):
    facts = map(json.loads, export_facts(folder).splitlines())
    return {fact["scope"]: fact for fact in facts if fact["table"] == "trial"}


def test_the_sum_of_the_extensions_comes_back_and_stands_in_the_frames(tmp_path):
    with RunStore.open(tmp_path) as store:
        mutants = store.add_mutants(MUTANTS)
        covering = trial(mutants, 3, generator="field-exhaustive", extension=17)
        store.add_trial(covering)
        store.add_trial(trial(mutants, 2))
        assert [stored.extension for stored in store.trials()] == [17, None]
    assert list(load_run(tmp_path).trials["extension"].isna()) == [False, True]
    facts = exported(tmp_path)
    assert facts[3]["extension"] == 17
    assert "extension" not in facts[2]


def test_a_store_of_the_version_before_is_read_and_gone_on_with(tmp_path):
    with RunStore.open(tmp_path) as store:
        store.add_trial(trial(store.add_mutants(MUTANTS), 2))
    before = exported(tmp_path)
    with sqlite3.connect(tmp_path / FILE_NAME) as ours:
        for column in ("oracle", "extension", "ended", "notices"):
            ours.execute(f"ALTER TABLE trial DROP COLUMN {column}")
        ours.execute("ALTER TABLE timing DROP COLUMN origin")
        ours.execute("ALTER TABLE finish DROP COLUMN checksums")
        for table in ("suite_record", "evidence"):
            ours.execute(f"DROP TABLE {table}")
        ours.execute("PRAGMA user_version = 4")
    ours.close()
    assert exported(tmp_path) == before
    assert list(load_run(tmp_path).trials["extension"].isna()) == [True]
    with RunStore.open_existing(tmp_path) as store:
        assert store.evidence(store.trials()[0].key) == []
    with RunStore.open(tmp_path) as store:
        store.add_trial(trial(store.add_mutants(MUTANTS), 3, extension=17))
        assert [stored.extension for stored in store.trials()] == [None, 17]
