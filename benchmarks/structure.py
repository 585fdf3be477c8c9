"""Draws the folders of `harness/` and their imports in `docs/architecture.md`: `python -m benchmarks.structure`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)

Sources = Mapping[str, str]
"""The texts of modules below `harness`, by dotted name."""


def sources_of_work_tree() -> Sources:
    """Read the modules as they are now."""
    files = sorted((ROOT / "harness").rglob("*.py"))
    return {_name(file.relative_to(ROOT / "harness")): file.read_text(encoding="utf-8") for file in files}


def _name(file: Path) -> str:
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def folder_of(module: str) -> str:
    """Return the first part of a module's name; "top level" for a module that stands beside the folders."""
    return module.partition(".")[0]


def imports_between_folders(sources: Sources) -> dict[str, set[str]]:
    """Return, by folder or module at the top level, those that it imports, without what follows from other imports."""
    direct: dict[str, set[str]] = {folder_of(name): set() for name in sources if name}
    for name, text in sources.items():
        for module in _imported(ast.parse(text)):
            if name and folder_of(module) in direct and folder_of(module) != folder_of(name):
                direct[folder_of(name)].add(folder_of(module))
    return {room: below - _reached({room: below}, direct) for room, below in direct.items()}


def _imported(tree: ast.Module) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "harness":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harness."):
            yield (node.module or "").removeprefix("harness.")


def _reached(start: Mapping[str, set[str]], direct: Mapping[str, set[str]]) -> set[str]:
    """Return the indirect imports: those of imported folders, over any number of steps."""
    (below,) = start.values()
    reached: set[str] = set()
    work = [further for room in below for further in direct[room]]
    while work:
        room = work.pop()
        if room not in reached:
            reached.add(room)
            work.extend(direct[room])
    return reached


def picture(sources: Sources) -> str:
    """Return the folders as a Mermaid flowchart. An arrow means "imports"; longer ways stand for shorter ones."""
    folders = {folder_of(name) for name in sources if "." in name}
    arrows = imports_between_folders({name: text for name, text in sources.items() if folder_of(name) in folders})
    lines = [f"    {room} --> {below}" for room in sorted(arrows) for below in sorted(arrows[room])]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])


def main() -> int:
    """Write the picture."""
    drawn = picture(sources_of_work_tree())
    PAGE.write_text(PICTURE.sub(lambda _: drawn, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
