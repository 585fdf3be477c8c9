"""Each flaw of Table 3 of beapi2023, seeded in an invariant of ours, is found and classified as printed."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.documents import rows_of

from harness.difference.difference import difference
from harness.difference.flaws import FLAWS, flawed, measured
from harness.errors import SpecError

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
    for flaw, found in measured():
        explained = found.rep_ok_only - found.larger[-1].missing if found.larger else 0
        beside = [found.rep_ok_only, *([explained] if explained else [])]
        counts = [str(number) for number in (found.api, found.rep_ok, found.api_only)]
        *told, rest = documented[flaw.flaw]
        assert told == [types[flaw.benchmark, flaw.class_name, flaw.flaw], found.relation.value, *counts]
        assert [int(count) for count in re.findall("[0-9]+", rest)] == beside
        assert found.relation.value == types[flaw.benchmark, flaw.class_name, flaw.flaw], flaw
        assert found.of_rep_ok or found.relation.value == "over"
        assert found.of_api or found.relation.value == "under"


QUICK = [flaw for flaw in FLAWS if flaw.subject in ("avl_tree", "disj_set_fast", "binary_heap")]


@pytest.mark.end_to_end
@pytest.mark.parametrize("flaw", QUICK, ids=lambda flaw: f"{flaw.benchmark} {flaw.flaw}")
def test_a_flaw_shows_at_scope_two_already(flaw):
    found = difference(flawed(flaw), 2)
    assert found.relation.value == printed()[flaw.benchmark, flaw.class_name, flaw.flaw]


def test_a_flaw_whose_text_is_gone_is_told():
    with pytest.raises(SpecError, match="holds 'no such line' 0 times, not once"):
        flawed(replace(FLAWS[0], edits=(("no such line", ""),)))
