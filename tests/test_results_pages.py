"""The pages of `benchmarks/results` say how they were made."""

from __future__ import annotations

import re

import pytest

from benchmarks import measuring
from benchmarks.measuring import MUTANT_SETS, RESULTS

PAGES = sorted(path.name for path in RESULTS.glob("*.md"))
ORIGIN = re.compile(
    r"Made by `python -m benchmarks\.([a-z_.]+)[^`]*`"
    r"(?: (?:at|and stored with) commit [0-9a-f]{7,8} on \d{4}-\d{2}-\d{2}|, each row at the commit that it names)"
    r"\.\nMutants: (.+)\."
)
"""The command, the commit with the day, and the mutants. Old pages know only the commit that they were stored with."""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_results_names_its_command_commit_and_mutants(name: str) -> None:
    title, _, command, mutant_set, *_ = (RESULTS / name).read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    match = ORIGIN.fullmatch(f"{command}\n{mutant_set}")
    assert match is not None
    module, mutants = match.groups()
    assert (RESULTS.parent / module.replace(".", "/")).with_suffix(".py").exists() or (RESULTS.parent / module).is_dir()
    assert mutants == MUTANT_SETS[module]


def test_a_benchmark_writes_its_origin_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [str(RESULTS.parent / "matrix.py"), "heap_array", "7"])
    line = measuring.origin([str(RESULTS.parent / "matrix.py"), "heap_array", "7"])
    assert line.startswith("Made by `python -m benchmarks.matrix heap_array 7` at commit ")
    assert ORIGIN.fullmatch(line)
    assert measuring.page_text(["# Matrices", "", "Text."]) == f"# Matrices\n\n{line}\n\nText.\n"
    assert (
        measuring.page_text(["# Matrices", "", *line.splitlines(), "", "Text."]) == f"# Matrices\n\n{line}\n\nText.\n"
    )
