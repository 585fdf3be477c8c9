"""Finds public classes of `harness` that have the same name, and fails where no reason is given.

`make lint` runs `python -m benchmarks.class_names`. A class that a reader can mistake for another one gets a name of
its own. `SHARED` has the names that stay shared, each with the reason.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1] / "harness"

_BY_GENERATOR = "each generator has its own, in its own folder"
_BY_PROTOCOL = "a message of several protocols between processes; each protocol has its own module"
_BY_INPUTS = "one role in two kinds of runs: on generated suites, and on pytest suites"
_SECOND = "`kernel/naive` implements `kernel/judging` a second time, under the same names"

SHARED = {
    "Alive": _BY_PROTOCOL,
    "Judge": _SECOND,
    "MutantFacts": _BY_INPUTS,
    "MutantOrder": _BY_INPUTS,
    "ObserversOracle": _SECOND,
    "Options": _BY_GENERATOR,
    "Oracle": _SECOND,
    "OriginalRuns": _BY_INPUTS,
    "PostconditionOracle": _SECOND,
    "Production": _BY_GENERATOR,
    "PublicOracle": _SECOND,
    "Ready": _BY_PROTOCOL,
    "SequenceJudge": _SECOND,
}
"""The names that several public classes have, with the reason."""


def places_by_name(root: Path) -> Mapping[str, Sequence[str]]:
    """Return the places of the public classes below a folder, each a file and a line, by their names."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(root.rglob("*.py")):
        for line, name in _public_classes(file.read_text(encoding="utf-8")):
            places[name].append(f"{file.relative_to(root.parent).as_posix()}:{line}")
    return places


def _public_classes(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.lineno, node.name


def messages(root: Path, shared: Mapping[str, str]) -> Iterator[str]:
    """Yield a message for each name that is shared without a reason, and for each reason that is out of date."""
    places, here = places_by_name(root), Path(__file__).name
    for name, of_name in sorted(places.items()):
        if len(of_name) > 1 and name not in shared:
            yield f"{name}: {' and '.join(of_name)} have one name; rename one, or give the reason in {here}"
    for name in shared:
        if len(places.get(name, ())) < 2:
            yield f"{name}: no two classes have this name any more; remove it from {here}"


def main() -> int:
    """Print the messages; return the exit status."""
    lines = list(messages(ROOT, SHARED))
    print(*lines, sep="\n", end="\n" if lines else "")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
