"""Counts sizes of the folders of `harness/` at two commits, and draws its folders in `docs/architecture.md`.

`python -m benchmarks.structure COMMIT` counts at COMMIT and in the work tree, and writes `results/structure.md`.
`python -m benchmarks.structure --picture` writes the picture, whose arrows are the imports.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.measuring import markdown_table, write_result

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = re.compile(r"```mermaid\n.*?```\n", re.DOTALL)
COUNTED = ("lines", "files", "classes", "`main`s", "`Any`", "tables by hand", "starts of processes")
_CALLS = {
    "ComparisonTable": "tables by hand",
    "Table": "tables by hand",
    "PublishedTable": "",
    "SandboxedProcess": "starts of processes",
}
TABLES = ("tables", "papers.tables")
"""Folders that make tables for all others, so that tables made there are not made by hand."""

Sources = Mapping[str, str]
"""The texts of modules below `harness`, by dotted name."""


def sources_of_work_tree() -> Sources:
    """Read the modules as they are now."""
    files = sorted((ROOT / "harness").rglob("*.py"))
    return {_name(file.relative_to(ROOT / "harness")): file.read_text(encoding="utf-8") for file in files}


def sources_at(commit: str) -> Sources:
    """Read the modules of a commit."""
    packed = subprocess.run(["git", "archive", commit, "harness"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return {
            _name(Path(member.name).relative_to("harness")): archive.extractfile(member).read().decode()  # type: ignore[union-attr]
            for member in archive.getmembers()
            if member.name.endswith(".py")
        }


def _name(file: Path) -> str:
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def folder_of(module: str) -> str:
    """Return the first part of a module's name; "top level" for a module that stands beside the folders."""
    return module.partition(".")[0]


def counts(sources: Sources) -> dict[str, Counter[str]]:
    """Count lines, files, classes, `main`s, uses of `Any`, tables made by hand and starts of processes, by folder."""
    folders = {folder_of(name) for name in sources if "." in name}
    counts_of: dict[str, Counter[str]] = defaultdict(Counter)
    for name, text in sources.items():
        folder = folder_of(name)
        counted = counts_of[f"{folder}/" if folder in folders else "top level"]
        counted["files"] += 1
        counted["lines"] += len(text.splitlines())
        counted.update(_counted_in(name, ast.parse(text)))
    return dict(sorted(counts_of.items(), key=lambda item: (item[0] == "top level", item[0])))


def _counted_in(module: str, tree: ast.Module) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield "classes"
        elif isinstance(node, ast.FunctionDef) and node.name == "main":
            yield "`main`s"
        elif isinstance(node, ast.Name) and node.id == "Any":
            yield "`Any`"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            counted = _CALLS.get(node.func.id)
            if counted and not (counted == "tables by hand" and module.startswith(TABLES)):
                yield counted


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


def page(commit: str) -> list[str]:
    """Return the table of both commits, each cell with the count before and after."""
    before, after = counts(sources_at(commit)), counts(sources_of_work_tree())
    rows: list[list[object]] = [
        [folder, *(_change(before.get(folder, Counter())[one], after.get(folder, Counter())[one]) for one in COUNTED)]
        for folder in sorted({*before, *after}, key=lambda folder: (folder == "top level", folder))
    ]
    sums = [sum(before.values(), Counter()), sum(after.values(), Counter())]
    rows.append(["**all**", *(_change(sums[0][one], sums[1][one]) for one in COUNTED)])
    return [
        "# Sizes of the folders of `harness/`",
        "",
        f"At {commit}, and at the commit of this page. Lines count comments and empty lines.",
        "",
        *markdown_table(("folder", *COUNTED), rows),
    ]


def _change(before: int, after: int) -> str:
    return f"{after:,}" if before == after else f"{before:,} → {after:,}"


def main() -> int:
    """Write the table, or the picture."""
    parser = argparse.ArgumentParser(prog="benchmarks.structure", description=__doc__)
    parser.add_argument("commit", nargs="?", help="what to compare with")
    parser.add_argument("--picture", action="store_true", help="write the picture in docs/architecture.md")
    options = parser.parse_args()
    if options.picture:
        new_picture = picture(sources_of_work_tree())
        PAGE.write_text(PICTURE.sub(lambda _: new_picture, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    if options.commit:
        write_result("structure.md", page(options.commit))
    return 0


if __name__ == "__main__":
    sys.exit(main())
