"""The pages of papers count the claims that have the same outcome here as in print."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from support.documents import rows_of

from harness import api


def agreement(paper: str, table: str) -> dict[str, Counter[str]]:
    """Return, by claim, how many rows of a frozen table have the same outcome as in print, another one, and none."""
    counts: dict[str, Counter[str]] = {}
    for record in api.tables(paper, table=table)[table].records():
        outcome: Mapping[str, Any] = record["outcome"]  # type: ignore[assignment]
        same = "same" if outcome["measured"] == outcome["published"] else "other"
        key = same if outcome["measured"] is not None else "none"
        counts.setdefault(str(next(iter(record.values()))), Counter())[key] += 1
    return counts


@pytest.mark.slow
def test_the_page_of_exhaustive_testing_counts_the_outcomes_of_hypotheses():
    printed = {row[0]: [*map(int, row[2:])] for row in rows_of("docs/exhaustive2003.md", "| hypothesis |")}
    table = api.tables("exhaustive2003", table="hypotheses")["hypotheses"]
    counts = {name: [0] * 4 for name in printed}  # agree, opposite, decided by one, by none
    for row in table.rows:
        sides = [row.cells[0].measured, row.cells[0].published_text]
        undecided = sides.count("NOT DECIDABLE")
        counts[row.labels[0]][1 + undecided if undecided else sides[0] != sides[1]] += 1
    assert printed == counts
    for name, numbers in printed.items():
        assert f"{name} {', '.join(map(str, numbers))}" in table.caption


@pytest.mark.slow
def test_the_page_of_beapi_counts_the_outcomes_of_claims():
    counts = agreement("beapi2023", "claims")
    assert counts["RQ3 flaws"] == {"same": 16}
    for name, _, *numbers in rows_of("docs/beapi2023.md", "| claim |"):
        assert numbers == [str(counts[name][key]) for key in ("same", "other", "none")], name
