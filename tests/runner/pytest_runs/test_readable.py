"""Readable files of a project are those that its tests and the target can read."""

import pytest

from harness.runner.pytest_runs.readable import file_hashes, readable

FILES = {
    "pyproject.toml": 'readme = "README.md"\n',
    "README.md": "",
    "till/core.py": 'CASES = "cases.json"\n',
    "tests/test_core.py": 'load("data/x.csv"); here.glob("*.yaml"); open(f"{n}.txt"); each("golden"); "%s.ini" % n\n',
    "tests/app.log": "",
    ".cache/store.bin": "",
    "tests/data/more.bin": "",
    "tests/cases.json": "",
    "data/x.csv": "",
    "data/y.csv": "",
    "a.yaml": "",
    "b.txt": "",
    "deep/golden/old/c.bin": "",
    "d.ini": "",
    "fast.so": "",
}
READ = {
    "pyproject.toml", "till/core.py", "tests/test_core.py", "fast.so", "tests/cases.json", "data/x.csv", "a.yaml",
    "b.txt", "deep/golden/old/c.bin", "d.ini",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_modules_and_settings_are_read_and_what_modules_name_in_whole_by_its_end_or_by_its_folder(folder):
    assert readable(folder, file_hashes(folder)) == READ


def test_a_file_that_is_gone_is_one_that_can_be_read_if_its_name_is_there(folder):
    (folder / "tests/cases.json").unlink()
    assert readable(folder, FILES) == READ


def test_files_are_told_by_content_and_links_by_where_they_lead(folder):
    (folder / "link").symlink_to("nowhere")
    first = file_hashes(folder)
    assert set(first) == {*FILES, "link"}
    (folder / "a.yaml").write_text("other")
    (folder / "link").unlink()
    (folder / "link").symlink_to("elsewhere")
    again = file_hashes(folder)
    assert {path for path in first if first[path] != again[path]} == {"a.yaml", "link"}
