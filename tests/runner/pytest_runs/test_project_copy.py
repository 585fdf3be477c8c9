"""Checks which files of a project are copied, the limit of their size, and files that cannot be copied."""

import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.own_project import own_project
from support.terminals import Terminal

from harness.errors import UsageError
from harness.model.pytest_suite import PytestSuite
from harness.runner.pytest_runs.project import find_project
from harness.sandbox.folders import locked_folder

_NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Make this process another user's if it is root's."""
    is_root = os.getuid() == 0
    if is_root:
        os.seteuid(_NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@contextmanager
def folder_for_all() -> Iterator[Path]:
    """Make a folder that every user may write, and remove it afterwards."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


FILES = {
    "data.txt", "pyproject.toml", "tests/conftest.py", "tests/test_core.py", "till/__init__.py", "till/core.py",
    "till/rates.py",
}  # fmt: skip
FEW = "0.0005"
"""Gigabytes: half a megabyte, or 20 files and folders."""


@pytest.fixture
def project(tmp_path):
    """A project's folder."""
    folder: Path = own_project(tmp_path / "own")
    return folder


def copied(project: Path, to: Path, tests: str = "tests") -> set[str]:
    """Copy a project, and return the files and links of the copy."""
    find_project(PytestSuite("till.core", (tests,), str(project))).copy(to)
    return {str(path.relative_to(to)) for path in to.rglob("*") if path.is_symlink() or path.is_file()}


@pytest.mark.parametrize("temporary", [".", "..", "tmp"])
def test_a_copy_among_the_project_s_files_contains_neither_itself_nor_other_temporary_folders(
    project, monkeypatch, temporary
):
    folder = project / temporary
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("TMPDIR", str(folder))
    with locked_folder() as mine, locked_folder() as another:
        (another / "written").write_text("x")
        (mine / "written").write_text("x")
        assert copied(project, mine / "pristine") == FILES


def test_a_folder_for_temporary_files_below_the_project_is_left_out_unless_the_tests_lie_there(
    project, tmp_path, monkeypatch
):
    (project / "tmp").mkdir()
    (project / "tmp" / "others.txt").write_text("x")
    monkeypatch.setenv("TMPDIR", str(project / "tmp"))
    assert copied(project, tmp_path / "without") == FILES
    shutil.copytree(project / "tests", project / "tmp" / "tests")
    assert "tmp/tests/test_core.py" in copied(project, tmp_path / "with", "tmp/tests")


def test_histories_environments_caches_and_results_are_left_out(project, tmp_path):
    names = [
        "env/pyvenv.cfg", "conda/conda-meta/history", "built/CACHEDIR.TAG", "results/own/run.sqlite", ".hg/store",
        "till/__pycache__/core.pyc",
        "lib/python3.12/site-packages/others.py", "run.sqlite", "run.sqlite-wal", "run.log",
    ]  # fmt: skip
    for name in names:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x")
        (project / name).with_name("beside.bin").write_text("x")
    (project / ".git").write_text("gitdir: ../others/.git/worktrees/own")
    assert copied(project, tmp_path / "copy") == FILES | {"beside.bin"}


@pytest.mark.parametrize("kind", ["folders", "files", "content"])
def test_more_than_the_limit_is_refused_in_one_line_before_anything_is_copied(project, tmp_path, monkeypatch, kind):
    monkeypatch.setenv("MUTASCOPE_COPY_GB", FEW)
    for number in range(20):
        (project / kind).mkdir(exist_ok=True)
        if kind == "folders":
            (project / kind / str(number)).mkdir()
        elif kind == "files":
            (project / kind / str(number)).touch()
    if kind == "content":
        with (project / "large.bin").open("wb") as large:
            large.truncate(700_000_000)
    with pytest.raises(UsageError) as refused:
        copied(project, tmp_path / "copy")
    cause = (
        rf"more than 20 files and folders are to be copied \([0-9]+ of the first ones are {kind} and what lies in it\)"
    )
    if kind == "content":
        cause = r"more than 0.0005 GB are to be copied \(the largest file, large.bin, has 0.70 GB\)"
    assert re.match(f"{re.escape(str(project))}: {cause}; ", str(refused.value))
    assert str(refused.value).endswith("or set MUTASCOPE_COPY_GB to the gigabytes that may be copied")
    assert "\n" not in str(refused.value)
    assert list((tmp_path / "copy").iterdir()) == []


def test_more_than_half_a_gigabyte_is_refused_if_nothing_else_is_said(project, tmp_path, monkeypatch):
    monkeypatch.delenv("MUTASCOPE_COPY_GB", raising=False)
    with (project / "large.bin").open("wb") as large:
        large.truncate(500_000_001)
    with pytest.raises(UsageError, match=r"more than 0\.5 GB are to be copied"):
        copied(project, tmp_path / "copy")


def test_what_is_looked_at_has_a_bound_however_many_files_there_are(project, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_COPY_GB", FEW)
    for number in range(200):
        (project / f"{number}.txt").touch()
    looked_at: list[Path] = []
    lstat = Path.lstat

    def noted(path: Path) -> os.stat_result:
        looked_at.append(path)
        return lstat(path)

    monkeypatch.setattr(Path, "lstat", noted)
    with pytest.raises(UsageError, match="more than"):
        copied(project, tmp_path / "copy")
    assert len([path for path in looked_at if project in path.parents]) < 50


def test_links_are_copied_as_links_and_not_followed(project, tmp_path):
    links = {"loop": ".", "everything": "/", "nowhere": "missing", "tests/data.txt": "../data.txt"}
    for name, leads in links.items():
        (project / name).symlink_to(leads)
    assert copied(project, tmp_path / "copy") == FILES | set(links)
    assert {name: str((tmp_path / "copy" / name).readlink()) for name in links} == links


def test_pipes_and_sockets_are_left_out_with_one_line(project, tmp_path, capsys):
    for number in range(4):
        os.mkfifo(project / f"pipe{number}\n")
    with socket.socket(socket.AF_UNIX) as listening:
        there = os.open(project, os.O_RDONLY)  # names of sockets must be short
        listening.bind(f"/proc/self/fd/{there}/a_socket")
        os.close(there)
        assert copied(project, tmp_path / "copy") == FILES
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert message.startswith(f"mutascope: {project}: not copied for the tests, as they cannot be read: ")
    assert "a_socket (a pipe, socket or device), 'pipe0\\n' (a pipe, socket or device)" in message
    assert message.endswith(" and 2 more\n")


def test_files_and_folders_of_others_are_left_out_with_one_line(capsys):
    with folder_for_all() as folder:
        project = own_project(folder / "own")
        (project / "private").mkdir()
        (project / "private" / "inner.txt").write_text("x")
        (project / "secret.txt").write_text("x")
        (project / "private").chmod(0)
        (project / "secret.txt").chmod(0)
        with as_nobody():
            assert copied(project, folder / "copy") == FILES
        message = capsys.readouterr().err
        (project / "private").chmod(0o700)
    assert message == (
        f"mutascope: {project}: not copied for the tests, as they cannot be read: private (Permission denied), "
        "secret.txt (Permission denied)\n"
    )


def test_a_file_that_vanishes_while_others_are_copied_was_never_there(project, tmp_path, monkeypatch):
    suite = PytestSuite("till.core", ("tests",), str(project))
    before = find_project(suite).copy(tmp_path / "before")
    (project / "a.lock").write_text("x")
    (project / "b.lock").symlink_to("a.lock")

    def changing(text: str) -> None:
        (project / "a.lock").unlink(missing_ok=True)
        (project / "b.lock").unlink(missing_ok=True)

    seen = Terminal(on_text=changing)
    monkeypatch.setattr(sys, "stderr", seen)
    assert find_project(suite).copy(tmp_path / "after") == before
    assert "not copied" not in seen.getvalue()


def test_a_file_whose_name_is_no_text_is_copied(project, tmp_path):
    Path(os.fsdecode(os.fsencode(project) + b"/\xff.txt")).touch()
    assert copied(project, tmp_path / "copy") == FILES | {"\udcff.txt"}


def test_a_copy_has_the_modes_and_times_of_its_files_and_can_be_read(project, tmp_path):
    (project / "data.txt").chmod(0o550)
    os.utime(project / "data.txt", (1_000_000, 2_000_000))
    copied(project, tmp_path / "copy")
    status = (tmp_path / "copy" / "data.txt").stat()
    assert (status.st_mode & 0o777, status.st_mtime) == (0o550, 2_000_000)
