"""Each flaw of Table 3 of beapi2023, seeded in an invariant of ours, is found and classified as printed."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from support.documents import rows_of

from harness.difference.flaws import FLAWS, measured

PRINTED = Path(__file__).parents[2] / "results" / "published" / "beapi2023_table3.csv"


def printed() -> dict[tuple[str, str, str], str]:
    with PRINTED.open() as file:
        return {(row["benchmark"], row["class"], row["flaw"]): row["type"] for row in csv.DictReader(file)}


def test_the_flaws_are_those_of_the_table():
    assert [(one.benchmark, one.class_name, one.flaw) for one in FLAWS] == list(printed())
    assert len(FLAWS) == 16


@pytest.mark.slow
def test_every_flaw_is_found_and_classified_as_printed():
    types = printed()
    documented = {row[1]: row[2:] for row in rows_of("docs/difference.md", "| benchmark, class | flaw |")}
    assert documented.keys() == {flaw.flaw for flaw in FLAWS}
    for flaw, result in measured():
        explained = result.rep_ok_only - result.larger[-1].missing if result.larger else 0
        counts_of_rep_ok = [result.rep_ok_only, *([explained] if explained else [])]
        counts = [str(number) for number in (result.api, result.rep_ok, result.api_only)]
        *first_cells, last_cell = documented[flaw.flaw]
        assert first_cells == [types[flaw.benchmark, flaw.class_name, flaw.flaw], result.relation.value, *counts]
        assert [int(count) for count in re.findall("[0-9]+", last_cell)] == counts_of_rep_ok
        assert result.relation.value == types[flaw.benchmark, flaw.class_name, flaw.flaw], flaw
        assert result.of_rep_ok or result.relation.value == "over"
        assert result.of_api or result.relation.value == "under"
