"""A suite that was made and run on no mutant hides no trial with a score, and is never shown as one that kills all."""

from pathlib import Path

import pytest
from support.report_samples import SURVIVOR, stored_run

from harness import api
from harness.model.experiment import ExecutionMode


def generated_run(folder: Path, scope: int) -> Path:
    """Store a finished trial in mode generate, which has no mutants."""
    no_original = {"original_steps": None, "original_raised": None}
    return stored_run(
        folder, (scope,), [], [], prove=False, covered=None, mode=ExecutionMode.GENERATE, **no_original
    )  # fmt: skip


@pytest.fixture(scope="module", params=["finished", "begun"])
def folder(tmp_path_factory, request):
    out = tmp_path_factory.mktemp("larger")
    return generated_run(stored_run(out, finish=request.param == "finished"), 4)


def page_of(folder: Path) -> str:
    page = api.report(folder)[0].read_text(encoding="utf-8")
    return " ".join(page.split())


def test_the_survivors_are_those_of_the_largest_scope_at_which_mutants_ran(folder):
    (survivor,) = api.survivors(folder)
    assert (survivor.mutant, survivor.trial) == (SURVIVOR, "SearchTree (korat) scope 3")


@pytest.mark.parametrize("table", ["policies", "outcomes"])
def test_the_tables_of_other_tools_have_a_row_of_that_scope(folder, table):
    (row,) = api.tables(folder=folder, table=table)[table].rows
    assert row.labels == ("SearchTree", "korat", "ferastrau", "3")


def test_the_page_has_a_section_of_that_scope(folder):
    page = page_of(folder)
    assert '<h3 id="search_tree-korat-survivors">Survivors at scope 3</h3>' in page
    assert "every mutant that was run died" not in page
    assert '<td class="n">no mutant is run</td>' in page, "the summary has a row of the suite that was made"


def test_a_page_on_a_suite_alone_says_that_no_mutant_was_run(tmp_path):
    page = page_of(generated_run(tmp_path, 4))
    assert "<p>No mutant was run.</p>" in page
    assert "Mode generate runs no mutant." in page
    for misleading in ("every mutant that was run died", "not finished", "is not proven", "survivors</span>"):
        assert misleading not in page
