"""The checksums of frozen results are those of the files, and docs/artifact.md has a row with true times for each."""

import csv
import hashlib
import shlex
from collections import Counter
from importlib.util import find_spec

import pytest
from support.documents import ROOT, tables

from harness import api

FROZEN = ROOT / "results" / "frozen"
SUMS = FROZEN / "SHA256SUMS"
RESULTS = {row[0].strip("`"): row[1:] for row in tables("docs/artifact.md")[0].rows}
COMMANDS = [part.strip("`") for row in RESULTS.values() for cell in row[:2] for part in cell.split(" && ")]
PAGES = {"generators_compared": "docs/generators.md", "foreign_generators": "docs/foreign_generators.md"}
"""The pages that state the time of a result whose files have none."""


def column(path: str, name: str) -> list[str]:
    with (FROZEN / path).open(newline="", encoding="utf-8") as file:
        return [row[name] for row in csv.DictReader(file)]


def seconds(path: str, name: str) -> str:
    return f"{sum(float(value or 0) for value in column(path, name)):,.0f} s"


def recorded_times(result: str) -> str:
    """Return the cell of the times that the files of a result have."""
    if result == "real_suites":
        return f"all {seconds('real_suites/costs.csv', 'seconds')}"
    if result == "refactoring":
        file = "refactoring/faults.csv"
        return f"programs {seconds(file, 'generating')}, tests {seconds(file, 'testing')}"
    file = f"{result}/timings.csv"
    sums: Counter[str] = Counter()
    for activity, value in zip(column(file, "what"), column(file, "seconds"), strict=True):
        sums[activity] += float(value)
    names = {"generate": "suites", "coverage": "coverage", "baseline": "original"}
    return ", ".join(f"{names[what]} {sums[what]:,.0f} s" for what in names if sums[what]) or "none"


def test_the_checksums_are_those_of_all_frozen_files():
    files = [path for path in FROZEN.rglob("*") if path.is_file() and path != SUMS and path.suffix != ".md"]
    names = sorted(path.relative_to(ROOT).as_posix() for path in files)
    sums = [f"{hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}  {name}" for name in names]
    assert SUMS.read_text(encoding="utf-8").splitlines() == sums


def test_the_page_has_a_row_for_each_frozen_result():
    assert sorted(RESULTS) == sorted(path.name for path in FROZEN.iterdir() if path.is_dir())


@pytest.mark.parametrize("result", RESULTS)
def test_the_times_of_a_result_are_those_that_its_files_or_its_page_record(result):
    times = RESULTS[result][2]
    if result in PAGES:
        assert times.removeprefix("all ") in (ROOT / PAGES[result]).read_text(encoding="utf-8")
    else:
        assert times == recorded_times(result)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_of_a_result_names_things_that_there_are(command):
    program, *words = shlex.split(command)
    if program == "python":
        assert find_spec(words[1]) is not None
    elif program == "cat":
        assert (ROOT / words[0]).is_file()
    else:
        assert program == "mutascope"
        assert (
            words == ["compare"]
            or words[1] in api.available_names()["papers" if words[0] == "tables" else "experiments"]
        )
