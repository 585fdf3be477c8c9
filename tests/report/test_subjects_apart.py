"""Subjects that have one title are kept apart wherever a report names them, and their scores are in no common range."""

import re
from pathlib import Path

import pytest
from support.report_samples import MUTANTS, RESULTS, WALL, stored_run

from harness import api
from harness.analysis.run_summary import suite_warnings
from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantResult, Verdict
from harness.store import RunStore
from harness.store.facts import FailedTrial
from harness.tables.figures import scope_panels

SEEDS_DIFFER = "Seeds of one generator differ"
OTHER = {"subject": "jtc_search_tree", "suite_digest": "e" * 64}
"""Another subject whose title is SearchTree, too."""


def page_of(folder: Path) -> str:
    return api.report(folder)[0].read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = stored_run(tmp_path_factory.mktemp("titles"), (2,))
    stored_run(folder, (2,), MUTANTS[:3], RESULTS[:3], **OTHER)
    with RunStore.open(folder) as store:
        store.failures.add(FailedTrial("my_tree", "SearchTree", "korat", 2, 0, "no spec"))
    return page_of(folder)


def test_two_programs_of_one_title_are_no_seeds_of_one_generator(page):
    assert SEEDS_DIFFER not in page


def test_each_row_section_and_remark_names_its_subject(page):
    names = ["SearchTree (jtc_search_tree)", "SearchTree (search_tree)"]
    assert re.findall(r"<tr[^>]*><td>([^<]+)</td><td>korat</td>", page) == [*names, "SearchTree (my_tree)"]
    assert re.findall(r'<h2 id="[^"]+-korat">([^<]+)</h2>', page) == names
    assert re.findall(r'<a href="#[^"]+-korat">([^<]+)</a>', page) == [f"{name} (korat)" for name in names]
    assert f"<code>SearchTree (search_tree): {WALL.id}</code>".replace("<=", "&lt;=") in page


def test_one_seed_in_two_modes_is_one_seed(tmp_path):
    for mode in (ExecutionMode.FIRST_KILL, ExecutionMode.SELECTIONS):
        stored_run(tmp_path, (2,), generator="random:90", seed=3, mode=mode)
    assert SEEDS_DIFFER not in page_of(tmp_path)


def test_the_seeds_of_two_programs_of_one_title_have_a_range_each(tmp_path):
    for seed, survivors in ((1, 0), (2, 1)):
        of_seed = {"generator": "random:90", "seed": seed}
        missed = [MutantResult(one.mutant, Verdict.SURVIVED, 90, 267) for one in RESULTS[:survivors]]
        stored_run(tmp_path, (2,), results=[*missed, *RESULTS[survivors:]], **of_seed)
        stored_run(tmp_path, (2,), MUTANTS[:2], [*missed, *RESULTS[survivors:2]], **OTHER | of_seed)
    page = page_of(tmp_path)
    table = page[page.index(SEEDS_DIFFER) :].partition("</table>")[0]
    rows = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in table.split("<tr>")[2:]]
    assert [(row[0], row[4], *row[6:]) for row in rows] == [
        ("SearchTree (jtc_search_tree)", "2", "75.00", "50.00", "100.00"),
        ("SearchTree (search_tree)", "2", "75.00", "66.67", "83.33"),
    ]


def test_remarks_and_panels_name_the_subject_though_another_generator_ran_on_the_other_one(tmp_path):
    stored_run(tmp_path, (2,), notices=("slow",))
    stored_run(tmp_path, (2,), generator="beapi", **OTHER)
    assert suite_warnings(tmp_path) == ["SearchTree (search_tree) korat scope 2: slow"]
    (panel,) = scope_panels(api.load(tmp_path).frames, generator="beapi")
    assert panel.title == "SearchTree (jtc_search_tree)"
