"""A plain function of a package is a generator, also of a package that is installed from the folder it is edited in."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from support.documents import blocks
from walkthroughs.source_copy import SUBJECT, SourceCopy

CALLS = """
from grown.sizes import sizes


def calls(subject, scope, seed):
    for size in sizes(scope, seed):
        yield [("SearchTree",), *[("add", 0)] * size]


def live(subject, scope, seed):
    for size in sizes(scope, seed):
        tree = subject.module.SearchTree()
        for number in range(1, min(size, scope) + 1):
            tree.add(number)
        yield (tree, "add", (number + 1,))
"""
SIZES = "def sizes(scope, seed):\n    return [1, *range(1 + seed, 1 + seed + scope)]\n"
ENTRY_POINTS = "[mutascope.generators]\ncalls = grown.trees:calls\nlive = grown.trees:live\n"
FINDER = """
import importlib.util, sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "grown":
            return importlib.util.spec_from_file_location(name, {file!r}, submodule_search_locations=[{folder!r}])


sys.meta_path.append(Finder)
"""
"""What an editable installation executes when the interpreter starts."""


@pytest.mark.slow
def test_functions_of_a_package_are_rows_beside_other_generators_and_their_verdicts_are_verified(
    sources: SourceCopy, tmp_path: Path
) -> None:
    package = tmp_path / "project" / "grown"
    package.mkdir(parents=True)
    for name, text in (("__init__", ""), ("trees", CALLS), ("sizes", SIZES)):
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    sources.add("sitecustomize.py", FINDER.format(file=str(package / "__init__.py"), folder=str(package)))
    sources.add("grown-1.dist-info/METADATA", "Name: grown\nVersion: 1\n")
    sources.add("grown-1.dist-info/entry_points.txt", ENTRY_POINTS)
    generators = ("calls", "calls:distinct", "live", "beapi")
    chosen = [part for name in generators for part in ("--generator", name)]
    run = ("run", "--subject", SUBJECT, "--scope", "2", "--out", "run", *chosen)
    rows = {row["generator"]: row for row in sources.run(*run)["trials"]}
    assert [rows[name]["inputs"] for name in generators[:3]] == [2, 2, 2]
    assert rows["calls"]["own.repeated"] == 1
    assert rows["beapi"]["inputs"] > 2
    assert sources.run("verify", "run", "--sample", "3")["disagreements"] == []
    (package / "sizes.py").write_text(SIZES.replace("+ scope", "+ 2 * scope"), encoding="utf-8")
    rows = {row["generator"]: row for row in sources.run(*run)["trials"]}
    assert rows["calls"]["inputs"] == 4


@pytest.mark.slow
def test_the_packages_of_the_page_are_found_by_the_entry_points_of_the_page(sources: SourceCopy) -> None:
    page = [block for block in blocks("docs/plug_ins.md") if block.file is not None]
    projects = [tomllib.loads(block.text) for block in page if block.file == "pyproject.toml"]
    points = {
        name: place
        for project in projects
        for name, place in project["project"]["entry-points"]["mutascope.generators"].items()
    }
    files = {block.file: block.text for block in page}
    for module in {place.partition(":")[0].replace(".", "/") for place in points.values()}:
        sources.add(f"{module}.py", files[f"{module}.py"])
    sources.add("page-1.dist-info/METADATA", "Name: page\nVersion: 1\n")
    lines = ["[mutascope.generators]", *(f"{name} = {place}" for name, place in points.items())]
    sources.add("page-1.dist-info/entry_points.txt", "\n".join(lines))
    chosen = [part for name in points for part in ("--generator", name)]
    rows = sources.run("run", "--subject", SUBJECT, "--scope", "2", "--out", "run", *chosen)["trials"]
    assert {row["generator"] for row in rows if row["inputs"]} == {"mine", "trees", "largest"}
