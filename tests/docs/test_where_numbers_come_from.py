"""Every table of numbers in a document is held by a test, or says from which command, version and day it is."""

import re
from pathlib import Path

import pytest
from support.documents import GENERATED, ROOT, Table, tables

PAGES = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
DOCUMENTS = ["README.md", *(page for page in PAGES if page not in GENERATED)]
TESTS = [path.read_text() for path in (ROOT / "tests").rglob("test_*.py") if path.name != Path(__file__).name]
BEGINNING = re.compile(r'"(\| [^"]+)"')
"""The beginning of a table's first line, by which a test finds the table."""
HELD = {
    "docs/artifact.md": {"| result | its tables": "tests/docs/test_artifact.py"},
    "docs/candidate_sequences.md": {
        "| candidates | all |": "tests/generators/influence/test_enumeration.py",
        "| | jtc_ub_stack |": "tests/generators/policies/css/test_css_suites.py",
    },
    "docs/difference.md": {"| | relation | exit status |": "tests/difference/test_difference.py"},
    "docs/foreign_generators.md": {"| budget | rule |": "tests/docs/test_generators_page.py"},
    "docs/generators.md": {
        "| budget | rule |": "tests/docs/test_generators_page.py",
        "| class | scope | inputs |": "tests/docs/test_generators_page.py",
    },
    "docs/real_suites.md": {"| package | module |": "tests/docs/test_real_suites.py"},
    "docs/refactoring.md": {"| case | programs | scope |": "tests/subjects/test_rope_faults.py"},
    "docs/subjects.md": {
        "| subject, scope | vertices": "tests/subjects/test_graph_case_studies.py",
        "| structures of the printed suites": "tests/subjects/test_field_exhaustive_subjects.py",
    },
}
"""By document and the beginning of a table, the test that finds the table in another way and holds its numbers."""
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


def is_held(document: str, table: Table) -> bool:
    """Whether a test that names the document finds the table by its beginning, or is known to hold it."""
    name = document.rpartition("/")[2]
    named = [beginning for test in TESTS if name in test for beginning in BEGINNING.findall(test)]
    return any(map(table.heading.startswith, [*HELD.get(document, ()), *named]))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_table_of_numbers_is_held_by_a_test_or_says_where_it_comes_from(document):
    for table in tables(document):
        is_partly_held = table.heading.startswith(ONLY_THOROUGH.get(document, "none"))
        is_set = table.heading.startswith(NO_RESULTS.get(document, "none"))
        if table.has_numbers and not is_set and (is_partly_held or not is_held(document, table)):
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
    assert not is_held("docs/subjects.md", strange)
