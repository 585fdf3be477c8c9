"""A claim is one rule, applied to the measured and to the printed numbers of a case."""

from harness.tables.cell import Missing
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, rules_of
from harness.tables.table import Table


def grows(numbers: list[int]) -> Finding:
    outcome = ClaimVerdict.HOLDS if numbers == sorted(numbers) else ClaimVerdict.FAILS
    return Finding(outcome, f"{numbers[0]} to {numbers[-1]}")


GROWS = Claim("grows", "HOLDS if numbers grow", grows)


def texts(claim, *numbers, **reason):
    """Return the measured and the published text of each column."""
    table = Table.of("T", "C", ("claim", "case"), COLUMNS, [claim.case("p", ("tree",), *numbers, **reason)])
    (row,) = table.rows
    assert row.labels == (claim.name, "tree")
    return [(cell.measured, cell.published_text) for cell in row.cells]


def test_the_same_rule_decides_on_measured_and_on_printed_numbers():
    assert texts(GROWS, [1, 3], [5, 2]) == [("HOLDS", "DOES NOT HOLD"), ("1 to 3", "5 to 2")]


def test_a_case_without_numbers_says_why_and_keeps_what_is_printed():
    why = Missing("nothing was run")
    assert texts(GROWS, None, [1, 2], missing=why) == [(why, "HOLDS"), (why, "1 to 2")]


def test_a_claim_on_numbers_that_are_not_printed_has_no_published_cell():
    ours = Claim("ours", "", grows, is_printed=False)
    assert texts(ours, [1, 3], [5, 2]) == texts(GROWS, [1, 3]) == [("HOLDS", ""), ("1 to 3", "")]


def test_a_caption_has_the_words_of_the_rules():
    assert rules_of([GROWS, Claim("other", "else", grows)]) == "grows: HOLDS if numbers grow; other: else"
