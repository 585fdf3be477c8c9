"""Finds rope's faults by exhaustive, field-exhaustive and random programs: `python -m benchmarks.refactoring`.

Writes a row per case, generator, scope and seed to results/frozen/refactoring/faults.csv, and keeps the rows that it
already has. docs/refactoring.md shows the table of these rows, which `--table` prints.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.rope_faults import case_of
from harness import api
from harness.errors import SpecError
from harness.papers.field_exhaustive2016.run import bug_of, fault_names

FILE = Path("results/frozen/refactoring/faults.csv")
COLUMNS = ("subject", "title", "generator", "scope", "seed", "inputs", "generating", "testing", "distinct", "faults")
SEEDS = (0, 1, 2)
EXHAUSTIVE = {
    "encapsulate_single": 2, "encapsulate_double": 2, "encapsulate_list": 3, "encapsulate_two": 3, "rename": 1,
    "move_method": 2, "inline": 2, "extract_variable": 2, "extract_method": 2,
}  # fmt: skip
"""The cases, with the scope at which all programs are tried."""
FURTHER = {"encapsulate_single": 3, "encapsulate_double": 3, "encapsulate_two": 4, "rename": 2, "extract_variable": 3}
"""The next scope, of cases that have fewer than 25,000 programs there, more than at the scope before."""
MANY = 500
"""The number of random programs in a second, larger suite, at the first scope that has so many programs."""
SMALL = ("encapsulate_single", "encapsulate_double", "extract_variable")
"""Cases with fewer than `MANY` programs at the scope of `EXHAUSTIVE`."""


def trials(cases: Sequence[str]) -> list[tuple[str, str, int, int]]:
    """Return case, generator, scope and seed, of all generators on these cases, the slowest ones last."""
    of_fields = [
        (case, "field-exhaustive", EXHAUSTIVE[case] + more, seed) for case in cases for more in (0, 1) for seed in SEEDS
    ]
    everything = [
        (case, "korat", scopes[case], 0) for scopes in (EXHAUSTIVE, FURTHER) for case in cases if case in scopes
    ]
    few = [(case, "hypothesis:50", EXHAUSTIVE[case], seed) for seed in SEEDS for case in cases]
    many = [
        (case, f"hypothesis:{MANY}", FURTHER[case] if case in SMALL else EXHAUSTIVE[case], seed)
        for seed in SEEDS
        for case in cases
    ]
    return of_fields + everything + few + many


def row(case: str, generator: str, scope: int, seed: int) -> dict[str, object]:
    """Return a row: the names of all distinct faults, each with the number of the first input that shows it."""
    report = api.faults(f"refactoring/{case}", generator, scope, seed)
    named = [f"{fault.name} @{fault.first}" for fault in report.faults if fault.has_one_cause]
    return {
        "subject": case, "title": report.title, "generator": generator, "scope": scope, "seed": seed,
        "inputs": report.inputs, "generating": f"{report.generating:.2f}", "testing": f"{report.testing:.2f}",
        "distinct": len(named), "faults": "; ".join(named),
    }  # fmt: skip


def stored() -> list[dict[str, str]]:
    """Return the rows of the file; none if there is no such file."""
    return list(csv.DictReader(FILE.open(encoding="utf-8", newline=""))) if FILE.is_file() else []


def table(rows: Sequence[dict[str, str]]) -> str:
    """Return a Markdown table of inputs, seconds, distinct faults and bugs by case, technique and scope, over the
    seeds.
    """
    lines = [
        "| case | programs | scope | inputs | seconds | faults | of all seeds | bugs |",
        "|---|---|---|---|---|---|---|---|",
    ]
    groups: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for one in sorted(rows, key=_order):
        groups.setdefault((one["subject"], one["generator"], one["scope"]), []).append(one)
    for (case, generator, scope), seeds in groups.items():
        seconds = [float(one["generating"]) + float(one["testing"]) for one in seeds]
        names = {name for one in seeds for name in fault_names(one["faults"])}
        cells = [case, generator, scope, _range(seeds, "inputs"), f"{sum(seconds) / len(seconds):.1f}"]
        bugs = {bug_of(case, name) for name in names}
        lines.append(f"| {' | '.join([*cells, _range(seeds, 'distinct'), str(len(names)), str(len(bugs))])} |")
    return "\n".join(lines)


def _order(row: Mapping[str, str]) -> tuple[int, bool, str, int, int]:
    """Return the place of a row in the file: by case, all programs first, then by generator, scope and seed."""
    case = list(EXHAUSTIVE).index(row["subject"])
    return case, row["generator"] != "korat", row["generator"], int(row["scope"]), int(row["seed"])


def _range(rows: Sequence[dict[str, str]], name: str) -> str:
    """Return the values of a column over the seeds, as `7` or `2 to 7`."""
    values = sorted(int(one[name]) for one in rows)
    return f"{values[0]:,}" if values[0] == values[-1] else f"{values[0]:,} to {values[-1]:,}"


def main(arguments: Sequence[str]) -> int:
    """Run the trials that the file does not have yet, of the named cases if there are any."""
    parser = argparse.ArgumentParser(
        description="What all, field-exhaustive and random programs find of rope's faults."
    )
    parser.add_argument(
        "cases", nargs="*", type=case_of(EXHAUSTIVE), metavar="CASE", help="default: all that there are"
    )
    parser.add_argument("--table", action="store_true", help="print the table of what there is; nothing is run")
    options = parser.parse_args(arguments)
    known_rows = stored()
    if options.table:
        print(table(known_rows))
        return 0
    FILE.parent.mkdir(parents=True, exist_ok=True)
    done = {(one["subject"], one["generator"], one["scope"], one["seed"]) for one in known_rows}
    for trial in trials(options.cases or list(EXHAUSTIVE)):
        if tuple(map(str, trial)) in done:
            continue
        try:
            known_rows.append({name: str(value) for name, value in row(*trial).items()})
        except SpecError as error:  # no valid state was drawn
            print(error, flush=True)
            continue
        with FILE.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(sorted(known_rows, key=_order))
        print(*(known_rows[-1][name] for name in COLUMNS if name != "faults"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
