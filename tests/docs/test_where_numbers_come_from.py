"""Every table of numbers in a document is held by a test, or says from which command, version and day it is."""

import re

import pytest
from support.documents import GENERATED, ROOT, Table, tables

PAGES = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
DOCUMENTS = ["README.md", *(page for page in PAGES if page not in GENERATED)]
FROZEN, SMALL = "tests/docs/test_numbers_of_frozen_runs.py", "tests/docs/test_numbers_of_small_runs.py"
HELD = {
    "docs/artifact.md": {"| result | its tables": "tests/docs/test_artifact.py"},
    "docs/beapi2023.md": {"| claim |": "tests/docs/test_papers_pages.py"},
    "docs/exhaustive2003.md": {"| hypothesis |": "tests/docs/test_papers_pages.py"},
    "docs/candidate_sequences.md": {
        "| length n |": "tests/generators/influence/test_candidates_page.py",
        "| candidates | all |": "tests/generators/influence/test_candidates_page.py",
        "| | jtc_ub_stack |": "tests/generators/policies/css/test_css_options.py",
    },
    "docs/difference.md": {
        "| | relation | exit status |": "tests/difference/test_difference.py",
        "| benchmark, class | flaw |": "tests/difference/test_flaws.py",
        "| subject | A | R |": SMALL,
    },
    "docs/experiments.md": {"| subject | scope | mutants | differential": FROZEN},
    "docs/field_exhaustive.md": {"| subject | no option |": "tests/docs/test_field_exhaustive_page.py"},
    "docs/foreign_generators.md": {
        "| suite | seed |": "tests/docs/test_foreign_generators_page.py",
        "| budget | rule |": "tests/docs/test_foreign_generators_page.py",
    },
    "docs/generators.md": {
        "| budget | rule |": "tests/docs/test_generators_page.py",
        "| class | scope | inputs |": "tests/docs/test_generators_page.py",
    },
    "docs/jtestcraft2010.md": {"| class | calls on each state": FROZEN, "| class | methods | conditions": FROZEN},
    "docs/real_classes.md": {"| class | scope | states": SMALL},
    "docs/real_containers.md": {"| container | structures": SMALL, "| container | scope | inputs": SMALL},
    "docs/real_suites.md": {
        "| package | from |": "tests/docs/test_real_suites.py",
        "| package | module |": "tests/docs/test_real_suites.py",
    },
    "docs/refactoring.md": {
        "| case | programs | scope |": "tests/subjects/test_rope_faults.py",
        "| case | programs | inputs |": SMALL,
    },
    "docs/subjects.md": {
        "| subject | lines (ours": FROZEN,
        "| states at scope | 1 |": "tests/subjects/test_structure_counts.py",
        "| inputs at scope | 1 |": FROZEN,
        "| assumption | 1 |": "tests/subjects/test_av_tree.py",
        "| subject | folder | the paper's | structures": FROZEN,
        "| candidates explored at scope": FROZEN,
        "| states at scope | candidates": FROZEN,
        "| subject, scope | vertices": "tests/subjects/test_graph_case_studies.py",
        "| subject, scope | inputs, here and printed": FROZEN,
        "| mutants (`ferastrau` /": FROZEN,
        "| structures of the printed suites": "tests/subjects/test_field_exhaustive_subjects.py",
    },
    "docs/symbolic.md": {"| class | here: 5, 6, 7, 8 calls": FROZEN},
}
"""By document and the beginning of a table's first line, the test that holds its numbers."""
NO_RESULTS = {"docs/containment.md": "| what | how much |"}
"""Tables of numbers that are set, not measured."""
ONLY_THOROUGH = {
    "docs/real_classes.md": "| class | scope | states",
    "docs/real_containers.md": "| container | scope | inputs",
    "docs/refactoring.md": "| case | programs | inputs |",
}
"""Tables of which CI makes a part, so that they say where the rest comes from, as those do that no test holds."""
SOURCE = re.compile(r"Numbers of `[^`]+`, made with mutascope [\d.]+ at commit [\da-f]{7,} on 20\d\d-\d\d-\d\d")


def section_of(document: str, table: Table) -> str:
    """Return the text from the heading above a table to the next heading, in one line."""
    before, heading, behind = (ROOT / document).read_text().partition(table.heading)
    return " ".join((before.rpartition("\n#")[2] + heading + behind.partition("\n#")[0]).split())


def held(document: str, table: Table) -> list[str]:
    return [test for beginning, test in HELD.get(document, {}).items() if table.heading.startswith(beginning)]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_table_of_numbers_is_held_by_a_test_or_says_where_it_comes_from(document):
    for table in tables(document):
        is_partly_held = table.heading.startswith(ONLY_THOROUGH.get(document, "none"))
        is_set = table.heading.startswith(NO_RESULTS.get(document, "none"))
        if table.has_numbers and not is_set and (is_partly_held or not held(document, table)):
            assert SOURCE.search(section_of(document, table)), f"{document}: {table.heading}"


@pytest.mark.parametrize("document", HELD)
def test_each_test_that_holds_a_table_is_there_and_names_the_document(document):
    headings = [table.heading for table in tables(document)]
    for beginning, test in HELD[document].items():
        assert any(heading.startswith(beginning) for heading in headings), beginning
        assert document.rpartition("/")[2] in (ROOT / test).read_text(), test


def test_a_table_that_nothing_holds_and_that_says_nothing_is_found():
    strange = Table("## Section", "| what | how many |", [["trees", "15"]])
    assert strange.has_numbers
    assert not held("docs/subjects.md", strange)
