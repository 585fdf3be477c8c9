"""Two and three runs at once: one of them runs, the others are told so, and every fact is what it is alone."""

import shutil

import pytest
from command_line import Place, eventually

from harness.store.facts_as_text import export_facts

pytestmark = pytest.mark.end_to_end

RUN = ("run", "--subject", "search_tree", "--scope", "1-2", "--jobs", 1, "--out", "run")


@pytest.fixture(scope="module")
def facts_of_one_run(few_mutants, tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("alone"))
    shutil.copytree(few_mutants, place.folder / "mutants")
    place.succeed(*RUN)
    return export_facts(place.folder / "run")


@pytest.mark.slow
def test_runs_that_no_lock_keeps_apart_store_the_same_facts(place, few_mutants, facts_of_one_run):
    shutil.copytree(few_mutants, place.folder / "mutants")
    folder = place.folder / "run"
    first = place.start(*RUN)
    assert eventually(lambda: (folder / "run.lock").exists(), 60)
    (folder / "run.lock").unlink()  # as if the second stood on another machine
    second = place.finish(place.start(*RUN))
    assert place.finish(first).status in (0, 2), "where it fails, it says so"
    assert second.status in (0, 2)
    place.succeed(*RUN)
    assert export_facts(folder) == facts_of_one_run
