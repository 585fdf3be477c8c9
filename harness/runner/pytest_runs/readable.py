"""Files of a project, and which of them its tests and the target can read: by import or by name."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from importlib.machinery import SOURCE_SUFFIXES, all_suffixes
from pathlib import Path, PurePath

from harness.errors import StoreError
from harness.model.pytest_suite import SuiteRecord
from harness.runner.pytest_runs.project import MARKS, Project, suite_digest
from harness.store.facts import StoredTrial

_NAME = re.compile(r"\.?[\w-][\w.-]*")
_ENDING = re.compile(r"""(?:["'*?}]|%\d*\w)(\.\w[\w.]*)""")
"""The end of a file's name that is put together, or looked for: `"*.json"`, `f"{case}.json"`, `"%s.json"`."""
_FOLDER = re.compile(r"""["'/]([\w.-]+)/?["']""")


_AS_RUN = " as run"
_AGAIN = "run it again, in another folder if the experiment no longer has it"


def file_hashes(folder: Path) -> dict[str, str]:
    """Return a hash of the content of each file below a folder, or of where a link leads, by its path from there."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(
            os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
        ).hexdigest()[:32]
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def is_imported(path: str) -> bool:
    """Return True if Python or pytest finds the file by itself: a module, or a file of settings."""
    name = PurePath(path).name
    return name.endswith(tuple(all_suffixes())) or name in MARKS


def readable(folder: Path, files: Iterable[str]) -> set[str]:
    """Return which of these files, of which some may be gone, are imported, and which the text of modules can name.

    By the whole name, by its end where names are put together, or by a folder around the file that has no modules.
    """
    files = list(files)
    imported = {path for path in files if is_imported(path)}
    modules = [folder / path for path in imported if path.endswith(tuple(SOURCE_SUFFIXES))]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in modules if path.is_file())
    names = {name.rstrip(".") for name in _NAME.findall(text)}
    endings = tuple(set(_ENDING.findall(text)))
    folders = set(_FOLDER.findall(text))
    of_modules = {parent for path in imported for parent in PurePath(path).parents}

    def is_named(path: str) -> bool:
        place = PurePath(path)
        around = any(parent.name in folders and parent not in of_modules for parent in place.parents)
        return around or place.name.split()[-1] in names or place.name.endswith(endings)

    return imported | {path for path in files if is_named(path)}


def copy_as_run(project: Project, trial: StoredTrial, record: SuiteRecord, copied: Path) -> str:
    """Copy the files of a project as they were when a suite was run, and return their digest.

    Raises:
        StoreError: the target, or a file that it or the tests can read, is another one than it was.
    """
    if project.subject.source_hash != trial.source_hash:
        raise StoreError(f"{project.subject.source_path} was changed since {trial} was run; {_AGAIN}")
    digest = project.copy(copied)
    tests = [test.node_id for test in record.tests]
    if suite_digest(record.suite, digest, tests, record.excluded) == trial.suite_digest:
        return digest
    _make_as_run(project, copied, trial, record)
    return digest + _AS_RUN  # types that were observed on all files are kept under the digest alone


def _make_as_run(project: Project, copied: Path, trial: StoredTrial, record: SuiteRecord) -> None:
    """Remove from the copied files those that did not exist when the suite was run.

    Raises:
        StoreError: a file that the tests or the target can read was changed, or the run has not kept its files.
    """
    before, now = record.files, file_hashes(copied)
    if not before:
        raise StoreError(f"{project.root}: files were changed since {trial} was run; {_AGAIN}")
    for path in sorted(readable(copied, {*before, *now})):
        change = "added" if path not in before else "changed" if path in now else "removed"
        if now.get(path) != before.get(path) and (change != "added" or is_imported(path)):
            raise StoreError(f"{project.root / path} was {change} since {trial} was run; {_AGAIN}")
    for path in now.keys() - before.keys():
        (copied / path).unlink()
