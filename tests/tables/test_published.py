"""No damaged byte of a printed table, a frozen run or a pinned set is taken for a fact."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.subjects import load_subject

from harness.analysis.frozen import read_frozen
from harness.checksums import FILE_NAME, is_changed, write_checksums
from harness.errors import ManifestError, MutascopeError, StoreError, UsageError
from harness.mutation.manifest import read_manifest
from harness.resources import shipped
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


SUBJECT, _ = load_subject("search_tree")
READERS: list[tuple[str, Callable[[Path], object], type[MutascopeError]]] = [
    ("mutants/search_tree/ferastrau", lambda folder: read_manifest(folder, SUBJECT), ManifestError),
    ("results/frozen/exhaustive2003", read_frozen, StoreError),
    ("results/published", lambda folder: read_published(folder, "exhaustive2003", "table4", 2), UsageError),
]


@pytest.mark.parametrize(("name", "read", "error"), READERS, ids=[name for name, _, _ in READERS])
def test_every_shipped_file_that_is_read_is_vouched_for(
    name: str, read: Callable[[Path], object], error: type[MutascopeError], tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(shipped(name), folder)
    read(folder)
    vouched = [line.split()[1] for line in (folder / FILE_NAME).read_text().splitlines()]
    data = [path.name for path in folder.iterdir() if path.suffix in (".csv", ".json", ".jsonl")]
    assert sorted(vouched) == sorted(data)
    changed = folder / next(each for each in sorted(vouched) if "published" not in name or "table4" in each)
    text = bytearray(changed.read_bytes())
    at = max(place for place, byte in enumerate(text) if chr(byte).isdigit())
    text[at] ^= 1  # another digit
    changed.write_bytes(text)
    with pytest.raises(error):
        read(folder)


@given(st.data())
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_changed_byte_is_told(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("vouched")
    text = bytearray(data.draw(st.binary(min_size=1, max_size=50)))
    (folder / "file").write_bytes(text)
    write_checksums(folder, ["file"])
    assert not is_changed(folder / "file")
    text[data.draw(st.integers(0, len(text) - 1))] ^= data.draw(st.integers(1, 255))
    (folder / "file").write_bytes(text)
    assert is_changed(folder / "file")


def test_a_file_that_nobody_vouches_for_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    assert not is_changed(tmp_path / "file")
    write_checksums(tmp_path, [])
    assert not is_changed(tmp_path / "file")
