"""The index of decisions has each decision once, below a topic, with the number, title and date of its page."""

import re

from support.documents import ROOT, tables

FOLDER = ROOT / "docs" / "decisions"
TABLES = tables("docs/decisions/README.md")
ROWS = [row for table in TABLES for row in table.rows]


def row_of(file: str) -> list[str]:
    """Return the row that the page of a decision must have."""
    heading = (FOLDER / file).read_text(encoding="utf-8").splitlines()[0]
    title, date = re.fullmatch(r"# (.+) \((20\d\d-\d\d-\d\d)\)", heading).groups()
    return [file[:3], date, f"[{title}]({file})"]


def test_the_index_has_each_decision_once_with_its_number_date_and_title():
    assert sorted(ROWS) == [row_of(path.name) for path in sorted(FOLDER.glob("[0-9]*.md"))]


def test_the_decisions_of_a_topic_are_in_the_order_of_their_numbers():
    assert [table.rows for table in TABLES] == [sorted(table.rows) for table in TABLES]
    assert all(table.section.startswith("## ") for table in TABLES)
