"""A new table of a paper is one declaration: its columns read a source, and its rows name what the paper prints."""

import inspect
import json
from pathlib import Path

import pytest

from harness.command_line.main import main
from harness.papers.exhaustive2003 import TABLES, PaperInputs
from harness.tables.table import Column, Missing, RowSource, Table, Unit

FROZEN = Path(__file__).parents[2] / "results" / "frozen" / "exhaustive2003"
MOST_LINES = 30


def valid_states(inputs: PaperInputs) -> Table:
    """Return the valid states at each scope, next to the number of inputs that the paper prints."""
    printed = inputs.printed("table4", keys=2)
    columns = (
        Column("explored", Unit.COUNT, lambda suite: suite.explored),
        Column("inputs", Unit.COUNT, lambda suite: suite.inputs, "inputs"),
        Column("valid [%]", Unit.PERCENT, lambda suite: None, missing=Missing("not told")),
    )
    cases = (
        RowSource((suite.title, str(suite.scope)), suite, printed.row(suite.title, suite.scope))
        for suite in inputs.suites
    )
    return Table.of("Valid states", "Of each scope.", ("benchmark", "scope"), columns, cases)


@pytest.fixture
def declared(monkeypatch):
    """The line that `harness/papers/exhaustive2003/__init__.py` gets."""
    monkeypatch.setitem(TABLES, "valid_states", valid_states)


def printed_by(capsys, form):
    command = ["tables", "exhaustive2003", "--from", str(FROZEN), "--table", "valid_states", *form]
    assert main(command) == 0
    return capsys.readouterr().out


def test_a_declaration_of_at_most_thirty_lines_is_a_table_of_the_command_line(declared, capsys):
    assert len(inspect.getsource(valid_states).splitlines()) <= MOST_LINES
    text = printed_by(capsys, ["--format", "md"])
    assert "inputs, published" in text
    assert "[1] not told" in text


def test_each_measured_value_stands_beside_the_published_one(declared, capsys):
    rows = json.loads(printed_by(capsys, ["--json"]))["valid_states"]
    tree = next(row for row in rows if (row["benchmark"], row["scope"]) == ("SearchTree", "7"))
    assert tree["inputs"] == {"measured": 41300, "published": 41300.0, "difference": 0.0}
    assert tree["explored"]["published"] is None
    assert tree["valid [%]"]["measured"] is None
