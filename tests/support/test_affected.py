"""The plugin that runs what a change can affect: what it compares, chooses and says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.affected import explained, nearest_first
from support.changes import Changes, NoSuchCommit, changes_since

TESTS = Path(__file__).parents[1]

FILES = {
    "pytest.ini": f"[pytest]\npythonpath = {TESTS} .\nmarkers =\n    slow\n",
    "conftest.py": 'pytest_plugins = ["support.affected"]\n',
    ".gitignore": "__pycache__\n*.tmp\n",
    "pack/__init__.py": "",
    "pack/one.py": "",
    "pack/two.py": "from pack import one\n",
    "tests/test_one.py": "import pack.one\n\ndef test_one(): pass\n",
    "tests/test_two.py": "import pack.two\n\ndef test_two(): pass\n",
    "tests/test_none.py": "raise AssertionError('this file is imported')\n",
}


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=someone", "-c", "user.email=someone@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with one commit, on a branch that left main there."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    git(tmp_path, "switch", "--quiet", "--create", "work")
    return tmp_path


def run(repository: Path, *options: str) -> tuple[int, str]:
    """Run pytest there; return its exit status and what it printed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_commits_of_the_branch_and_what_is_not_committed_are_changes(repository: Path) -> None:
    (repository / "pack/one.py").write_text("x = 1\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message", "Change one")
    (repository / "pack/two.py").unlink()
    (repository / "pack/new ä.py").touch()
    (repository / "pack/ignored.tmp").touch()
    changes = changes_since(repository, "main")
    assert changes.changed == {"pack/one.py", "pack/two.py", "pack/new ä.py"}
    assert changes.deleted == {"pack/two.py"}
    assert changes.files == FILES.keys() - {"pack/two.py"} | {"pack/new ä.py"}


def test_what_changed_on_the_other_branch_meanwhile_is_no_change_of_this_one(repository: Path) -> None:
    git(repository, "switch", "--quiet", "main")
    (repository / "pack/one.py").write_text("x = 1\n", encoding="utf-8")
    git(repository, "commit", "--quiet", "--all", "--message", "Change one")
    git(repository, "switch", "--quiet", "work")
    assert changes_since(repository, "main").changed == set()


def test_a_file_that_was_moved_is_deleted_in_one_place_and_added_in_another(repository: Path) -> None:
    git(repository, "mv", "pack/two.py", "pack/three.py")
    assert changes_since(repository, "main").changed == {"pack/two.py", "pack/three.py"}


def test_a_reference_that_git_does_not_know_is_refused(repository: Path) -> None:
    with pytest.raises(NoSuchCommit, match=r"'nope'.*name another one"):
        changes_since(repository, "nope")


def test_mirrors_come_first_then_the_nearest_then_those_in_like_folders() -> None:
    distances = {
        "tests/b/test_far.py": 3,
        "tests/m/test_like.py": 2,
        "tests/b/test_unlike.py": 2,
        "tests/c/test_near.py": 1,
        "tests/m/test_it.py": 4,
    }
    assert [Path(file).stem for file in nearest_first(distances, ["harness/m/it.py"])] == [
        *("test_it", "test_near", "test_like", "test_unlike", "test_far")
    ]


def test_a_module_in_the_folder_of_a_shorter_path_is_no_mirror() -> None:
    assert nearest_first({"tests/a/test_it.py": 2, "tests/z/test_x.py": 1}, ["harness/a"]) == [
        *("tests/z/test_x.py", "tests/a/test_it.py")
    ]


@pytest.mark.parametrize(
    ("changed", "affected", "run_now", "line"),
    [
        ([], 0, 0, "0 of 2 test files can be affected by 0 changed files since main"),
        (["b.py"], 1, 1, "1 of 2 test files can be affected by 1 changed file since main (b.py)"),
        (
            ["d.py", "c.py", "b.py", "a.py"],
            2,
            1,
            "2 of 2 test files can be affected by 4 changed files since main (a.py, b.py, c.py, ...); "
            "the 1 nearest of them are run, and 1 are left to `make test`",
        ),
    ],
)
def test_one_line_says_what_changed_and_what_is_left_out(
    changed: list[str], affected: int, run_now: int, line: str
) -> None:
    changes = Changes(frozenset(["tests/test_a.py", "tests/test_b.py", "a.py"]), frozenset(changed))
    assert explained(changes, affected, run_now, "main") == line


@pytest.mark.end_to_end
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_affected_files_are_run_and_no_other_is_imported(repository: Path, workers: tuple[str, ...]) -> None:
    (repository / "pack/one.py").write_text("x = 1\n", encoding="utf-8")
    status, printed = run(repository, "--changed-since", "main", *workers)
    assert status == 0, printed
    assert "2 passed" in printed
    assert "2 of 3 test files can be affected by 1 changed file since main (pack/one.py)." in printed


@pytest.mark.end_to_end
def test_the_nearest_files_are_run_and_the_line_says_how_many_are_left(repository: Path) -> None:
    (repository / "pack/one.py").write_text("x = 1\n", encoding="utf-8")
    status, printed = run(repository, "--changed-since", "main", "--changed-files", "1", "-v")
    assert status == 0, printed
    assert "test_one.py::test_one PASSED" in printed
    assert "1 passed" in printed
    assert "the 1 nearest of them are run, and 1 are left to `make test`." in printed


@pytest.mark.end_to_end
def test_no_affected_test_is_no_failure(repository: Path) -> None:
    (repository / "notes.md").touch()
    status, printed = run(repository, "--changed-since", "main")
    assert (status, "0 of 3 test files can be affected by 1 changed file" in printed) == (0, True), printed
    (repository / "pack/one.py").write_text("x = 1\n", encoding="utf-8")
    status, printed = run(repository, "--changed-since", "main", "-m", "slow")
    assert (status, "2 deselected" in printed) == (0, True), printed


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--changed-since", "nope"], "ERROR: git finds no commit 'nope'"),
        (["--changed-since", "main", "--changed-files", "0"], "argument --changed-files: invalid"),
    ],
)
def test_wrong_use_ends_in_one_line(repository: Path, options: list[str], message: str) -> None:
    status, printed = run(repository, *options)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert message in printed
    assert "Traceback" not in printed
