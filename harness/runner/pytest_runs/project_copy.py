"""Copies the files of a project, and bounds how many and how large they may be."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from harness.errors import UsageError
from harness.kernel.process.trees import OWN_FOLDER_PREFIX
from harness.resources import cache_folder, positive_variable
from harness.runner.logs import report_line
from harness.runner.progress import progress_count
from harness.runner.run_lock import FILE_NAME as LOCK
from harness.sandbox.folders import temporary_folder
from harness.store.database import FILE_NAME as STORE

_VARIABLE = "MUTASCOPE_COPY_GB"
_MOST_GB = 0.5
_BYTES = 1_000_000_000
_BYTES_AN_ENTRY = 25_000
"""Bytes of the limit for each file or folder: half a gigabyte allows 20,000 of them."""
_NO_SOURCES = frozenset({
    ".git", ".hg", ".svn", ".bzr", ".jj", "_darcs", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache",
    ".cache", ".tox", ".nox", "node_modules", "site-packages", ".hypothesis", ".ipynb_checkpoints",
})  # fmt: skip
"""Names of histories, caches and folders of installed packages."""
_NO_SOURCES_WITH = frozenset({"pyvenv.cfg", "conda-meta", "CACHEDIR.TAG", STORE})
"""A folder with one of these is a virtual environment, a cache or a run's."""
_WRITTEN = (OWN_FOLDER_PREFIX, STORE, LOCK, "run.log")
"""The beginnings of the names of files and folders that runs write."""
_PINNED = ("mutants", "modules")
"""The folder that mutants of modules are pinned in, and the one above it: they are no part of the project."""
_SYSTEM = tuple(map(Path, ("/proc", "/sys", "/dev", "/run")))
_SHOWN_EVERY = 100
_NAMED = 3
_tell_once = cache(report_line)


def copy_files(root: Path, chosen: Sequence[Path], needed: Iterable[Path], to: Path) -> dict[str, str]:
    """Copy a project to the folder `to`, and return a hash of each file by its path from `root`.

    Histories, caches, virtual environments, results and files that Mutascope writes are left out. Links are copied as
    links. Files that cannot be read are left out, and a line says so.

    Args:
        chosen: files and folders below `root` that are copied.
        needed: paths that a run needs, wherever temporary folders lie.

    Raises:
        UsageError: the project is larger than `MUTASCOPE_COPY_GB` allows.
    """
    listing = _Listing(root, needed, to)
    files = listing.files(chosen)
    hashes: dict[str, str] = {}
    with progress_count(f"copy {root}") as show_progress:
        for number, (path, status) in enumerate(files):
            relative = str(path.relative_to(root))
            place = to / relative
            place.parent.mkdir(parents=True, exist_ok=True)
            copied = _copied_link(path, place) if stat.S_ISLNK(status.st_mode) else _copied_file(path, place)
            if isinstance(copied, OSError):
                listing.leave(path, copied)
            else:
                hashes[relative] = copied
            if number % _SHOWN_EVERY == 0:
                show_progress(f"{number:,} of {len(files):,} files")
    listing.tell_left()
    return hashes


def _copied_link(path: Path, place: Path) -> str | OSError:
    """Copy a link, and return the hash of where it leads, or why it cannot be read."""
    try:
        leads = os.readlink(path)
    except OSError as error:
        return error
    place.symlink_to(leads)
    return hashlib.sha256(os.fsencode(leads)).hexdigest()


def _copied_file(path: Path, place: Path) -> str | OSError:
    """Copy a file with its mode and times, and return the hash of its content, or why it cannot be read."""
    try:
        shutil.copy2(path, place)
    except OSError as error:
        return error
    with place.open("rb") as copy:
        return hashlib.file_digest(copy, "sha256").hexdigest()


def _printable_path(path: Path) -> str:
    """Return a path as part of a line of text."""
    name = str(path)
    return name if name.isprintable() else ascii(name)


class _Listing:
    """The files of a project, which are counted while they are looked for."""

    def __init__(self, root: Path, needed: Iterable[Path], to: Path) -> None:
        self._root = root
        around = {above for path in needed for above in (path, *path.parents)}
        written = (cache_folder().resolve(), temporary_folder().resolve(), to.resolve())
        self._closed = {*written, *_SYSTEM} - around
        self._most = positive_variable(_VARIABLE, _MOST_GB, "gigabytes") * _BYTES
        self._size = 0
        self._largest = (0, "")
        self._entries: Counter[str] = Counter()
        """Files and folders by the first part of their paths."""
        self._left: dict[Path, str] = {}

    def files(self, chosen: Sequence[Path]) -> list[tuple[Path, os.stat_result]]:
        """Return the files and links with their status; folders are walked in the order of names."""
        files = []
        pending = [self._counted(path, path.lstat()) for path in chosen]
        pending.reverse()
        while pending:
            path, status = pending.pop()
            if stat.S_ISDIR(status.st_mode):
                if path in chosen or not any(os.path.lexists(path / name) for name in _NO_SOURCES_WITH):
                    pending += sorted(self._within(path), key=lambda entry: entry[0].name, reverse=True)
            elif stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                files.append((path, status))
            else:
                self._left[path] = "a pipe, socket or device"
        return files

    def leave(self, path: Path, error: OSError) -> None:
        """Note a file or folder that cannot be read; one that has just vanished was never there."""
        if not isinstance(error, FileNotFoundError):
            self._left[path] = error.strerror or str(error)

    def tell_left(self) -> None:
        """Tell in one line what was left out."""
        if self._left:
            first = list(self._left.items())[:_NAMED]
            named = [f"{_printable_path(path.relative_to(self._root))} ({why})" for path, why in first]
            more = f" and {len(self._left) - _NAMED:,} more" * (len(self._left) > _NAMED)
            _tell_once(f"{self._root}: not copied for the tests, as they cannot be read: {', '.join(named)}{more}")

    def _within(self, folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
        """Yield the entries of a folder that are to be copied."""
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not self._is_left_out(folder, entry.name):
                        yield from self._entry(folder / entry.name)
        except OSError as error:
            self.leave(folder, error)

    def _entry(self, path: Path) -> Iterator[tuple[Path, os.stat_result]]:
        try:
            yield self._counted(path, path.lstat())
        except OSError as error:
            self.leave(path, error)

    def _is_left_out(self, folder: Path, name: str) -> bool:
        is_pinned = (folder.name, name) == _PINNED
        return is_pinned or name in _NO_SOURCES or name.startswith(_WRITTEN) or folder / name in self._closed

    def _counted(self, path: Path, status: os.stat_result) -> tuple[Path, os.stat_result]:
        """Count a file or folder.

        Raises:
            UsageError: there are too many now, or they are too large.
        """
        relative_path = path.relative_to(self._root)
        self._entries[_printable_path(Path(*relative_path.parts[:1]))] += 1
        if stat.S_ISREG(status.st_mode):
            self._size += status.st_size
            self._largest = max(self._largest, (status.st_size, _printable_path(relative_path)))
        if self._size > self._most or self._entries.total() > self._most / _BYTES_AN_ENTRY:
            raise self._too_much()
        return path, status

    def _too_much(self) -> UsageError:
        if self._size > self._most:
            size, name = self._largest
            limit = f"more than {self._most / _BYTES:g} GB are to be copied (the largest file, {name}, has "
            limit += f"{size / _BYTES:.2f} GB)"
        else:
            ((name, count),) = self._entries.most_common(1)
            limit = f"more than {self._most / _BYTES_AN_ENTRY:,.0f} files and folders are to be copied ({count:,} of "
            limit += f"the first ones are {name} and what lies in it)"
        return UsageError(
            f"{self._root}: {limit}; stand in a smaller folder, which has a pyproject.toml of its own, or set "
            f"{_VARIABLE} to the gigabytes that may be copied"
        )
