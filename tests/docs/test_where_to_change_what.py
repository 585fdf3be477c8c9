"""In docs/architecture.md the picture is drawn from the imports, and the table names files and names that there are."""

import re

from support.documents import ROOT, rows_of

from benchmarks import structure

HARNESS = ROOT / "harness"
ROWS = [" | ".join(row) for row in rows_of("docs/architecture.md", "| to change |")]
_FILE = r"`([\w/*]+(?:\.py|/))`"
_NAMES_IN_FILE = re.compile(rf"`(\w+)`(?: and `(\w+)`)?,? in {_FILE}")


def test_each_row_has_one_file_to_open_first():
    assert len(ROWS) > 20
    assert [row for row in ROWS if len(re.findall(rf"\*\*{_FILE}\*\*", row)) != 1] == []


def test_the_files_to_change_are_there():
    files = {file for row in ROWS for file in re.findall(_FILE, row)}
    assert len(files) > 60
    assert sorted(file for file in files if not any(HARNESS.glob(file))) == []


def test_the_names_to_change_are_in_their_files():
    places = [(name, found[-1]) for row in ROWS for found in _NAMES_IN_FILE.findall(row) for name in found[:-1] if name]
    assert len(places) > 10
    texts = {file: (HARNESS / file).read_text(encoding="utf-8") for _, file in places}
    assert [(name, file) for name, file in places if not re.search(rf"\b{name}\b", texts[file])] == []


def test_the_picture_in_the_architecture_is_that_of_the_sources():
    drawn = structure.picture(structure.sources_of_work_tree())
    assert structure.PICTURE.read_text(encoding="utf-8") == drawn, "run `python -m benchmarks.structure`"
