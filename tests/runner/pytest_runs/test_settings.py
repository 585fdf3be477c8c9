"""The import paths in pytest's settings are read from each file that pytest reads."""

import pytest

from harness.runner.pytest_runs.project import import_folders, settings_above


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
