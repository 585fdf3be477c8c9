"""Reads the second domain's numbers for Table 2: inputs, seconds, faults and bugs, by refactoring and technique."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from harness.errors import StoreError
from harness.papers.field_exhaustive2016.rope_bugs import bug_of

FILE = Path("refactoring", "faults.csv")
"""Below `results/frozen`: a row per case, generator, scope and seed (`python -m benchmarks.refactoring`)."""

TECHNIQUES = {"korat": "astgen", "hypothesis": "random", "field-exhaustive": "field_exhaustive"}
"""The technique of the paper that each generator is compared with, by its name without options."""
EXHAUSTIVE, RANDOM, FIELD_EXHAUSTIVE = TECHNIQUES.values()


@dataclass(frozen=True)
class Refactored:
    """One technique on one refactoring of our engine, over all its seeds.

    `title` is that of the case, the same as of the paper's row beside it where there is one
    (`EncapsulateField.SingleClassFieldRef`). `requested_programs` is the number of programs that a random technique was
    asked for; `inputs`, `bugs` and `faults` are the most of a seed, `seconds` the mean, of generating and testing. A
    bug is a place in the engine that would have to change (`rope_bugs`), a fault what an oracle can tell apart: one bug
    may cause several.
    """

    title: str
    technique: str
    scope: int
    requested_programs: int | None
    seeds: int
    inputs: int
    seconds: float
    bugs: int
    faults: int


def read_refactored(path: Path) -> Sequence[Refactored]:
    """Return the rows of the file by technique and scope, in its order; none if there is no such file.

    Raises:
        StoreError: the file was changed after it was written.
    """
    if not path.exists():
        return ()
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        groups: dict[tuple[str, str, str], list[Mapping[str, str]]] = {}
        for row in rows:
            if row["generator"].partition(":")[0] in TECHNIQUES:
                groups.setdefault((row["title"], row["generator"], row["scope"]), []).append(row)
        return [_over_seeds(*key, of_seeds) for key, of_seeds in groups.items()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path}: not what benchmarks.refactoring has written ({error!r}); restore it") from None


def fault_names(cell: str) -> list[str]:
    """Return the names of the faults in a cell such as `deletion @0; assignment chain @20`, with their first inputs."""
    return [name.rpartition(" @")[0] for name in cell.split("; ") if name]


def _over_seeds(title: str, generator: str, scope: str, rows: Sequence[Mapping[str, str]]) -> Refactored:
    name, _, requested = generator.partition(":")
    technique = TECHNIQUES[name]
    return Refactored(
        title,
        technique,
        int(scope),
        int(requested) if technique == RANDOM else None,
        len(rows),
        max(int(row["inputs"]) for row in rows),
        mean(float(row["generating"]) + float(row["testing"]) for row in rows),
        max(len({bug_of(row["subject"], name) for name in fault_names(row["faults"])}) for row in rows),
        max(len(fault_names(row["faults"])) for row in rows),
    )
