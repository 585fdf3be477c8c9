"""Runs a tool on a module of a copied project, in the sandbox, and reads the files with tests that it leaves.

A tool runs in our environment if it is installed there, else in one of its own in the cache, with exact pins.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import stat
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import harness
from harness.errors import UsageError
from harness.external_generators import bootstrap
from harness.external_generators.process import ERRORS, PRINTED, ToolEnd, ToolRequest
from harness.external_generators.tools import Request, WritingTool
from harness.kernel.process.child_process import signal_name
from harness.kernel.process.containment.contain import SECCOMP
from harness.resources import cache_folder
from harness.sandbox.ask import Question, ask
from harness.sandbox.folders import locked_folder
from harness.sandbox.levels import held_levels

MEMORY = 4 << 30
"""Bytes of address space."""

_FILE = 16 << 20
_LONGEST = 300


_MAKING_SECONDS = 900
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
    with locked_folder(folder.parent) as room:
        environment = room / "environment"
        pip = [str(environment / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"]
        try:
            for command in (
                [sys.executable, "-m", "venv", str(environment)],
                [*pip, "install", "--no-deps", *tool.pins],
            ):
                subprocess.run(
                    command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_MAKING_SECONDS, check=True
                )
        except subprocess.SubprocessError as error:
            said = (getattr(error, "stderr", None) or b"").decode().strip()
            raise UsageError(
                f"no environment for {tool.name}: {said.splitlines()[-1] if said else error}; see that packages can be "
                f"downloaded, or install {tool.pins[0]} beside mutascope"
            ) from None
        with suppress(OSError):  # another process was faster
            os.rename(environment, folder)


def cpu_limit(seconds: int) -> int:
    """Return the limit of processor seconds for a search of `seconds`: the tool also starts and writes."""
    return 3 * seconds + 60


def wall_limit(seconds: int) -> int:
    """Return the limit of elapsed seconds, which is much larger, since the machine may be busy."""
    return 10 * cpu_limit(seconds)


@dataclass(frozen=True)
class ToolRun:
    """The result of a tool: its files with tests, by name, and its end."""

    files: dict[str, str]
    arguments: tuple[str, ...]
    end: ToolEnd


def run_tool(tool: WritingTool, request: Request, roots: list[str], room: Path, readable: Path) -> ToolRun:
    """Run the tool once.

    Args:
        roots: folders from which the target's project is imported.
        room: a folder of its own, which contains the request's `out`.
        readable: the copied project.

    Raises:
        UsageError: the tool's environment cannot be made, or the tool dies, meets a limit, or leaves no test.
    """
    python = python_of(tool)
    Path(request.out).mkdir()
    arguments = tool.arguments(request)
    package = Path(harness.__file__).parent
    paths = [path for path in sys.path if path and Path(path).is_dir() and Path(path) != package.parent]
    parameters = {
        "package": str(package),
        "first": roots,
        "path": paths,
        "contained": SECCOMP in held_levels(),
        "entry": tool.entry,
        "arguments": arguments,
    }
    end = ask(
        Question(
            process="harness.external_generators.process",
            request=ToolRequest(
                command=(str(python), "-s", str(Path(bootstrap.__file__)), json.dumps(parameters)),
                environment={"PYTHONPATH": "", "HOME": str(room), **dict(tool.environment)},
                folder=str(room),
                cpu=cpu_limit(request.seconds),
                wall=wall_limit(request.seconds),
                memory=MEMORY,
                size=_FILE,
            ),
            answer=ToolEnd,
            work=f"{tool.name}: the process that runs it",
            readable=[python.parents[1], readable, *map(Path, paths)],
            writable=[room],
            error=UsageError,
            remedy="run it again",
        )
    )
    last_line = _last_line(room / ERRORS)
    _check_end(tool, request, end, last_line)
    files = _printed(tool, room) if tool.prints else _written(Path(request.out))
    if not any(tests_in(text) for text in files.values()):
        raise UsageError(
            f"{tool.name} {tool.version} wrote no test of {request.target}"
            f"{f' ({last_line})' if last_line else ''}; give it more --seconds, or a module with public functions "
            "whose parameters have types"
        )
    return ToolRun(files, arguments, end)


def tests_in(text: str) -> list[str]:
    """Return the names of a file's tests; none if it does not parse."""
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError):
        return []
    return [
        node.name
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")
    ]


def _check_end(tool: WritingTool, request: Request, end: ToolEnd, error_line: str) -> None:
    if end.over:
        raise UsageError(
            f"{tool.name} {tool.version} on {request.target} was ended: more than {cpu_limit(request.seconds)} s of "
            f"processor time or {wall_limit(request.seconds)} s in all; give it fewer --seconds, or a smaller module"
        )
    if end.status:
        how = f"by {signal_name(-end.status)}" if end.status < 0 else f"with exit status {end.status}"
        raise UsageError(
            f"{tool.name} {tool.version} on {request.target} ended {how}: {error_line or 'it says nothing'}; see that "
            "the module can be imported, or take another tool"
        )


def _printed(tool: WritingTool, room: Path) -> dict[str, str]:
    return {f"test_{tool.name.replace('-', '_')}.py": _text(room / PRINTED)}


def _written(out: Path) -> dict[str, str]:
    return {path.name: _text(path) for path in sorted(out.glob("*.py"))}


def _text(path: Path) -> str:
    """Return a file's text; it is empty if the tool put a link there, or anything but a plain file."""
    return path.read_bytes().decode("utf-8", "replace") if stat.S_ISREG(path.lstat().st_mode) else ""


def _last_line(path: Path) -> str:
    lines = [line.strip() for line in _text(path).splitlines() if line.strip()]
    return lines[-1][:_LONGEST] if lines else ""
