"""Compares scores of two frozen runs: `python -m harness.papers.exhaustive2003.changes OLD NEW` prints Markdown.

The changelog uses it after a new choice of the mutants that count. A run that was frozen before trials named their
operator set is read as well.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from harness.analysis.percent import percent_text
from harness.errors import MutascopeError, StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import Verdict
from harness.papers.exhaustive2003.dataset import GENERATOR, order


class _Killed(NamedTuple):
    killed: int
    counted: int

    def __str__(self) -> str:
        ratio = Fraction(self.killed, self.counted) if self.counted else None
        return f"{percent_text(ratio)} ({self.killed}/{self.counted})"


_Scores = dict[tuple[str, int], _Killed]


def changes(old: Path, new: Path) -> str:
    """Return a row for each benchmark and scope of either run, in the paper's order, with a dash for a missing trial.

    Raises:
        StoreError: a folder is no frozen run.
    """
    before, after = _scores(old), _scores(new)
    lines = ["| benchmark | scope | killed before [%] | killed now [%] |", "|---|---|---|---|"]
    for title, scope in sorted({*before, *after}, key=lambda key: (*order(key[0]), key[1])):
        cells = [str(found.get((title, scope), "-")) for found in (before, after)]
        lines.append(f"| {title} | {scope} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _scores(folder: Path) -> _Scores:
    names = {row["trial"]: (row["title"], int(row["scope"])) for row in _rows(folder, "trials") if _is_scored(row)}
    counts: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for row in _rows(folder, "results"):
        if row["trial"] in names and row["status"] == "viable" and row["verdict"] != Verdict.STILLBORN.value:
            counts[names[row["trial"]]].append(row["verdict"] == Verdict.KILLED.value)
    return {name: _Killed(sum(killed), len(killed)) for name, killed in counts.items()}


def _is_scored(trial: dict[str, str]) -> bool:
    scored = trial["finished"] == "True" and trial["mode"] != ExecutionMode.GENERATE.value
    return scored and trial["generator"] == GENERATOR


def _rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    try:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            yield from csv.DictReader(file)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{folder}: not a frozen run ({error}); name the folder of one") from None


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m harness.papers.exhaustive2003.changes OLD NEW")
    try:
        print(changes(Path(sys.argv[1]), Path(sys.argv[2])))
    except MutascopeError as error:
        sys.exit(str(error))
