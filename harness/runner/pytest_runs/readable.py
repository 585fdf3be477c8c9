"""Files of a project, and which of them its tests and the target can read: by import or by name."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from importlib.machinery import SOURCE_SUFFIXES, all_suffixes
from pathlib import Path, PurePath

from harness.runner.pytest_runs.project import MARKS

_NAME = re.compile(r"\.?[\w-][\w.-]*")
_ENDING = re.compile(r"""(?:["'*?}]|%\d*\w)(\.\w[\w.]*)""")
"""The end of a file's name that is put together, or looked for: `"*.json"`, `f"{case}.json"`, `"%s.json"`."""
_FOLDER = re.compile(r"""["'/]([\w.-]+)/?["']""")


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
