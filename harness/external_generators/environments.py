"""Provides environments of tools: ours if a tool is installed here, else its own in the cache, with exact pins."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from harness.errors import UsageError
from harness.external_generators.tools import WritingTool
from harness.resources import cache_folder
from harness.sandbox.folders import collect_leftovers, locked_folder

_SECONDS = 900
"""The limit in seconds for making an environment, including downloads."""


def python_of(tool: WritingTool) -> Path:
    """Return the interpreter that has the tool; make its environment if it is missing, which a line says.

    Raises:
        UsageError: it cannot be made.
    """
    if not tool.pins or _is_here(tool):
        return Path(sys.executable)
    named = hashlib.sha256(f"{sys.version} {tool.pins}".encode()).hexdigest()[:16]
    folder = cache_folder() / "tools" / f"{tool.name}-{tool.version}-{named}"
    if not folder.is_dir():
        print(f"mutascope: {tool.name} {tool.version} gets an environment of its own, {folder}", file=sys.stderr)
        _make(tool, folder)
    return folder / "bin" / "python"


def _is_here(tool: WritingTool) -> bool:
    """Return whether this very version is installed here, with all its requirements, of whatever version."""
    name, _, version = tool.pins[0].partition("==")
    try:
        return metadata.version(name) == version and all(
            metadata.version(pin.partition("==")[0]) for pin in tool.pins[1:]
        )
    except metadata.PackageNotFoundError:
        return False


def _make(tool: WritingTool, folder: Path) -> None:
    """Make an environment next to its place, and move it there, so that an interruption leaves none."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    collect_leftovers(folder.parent)
    with locked_folder(folder.parent) as room:
        environment = room / "environment"
        pip = [str(environment / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
        try:
            for command in (
                [sys.executable, "-m", "venv", str(environment)],
                [*pip, "install", "--no-deps", *tool.pins],
            ):
                subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=True)
        except subprocess.SubprocessError as error:
            said = (getattr(error, "stderr", None) or b"").decode().strip()
            raise UsageError(
                f"no environment for {tool.name}: {said.splitlines()[-1] if said else error}; see that packages can be "
                f"downloaded, or install {tool.pins[0]} beside mutascope"
            ) from None
        with suppress(OSError):  # another process was faster
            os.rename(environment, folder)
