"""Printed values are read with their digits and their place, and a damaged file is named."""

from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.tables.published import PublishedValue, read_published

FOLDER = Path(__file__).parents[2] / "results" / "published"


def test_a_value_keeps_its_printed_digits():
    table = read_published(FOLDER, "exhaustive2003", "table4", keys=2)
    cell = table.row("SearchTree", 2)["spec_branch_pct"]
    assert isinstance(cell, PublishedValue)
    assert cell.value == float(cell.printed)
    assert "." in cell.printed


@pytest.mark.parametrize(
    ("paper", "keys_of"),
    [
        ("exhaustive2003", {"table1": 1, "table3": 2, "table4": 2}),
        ("beapi2023", {"table1": 3, "table2": 3, "table3": 3}),
        ("field_exhaustive2016", {"table1": 2, "table2": 3, "table3": 2}),
    ],
)
def test_every_line_of_every_table_of_a_paper_is_read(paper, keys_of):
    for name, keys in keys_of.items():
        lines = (FOLDER / f"{paper}_{name}.csv").read_text().splitlines()
        assert len(read_published(FOLDER, paper, name, keys).rows) == len(lines) - 1 > 0


def test_a_row_is_named_by_the_texts_of_its_key_columns_whatever_they_contain(tmp_path):
    (tmp_path / "p_t.csv").write_text("benchmark,class,n\nReal World,LList,1\nReal,World LList,2\n")
    table = read_published(tmp_path, "p", "t", keys=2)
    assert [row.key for row in table.rows] == [("Real World", "LList"), ("Real", "World LList")]
    assert [table.row(*row.key).exact("n") for row in table.rows] == [1, 2]


def test_empty_cells_and_empty_files_hold_no_value(tmp_path):
    (tmp_path / "p_t.csv").write_text("name,a,b\nx,,TO\n")
    table = read_published(tmp_path, "p", "t", keys=1)
    (row,) = table.rows
    assert dict(row).keys() == {"name", "b"}
    assert (row.value("b"), row.exact("b"), row.exact("a")) == (None, None, None)
    assert not table.row("y")
    (tmp_path / "p_t.csv").write_text("")
    assert read_published(tmp_path, "p", "t", keys=1).rows == []


@pytest.mark.parametrize(
    ("text", "message"),
    [("name,a\nx,1,2\n", ":2: 3 cells under 2 columns"), ("name,a\nx,1\nx,2\n", ":3: a second line for x")],
)
def test_a_damaged_file_is_refused_with_its_line(tmp_path, text, message):
    (tmp_path / "p_t.csv").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_published(tmp_path, "p", "t", keys=1)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"p_t\.csv: published values cannot be read"):
        read_published(tmp_path, "p", "t", keys=1)
