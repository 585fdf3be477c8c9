"""No changed byte of a pinned mutant set, a frozen run or a printed table is taken for a fact."""

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
from harness.tables.published import read_published

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
