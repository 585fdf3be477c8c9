"""Finds the hostile programs that each level contains: `python -m benchmarks.audit.levels [--every N]`."""

from __future__ import annotations

import argparse
import sys

from containment import trial
from containment.hostile import PROGRAMS
from containment.hostile.program import Program
from containment.survey import honest_facts, survey

from benchmarks.measuring import machine, markdown_table, write_result

LEVELS = {
    "all": None,
    "namespaces": "namespaces",
    "Landlock": "landlock",
    "seccomp": "seccomp",
    "none": "",
}
"""Columns of the table, and the levels that each leaves to be used."""

_SECONDS = 60
"""Seconds after which a run counts as hanging; without containment, some programs make it hang."""


def main() -> None:
    """Run the programs at each level and write the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.audit.levels", description=__doc__)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth program only: nothing is written")
    every = parser.parse_args().every
    trial.SECONDS = _SECONDS
    programs = [p for p in PROGRAMS.values() if not (p.waits or p.dear)][::every]
    escapes = {column: _out(programs, levels) for column, levels in LEVELS.items()}
    lines = ["# Hostile programs and the levels that contain them", "", machine(), ""]
    lines += ["Contained, of those tried; programs that only take time are left out.", ""]
    lines += markdown_table(("family", *LEVELS), _rows(programs, escapes))
    lines += ["", "## What gets out", ""]
    for column, out in escapes.items():
        lines.append(f"* {column}: {', '.join(sorted(out)) or 'nothing'}")
    write_result("containment.md", lines, keep=every == 1)


def _out(programs: list[Program], levels: str | None) -> set[str]:
    honest = honest_facts(levels)
    survey_of = survey(programs, honest, levels, verify=False, report=_report)
    return {name for name, what in survey_of.items() if what}


def _report(text: str) -> None:
    print(text[:100], file=sys.stderr)


def _rows(programs: list[Program], found: dict[str, set[str]]) -> list[list[object]]:
    rows: list[list[object]] = []
    for family in dict.fromkeys(program.family for program in programs):
        names = {program.name for program in programs if program.family == family}
        rows.append([family, *(f"{len(names - out)} of {len(names)}" for out in found.values())])
    names = {program.name for program in programs}
    rows.append(["**all**", *(f"{len(names - out)} of {len(names)}" for out in found.values())])
    return rows


if __name__ == "__main__":
    main()
