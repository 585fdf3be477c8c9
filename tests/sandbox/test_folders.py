"""Temporary folders go with their process, or with the next run; a living process keeps its own."""

import os
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.sandbox import folders
from harness.sandbox.folders import collect_leftovers, locked_folder, remove_tree

OWNER = """
import sys, time
from pathlib import Path
from harness.sandbox.folders import locked_folder
with locked_folder(Path(sys.argv[1])) as folder:
    (folder / "file").write_text("text")
    print(folder, flush=True)
    time.sleep(600)
"""


def owner(below: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that holds a folder; return it and that folder."""
    process = subprocess.Popen([sys.executable, "-c", OWNER, str(below)], stdout=subprocess.PIPE, encoding="utf-8")
    return process, Path(process.stdout.readline().rstrip("\n"))


def test_without_a_place_it_lies_among_temporary_ones_with_an_absolute_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", ".")
    with locked_folder() as folder:
        assert folder.is_absolute()
        assert folder.parent == tmp_path


@pytest.fixture
def owned(tmp_path):
    """The folder of a killed process, and that of a living one."""
    killed, left = owner(tmp_path)
    living, folder = owner(tmp_path)
    killed.kill()
    killed.communicate()
    yield left, folder
    living.kill()
    living.communicate()


def test_the_folder_of_a_killed_process_is_collected_and_that_of_a_living_one_is_not(tmp_path, owned):
    left, living = owned
    with locked_folder(tmp_path) as ours:
        collect_leftovers(tmp_path)
        assert sorted(tmp_path.iterdir()) == sorted([living, ours])
    assert not left.exists()
    assert (living / "file").read_text() == "text"


def test_a_forked_process_does_not_keep_the_folder_of_its_dead_parent(tmp_path):
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        with locked_folder(tmp_path):
            if os.fork() == 0:
                os.kill(os.getppid(), signal.SIGKILL)
                os.write(write, str(os.getpid()).encode())
            while True:
                signal.pause()
    os.close(write)
    os.waitpid(parent, 0)
    child = int(os.read(read, 100))
    os.close(read)
    try:
        collect_leftovers(tmp_path)
        assert list(tmp_path.iterdir()) == []
    finally:
        os.kill(child, signal.SIGKILL)


def test_what_is_not_ours_stays(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("text")
    (tmp_path / f"{folders.OWN_FOLDER_PREFIX}link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / f"{folders.OWN_FOLDER_PREFIX}file").write_text("text")
    (tmp_path / "mutascope-of-another-kind").mkdir()
    before = sorted(tmp_path.iterdir())
    collect_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "elsewhere" / "file").exists()
    (tmp_path / f"{folders.OWN_FOLDER_PREFIX}anothers").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: os.geteuid() + 1)
        collect_leftovers(tmp_path)
    assert (tmp_path / f"{folders.OWN_FOLDER_PREFIX}anothers").exists()
    collect_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_collected_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    take, descriptors = folders.take, []

    def collected_at_first(descriptor: int) -> folders.Lock:
        descriptors.append(descriptor)
        if len(descriptors) == 1:
            (created,) = tmp_path.iterdir()
            created.rmdir()
        return take(descriptor)

    monkeypatch.setattr(folders, "take", collected_at_first)
    with locked_folder(tmp_path) as folder:
        assert folder.is_dir()
        assert len(descriptors) == 2


@pytest.mark.slow
def test_a_folder_of_great_depth_is_removed(tmp_path):
    top = tmp_path / "top"
    top.mkdir()
    at = os.open(top, os.O_RDONLY)
    for _ in range(5000):
        os.mkdir("d" * 200, dir_fd=at)
        deeper = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = deeper
    os.close(at)
    remove_tree(top)
    assert not top.exists()


def test_permissions_and_links_do_not_keep_a_folder(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    (outside.parent / "file").write_text("text")
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "b" / "file").write_text("text")
    (top / "a" / "link").symlink_to(outside)
    os.mkfifo(top / "a" / "pipe")
    for folder in (top / "a" / "b", top / "a", top):
        folder.chmod(0)
    remove_tree(top)
    assert not top.exists()
    assert outside.stat().st_mode & 0o777 == 0o500


def test_a_link_in_place_of_a_folder_changes_nothing_outside(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(outside)
    file.touch(mode=0o600)
    remove_tree(link)
    remove_tree(file)
    assert (outside.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o500, 0o600)
    assert link.is_symlink()


def test_any_tree_is_removed(tmp_path):
    chance = random.Random(7)
    for number in range(20):
        top = tmp_path / str(number)
        paths = [top]
        top.mkdir()
        for name in range(chance.randrange(40)):
            paths.append(chance.choice(paths) / str(name))
            paths[-1].mkdir()
            (paths[-1] / "file").touch(mode=chance.choice([0, 0o644]))
        for folder in reversed(paths):
            folder.chmod(chance.choice([0, 0o300, 0o500, 0o700]))
        remove_tree(top)
        assert not top.exists()


def test_nothing_but_the_folder_itself_is_ever_made_among_temporary_files(tmp_path, monkeypatch):
    def tries() -> str:
        raise AssertionError("writes a file to try")

    monkeypatch.setattr(tempfile, "gettempdir", tries)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("TEMP", str(tmp_path))
    with locked_folder() as folder:
        assert list(tmp_path.iterdir()) == [folder]
        collect_leftovers()
    assert list(tmp_path.iterdir()) == []
