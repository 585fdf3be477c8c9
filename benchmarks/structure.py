"""Draws the folders of `harness/` and their imports for `docs/architecture.md`: `python -m benchmarks.structure`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "folders.svg"
WIDTH, ROW, HIGH = 960, 64, 30
"""Pixels: of the picture, from row to row, and of a box."""

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
    """Return the folders as an SVG. An arrow means "imports"; longer ways stand for shorter ones."""
    folders = {folder_of(name) for name in sources if "." in name}
    arrows = imports_between_folders({name: text for name, text in sources.items() if folder_of(name) in folders})
    floors = _floors(arrows)
    places: dict[str, tuple[float, float]] = {}
    for row, rooms in enumerate(floors):
        # A room stands below those that import it, so that few arrows cross.
        above = {room: [places[over][0] for over in places if room in arrows[over]] for room in rooms}
        rooms.sort(key=lambda room: (sum(above[room]) / max(len(above[room]), 1), room))
        for column, room in enumerate(rooms):
            places[room] = WIDTH * (2 * column + 1) / (2 * len(rooms)), ROW * row + HIGH
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {ROW * len(floors)}" font-family="sans-serif" '
        'font-size="15" text-anchor="middle">',
        "<title>The folders of harness/ and their imports</title>",
        f'<rect width="{WIDTH}" height="{ROW * len(floors)}" fill="white"/>',
        '<marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">'
        '<path d="M0,0 8,4 0,8z" fill="#667"/></marker>',
    ]
    for room, (x, y) in places.items():
        for below in sorted(arrows[room]):
            to_x, to_y = places[below]
            lines.append(
                f'<path d="M{x:.0f},{y + HIGH / 2:.0f} {to_x:.0f},{to_y - HIGH / 2:.0f}" stroke="#667" '
                'marker-end="url(#tip)"/>'
            )
    for room, (x, y) in places.items():
        wide = 9 * len(room) + 16
        lines.append(
            f'<rect x="{x - wide / 2:.0f}" y="{y - HIGH / 2:.0f}" width="{wide}" height="{HIGH}" rx="5" '
            f'fill="#eef" stroke="#446"/><text x="{x:.0f}" y="{y + 5:.0f}">{room}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _floors(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the rooms by the length of the longest way to them, the highest floor first."""
    depth = dict.fromkeys(arrows, 0)
    for _ in arrows:
        for room, below in arrows.items():
            for under in below:
                depth[under] = max(depth[under], depth[room] + 1)
    return [[room for room in sorted(arrows) if depth[room] == floor] for floor in range(max(depth.values()) + 1)]


def main() -> int:
    """Write the picture."""
    PICTURE.write_text(picture(sources_of_work_tree()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
