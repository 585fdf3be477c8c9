"""What exhaustive, field-exhaustive and random programs find of rope's faults: `python -m benchmarks.refactoring`.

Writes a row per case, generator, scope and seed to results/frozen/refactoring/faults.csv, and keeps the rows that it
has already; docs/refactoring.md shows the table that is made of them (field_exhaustive2016, Table 2).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

from harness import api

FILE = Path("results/frozen/refactoring/faults.csv")
COLUMNS = ("subject", "title", "generator", "scope", "seed", "inputs", "generating", "testing", "distinct", "faults")
SEEDS = (0, 1, 2)
EXHAUSTIVE = {
    "encapsulate_single": 2, "encapsulate_double": 2, "encapsulate_list": 3, "encapsulate_two": 3, "rename": 1,
    "move_method": 2, "inline": 2, "extract_variable": 2, "extract_method": 2,
}  # fmt: skip
"""The cases, with the scope at which all programs are tried."""


def trials(cases: Sequence[str]) -> list[tuple[str, str, int, int]]:
    """Case, generator, scope and seed, of all generators on these cases."""
    found = []
    for case in cases:
        scope = EXHAUSTIVE[case]
        found.append((case, "korat", scope, 0))
        found += [(case, "field-exhaustive", bound, seed) for bound in (scope, scope + 1) for seed in SEEDS]
        found += [(case, "hypothesis:50", scope, seed) for seed in SEEDS]
    return found


def row(case: str, generator: str, scope: int, seed: int) -> dict[str, object]:
    """A row: the names of all distinct faults, each with the number of the first input that shows it."""
    found = api.faults(f"refactoring/{case}", generator, scope, seed)
    named = [f"{fault.name} @{fault.first}" for fault in found.faults if fault.has_one_cause]
    return {
        "subject": case, "title": found.title, "generator": generator, "scope": scope, "seed": seed,
        "inputs": found.inputs, "generating": f"{found.generating:.2f}", "testing": f"{found.testing:.2f}",
        "distinct": len(named), "faults": "; ".join(named),
    }  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Runs what the file does not have yet; of the cases named, if any are."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    known = list(csv.DictReader(FILE.open(newline=""))) if FILE.is_file() else []
    done = {(one["subject"], one["generator"], one["scope"], one["seed"]) for one in known}
    for trial in trials(arguments or list(EXHAUSTIVE)):
        if tuple(map(str, trial)) in done:
            continue
        known.append({name: str(value) for name, value in row(*trial).items()})
        with FILE.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(known)
        print(*(known[-1][name] for name in COLUMNS if name != "faults"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
