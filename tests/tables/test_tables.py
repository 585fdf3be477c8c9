"""Comparison tables print measured, published and difference; a claim is one rule for measured and printed numbers."""

import csv
import io
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UsageError
from harness.model.experiment import EarlierSeconds
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, rules_of
from harness.tables.published import PublishedValue
from harness.tables.render import FORMATS, latex_escaped, render
from harness.tables.table import Cell, Column, Missing, Row, RowSource, Table, Unit


@pytest.mark.parametrize(
    ("unit", "measured", "published", "texts"),
    [
        (Unit.COUNT, 41300, "41300", ("41300", "41300", "0")),
        (Unit.COUNT, 5, "8", ("5", "8", "-3")),
        (Unit.PERCENT, Fraction(270, 272), "99.26", ("99.26", "99.26", "0.00")),
        (Unit.PERCENT, Fraction(1, 3), "33.30", ("33.33", "33.30", "+0.03")),
        (Unit.PERCENT, Fraction(99_999, 100_000), "100.00", ("99.99", "100.00", "-0.01")),
        (Unit.PERCENT, Fraction(1), "", ("100.00", "", "")),
        (Unit.PERCENT, Fraction(1), None, ("100.00", "", "")),
        (Unit.POINTS, Fraction("0.345"), None, ("0.35", "", "")),
        (Unit.POINTS, Fraction("-1.005"), None, ("-1.01", "", "")),
        (Unit.FACTOR, Fraction("2.675"), "2.68", ("2.68", "2.68", "0.00")),
        (Unit.SECONDS, 1.239, "9.03", ("1.24", "9.03", "-7.79")),
        (Unit.SECONDS, 0.0004, "0.01", ("<0.01", "0.01", "0.00")),
        (Unit.SECONDS, 3.0, "TO", ("3.00", "TO", "")),
        (Unit.SECONDS, Missing("not run"), "0.01", ("–", "0.01", "")),  # noqa: RUF001
        (Unit.TEXT, "add remove", "add", ("add remove", "add", "")),
    ],
)
def test_a_comparison_prints_its_three_parts(unit, measured, published, texts):
    cell = Cell(measured, None if published is None else PublishedValue(published))
    assert (cell.measured_text(unit), cell.published_text, cell.difference_text(unit)) == texts


@pytest.mark.parametrize("value", [PublishedValue("99.26"), None, True])
def test_a_published_value_cannot_stand_in_a_measured_column(value):
    with pytest.raises(TypeError, match="no measured value"):
        Cell(value)


TABLE = Table(
    "Table 0: made_up",
    "Killed: 50% & more.",
    ("bench_mark", "scope"),
    (
        Column("inputs", Unit.COUNT, str, "printed"),
        Column("killed [%]", Unit.PERCENT, str, "printed"),
        Column("names", Unit.TEXT, str, "printed"),
    ),
    (
        Row(("Tree|x", "1"), (Cell(4, PublishedValue("5")), Cell(Fraction(1, 2)), Cell("a <b>", PublishedValue("a")))),
        Row(("List", "1"), (Cell(7), Cell(Missing("not run")), Cell(Missing("no names")))),
    ),
)


def test_markdown_is_aligned_and_carries_footnotes():
    lines = render(TABLE, "md").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len({len(line.replace("\\|", "|")) for line in table if "Tree" not in line}) == 1
    assert table[0].count("|") == 2 + 3 + 3 + 2 + 1
    assert "Tree\\|x" in table[2]
    assert [cell.strip() for cell in table[3].split("|")[1:-1]] == [
        "List", "1", "7", "", "", "– [1]", "", "", "– [2]", "",  # noqa: RUF001
    ]  # fmt: skip
    assert "[1] not run" in lines
    assert "[2] no names" in lines
    assert "50% & more" in lines[0]


@pytest.mark.parametrize(
    ("form", "cell"), [("md", "if x: y = 1 -> pass"), ("latex", r"if x: y = 1 -\textgreater{} pass")]
)
def test_a_text_of_several_lines_stays_in_one_row_where_a_line_break_ends_it(form, cell):
    change = Column("change", Unit.TEXT, str)
    table, plain = (
        Table("T", "C", ("mutant",), (change,), (Row(("a",), (Cell(text),)),))
        for text in ("if x:\n\n    y = 1 -> pass", "if x: y = 1 -> pass")
    )
    assert cell in render(table, form)
    assert render(table, form) == render(plain, form)
    assert list(csv.reader(io.StringIO(render(table, "csv"))))[1] == ["a", "if x:\n\n    y = 1 -> pass"]


def test_csv_holds_the_values_alone():
    rows = list(csv.reader(io.StringIO(render(TABLE, "csv"))))
    assert rows[0] == [
        "bench_mark", "scope", "inputs", "inputs, published", "inputs, difference",
        "killed [%]", "killed [%], published", "killed [%], difference", "names", "names, published",
    ]  # fmt: skip
    assert rows[1] == ["Tree|x", "1", "4", "5", "-1", "50.00", "", "", "a <b>", "a"]
    assert rows[2] == ["List", "1", "7", "", "", "", "", "", "", ""]


@pytest.mark.parametrize("heading", [
    Column("seconds", Unit.SECONDS, str, "printed"), Column("seconds", Unit.FACTOR, str, "printed", differs=False),
])  # fmt: skip
def test_seconds_and_columns_without_differences_show_both_values_and_subtract_none(heading):
    table = Table("T", "C", ("label",), (heading,), (Row(("a",), (Cell(Fraction(2), PublishedValue("8.5")),)),))
    assert list(csv.reader(io.StringIO(render(table, "csv")))) == [
        ["label", "seconds", "seconds, published"], ["a", "2.00", "8.5"],
    ]  # fmt: skip
    assert table.records() == [{"label": "a", "seconds": {"measured": 2.0, "published": 8.5, "difference": None}}]


def test_latex_is_escaped_and_every_row_fills_the_columns():
    text = render(TABLE, "latex")
    assert r"made\_up" in text
    assert r"50\% \& more" in text
    assert r"a \textless{}b\textgreater{}" in text
    assert r"--\textsuperscript{1}" in text
    layout = text.split(r"\begin{tabular}{")[1].split("}")[0]
    body = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(layout) == 10
    assert [line.count(" & ") for line in body[1:]] == [9, 9, 9]
    assert text.count("{") == text.count("}")


def test_latex_begins_with_the_package_that_it_needs():
    assert render(TABLE, "latex").splitlines()[:2] == [r"% needs \usepackage{graphicx}", r"\begin{table*}"]


def test_html_is_escaped_and_well_formed():
    text = render(TABLE, "html")
    cells = [["".join(cell.itertext()).strip() for cell in row] for row in ElementTree.fromstring(text).iter("tr")]
    assert cells[0] == ["bench_mark", "scope", "inputs", "killed [%]", "names"]
    assert cells[2] == ["Tree|x", "1", "4", "5", "-1", "50.00", "", "", "a <b>", "a"]
    assert cells[3][5] == "–1"  # noqa: RUF001
    assert cells[4:] == [["1 not run"], ["2 no names"]]
    assert "a <b>" not in text
    assert text.count('class="number"') == 12


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_without_rows_still_has_its_heading(form):
    text = render(Table("T", "c", ("benchmark",), (Column("inputs", Unit.COUNT, str, "printed"),), ()), form)
    assert "benchmark" in text
    assert text.endswith("\n")


def test_a_declared_table_reads_its_cells_and_says_why_one_is_missing():
    columns = (
        Column[dict]("killed", Unit.COUNT, lambda found: found.get("killed"), "printed kills", Missing("no mutant")),
        Column[dict]("inputs", Unit.COUNT, lambda found: found["inputs"]),
    )
    cells = {"printed kills": PublishedValue("5")}
    table = Table.of("T", "C", ("label",), columns, [
        RowSource(("a",), {"killed": 7, "inputs": 9}, cells),
        RowSource(("b",), {"killed": 7, "inputs": 9}, cells, incomparable={"printed kills"}),
        RowSource(("c",), {"inputs": 9}),
        RowSource(("d",), None, cells, Missing("too long")),
    ])  # fmt: skip
    assert [bool(column.published) for column in table.columns] == [True, False]
    assert [[cell.measured for cell in row.cells] for row in table.rows] == [
        [7, 9], [7, 9], [Missing("no mutant"), 9], [Missing("too long"), Missing("too long")],
    ]  # fmt: skip
    assert [row.cells[0].difference_text(Unit.COUNT) for row in table.rows] == ["+2", "", "", ""]
    assert [row.cells[0].published_text for row in table.rows] == ["5", "5", "", "5"]


def test_an_unknown_format_is_refused():
    with pytest.raises(UsageError, match="no format 'pdf' for tables; there are md, csv, latex, html"):
        render(TABLE, "pdf")


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        Table("T", "", ("a",), (), (Row(("x", "y"), ()),))


def test_records_hold_numbers():
    first, second = TABLE.records()
    assert first["inputs"] == {"measured": 4, "published": 5.0, "difference": -1.0}
    assert first["killed [%]"] == {"measured": 50.0, "published": None, "difference": None}
    assert second["names"] == {"measured": None, "published": None, "difference": None}


@settings(derandomize=True, max_examples=100)
@given(st.text(alphabet="\\{}%&#_$~^<>ab"))
def test_no_special_character_of_latex_survives_bare(text):
    escaped = latex_escaped(text)
    for token in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}", r"\textless{}", r"\textgreater{}"):
        escaped = escaped.replace(token, "")
    for character in "{}%&#_$":
        escaped = escaped.replace("\\" + character, "")
    assert set(escaped) <= set("ab")


def test_seconds_that_the_run_did_not_measure_are_marked_in_every_format():
    seconds = Column("gen. [s]", Unit.SECONDS, str, "printed")
    cells = [Cell(value, PublishedValue("8.50")) for value in (2.0, EarlierSeconds(3.0, "X, 2 jobs, 2026-11-24"))]
    rows = tuple(Row((str(number),), (cell,)) for number, cell in enumerate(cells))
    table = Table("T", "C", ("label",), (seconds,), rows)
    note = "times with this mark were measured when the suite was made: X, 2 jobs, 2026-11-24"
    measured, marked = table.records()
    assert measured["gen. [s]"] == {"measured": 2.0, "published": 8.5, "difference": None}
    assert marked["gen. [s]"] == {
        "measured": 3.0, "published": 8.5, "difference": None, "origin": "X, 2 jobs, 2026-11-24",
    }  # fmt: skip
    assert list(csv.reader(io.StringIO(render(table, "csv"))))[1:] == [["0", "2.00", "8.50"], ["1", "3.00*", "8.50"]]
    for form, mark, line in (
        ("md", "3.00 [*]", f"[*] {note}"),
        ("html", "3.00<sup>*</sup>", f"<sup>*</sup> {note}"),
        ("latex", "3.00\\textsuperscript{*}", f"\\textsuperscript{{*}} {note}"),
    ):
        text = render(table, form)
        assert mark in text
        assert line in text
        assert mark.replace("3.00", "2.00") not in text
    without_comparison = replace(table, compares=False)
    assert without_comparison.records()[1] == {
        "label": "1",
        "gen. [s]": 3.0,
        "gen. [s], origin": "X, 2 jobs, 2026-11-24",
    }


def grows(numbers: list[int]) -> Finding:
    outcome = ClaimVerdict.HOLDS if numbers == sorted(numbers) else ClaimVerdict.FAILS
    return Finding(outcome, f"{numbers[0]} to {numbers[-1]}")


GROWS = Claim("grows", "HOLDS if numbers grow", grows)


def texts(claim, *numbers, **reason):
    """Return the measured and the published text of each column."""
    table = Table.of("T", "C", ("claim", "case"), COLUMNS, [claim.case(("tree",), *numbers, **reason)])
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
