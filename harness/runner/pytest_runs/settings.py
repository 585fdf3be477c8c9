"""Finds the folders that modules are imported from in a project's pytest settings; they are read, not executed."""

from __future__ import annotations

import shlex
import tomllib
from configparser import Error, RawConfigParser
from pathlib import Path

_INI = {"pytest.ini": "pytest", ".pytest.ini": "pytest", "tox.ini": "pytest", "setup.cfg": "tool:pytest"}
_FILES = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
"""The files in pytest's order: the first with a section for pytest counts, and so does a pytest.ini without one."""

_NEW_FILES = ("pytest.toml", ".pytest.toml")
"""Further files that pytest 9 opens."""


def import_folders(project: Path) -> list[Path]:
    """Return the folders that the setting `pythonpath` names, relative to the project's folder; unreadable files name
    none.

    Source: pytest's reference, "Initialization: determining rootdir and configfile" and `pythonpath`.
    """
    for name in _FILES:
        path = project / name
        if path.is_file():
            section = _section(path)
            if section is not None:
                return [project / folder for folder in _listed(section.get("pythonpath"))]
    return []


def settings_above(folder: Path) -> list[Path]:
    """Return the files of settings in the folders above one, which pytest opens while it looks for its own."""
    return [above / name for above in folder.parents for name in (*_NEW_FILES, *_FILES) if (above / name).is_file()]


def _section(path: Path) -> dict[str, object] | None:
    """Return pytest's settings in a file; None if it has none or does not parse, which pytest itself reports."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".toml":
            return _of_toml(tomllib.loads(text))
        read = RawConfigParser(strict=False, allow_no_value=True)
        read.read_string(text)
    except (OSError, ValueError, Error):
        return None
    if read.has_section(_INI[path.name]):
        return dict(read[_INI[path.name]])
    return {} if path.stem.endswith("pytest") else None


def _of_toml(document: dict[str, object]) -> dict[str, object] | None:
    tool = document.get("tool")
    pytest = tool.get("pytest") if isinstance(tool, dict) else None
    if not isinstance(pytest, dict):
        return None
    options = pytest.get("ini_options")  # pytest 9 knows settings in [tool.pytest] itself, too
    return options if isinstance(options, dict) else pytest


def _listed(value: object) -> list[str]:
    if isinstance(value, str):
        try:
            return shlex.split(value)
        except ValueError:
            return []
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
