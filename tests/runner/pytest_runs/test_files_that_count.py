"""Files of a project that count: settings with import paths, and what tests and target can read."""

import pytest

from harness.runner.pytest_runs.project import import_folders, settings_above
from harness.runner.pytest_runs.readable import file_hashes, readable


@pytest.mark.parametrize(
    ("name", "text", "folders"),
    [
        ("pytest.ini", "[pytest]\npythonpath = lib 'my code'\n", ["lib", "my code"]),
        (".pytest.ini", "[pytest]\npythonpath =\n    lib\n    more\n", ["lib", "more"]),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["lib", "more"]\n', ["lib", "more"]),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "lib more"\n', ["lib", "more"]),
        ("pyproject.toml", '[tool.pytest]\npythonpath = ["lib"]\n', ["lib"]),
        ("tox.ini", "[pytest]\npythonpath = lib\n", ["lib"]),
        ("setup.cfg", "[tool:pytest]\npythonpath = lib\n", ["lib"]),
        ("setup.cfg", "[metadata]\npythonpath = lib\n", []),
        ("pytest.ini", "[pytest]\naddopts = -q %(x)s\n", []),
        ("pyproject.toml", "tool = 3\n", []),
        ("pyproject.toml", "[tool.pytest.ini_options]\npythonpath = 3\n", []),
        ("pyproject.toml", "[tool", []),
        ("pytest.ini", "[pytest]\npythonpath = 'lib\n", []),
    ],
)
def test_the_folders_are_those_that_the_file_names(tmp_path, name, text, folders):
    (tmp_path / name).write_text(text)
    assert import_folders(tmp_path) == [tmp_path / folder for folder in folders]


def test_the_first_file_with_settings_of_pytest_s_counts_as_pytest_itself_has_it(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "setup.cfg").write_text("[tool:pytest]\npythonpath = last\n")
    assert import_folders(tmp_path) == [tmp_path / "last"]
    (tmp_path / "tox.ini").write_text("[pytest]\npythonpath = third\n")
    assert import_folders(tmp_path) == [tmp_path / "third"]
    (tmp_path / "pytest.ini").write_text("")
    assert import_folders(tmp_path) == []


def test_files_of_settings_above_a_folder_are_those_that_pytest_opens(tmp_path):
    names = ["pyproject.toml", "inner/tox.ini", "inner/pytest.toml", "inner/setup.py", "inner/deep/pytest.ini"]
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    for name in names:
        (tmp_path / name).touch()
    above = [path for path in settings_above(tmp_path / "inner" / "deep") if tmp_path in path.parents]
    assert [str(path.relative_to(tmp_path)) for path in above] == [
        "inner/pytest.toml",
        "inner/tox.ini",
        "pyproject.toml",
    ]


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
