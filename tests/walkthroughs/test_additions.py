"""An oracle, an operator and a table of a paper are added by one row and one module or declaration."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from support.documents import blocks
from walkthroughs.source_copy import SUBJECT, SourceCopy

from harness.command_line.main import main
from harness.papers.exhaustive2003 import TABLES, PaperInputs
from harness.tables.table import Column, Missing, RowSource, Table, Unit

JUDGING = '''
"""As the public oracle, but for it one exception is as good as another."""

from harness.kernel.judging.oracle import PublicOracle


class AnyExceptionOracle(PublicOracle):
    """Compares what calls return, and whether they raise."""

    def raised(self, error):
        return b"EException", "Exception"
'''
NAIVE = '''
"""The naive oracle for which one exception is as good as another."""

from dataclasses import replace

from harness.kernel.naive.oracle import PublicOracle


class AnyExceptionOracle(PublicOracle):
    def observed(self, call, steps, with_state, pre_state=None):
        return super().observed(_without_type(call), steps, with_state)

    def judge(self, call, steps, original, pre_state=None):
        return super().judge(_without_type(call), steps, original)


def _without_type(call):
    return replace(call, raised=call.raised and "Exception")
'''
ROW = """    OracleName.ANY_EXCEPTION: OracleKind(
        "any_exception:AnyExceptionOracle",
        "any_exception:AnyExceptionOracle",
        Proof.RESULTS,
        is_weaker=True,
    ),
"""
TABLE = "harness/model/outcome.py"
NEW = ["harness/kernel/judging/any_exception.py", "harness/kernel/naive/any_exception.py"]


@pytest.fixture
def with_oracle(sources: SourceCopy) -> SourceCopy:
    """The sources with an oracle that they lack."""
    for path, text in zip(NEW, (JUDGING, NAIVE), strict=True):
        sources.add(path, text.lstrip())
    sources.edit(
        TABLE, '    OBSERVERS = "observers"\n', '    OBSERVERS = "observers"\n    ANY_EXCEPTION = "any-exception"\n'
    )
    sources.edit(TABLE, "    OracleName.OBSERVERS:", f"{ROW}    OracleName.OBSERVERS:")
    return sources


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["korat", "beapi"])
def test_an_oracle_touches_its_names_and_its_table(with_oracle: SourceCopy, generator: str) -> None:
    assert with_oracle.touched() == ([TABLE], NEW)
    options = ("--subject", SUBJECT, "--generator", generator, "--scope", "2", "--out", "run")
    rows = with_oracle.run("run", *options, "--oracles", "differential", "any-exception")["trials"]
    killed = {row["oracle"]: row["killed"] for row in rows}
    assert killed["differential"] > killed["any-exception"] > 0
    assert "any-exception" in json.dumps(with_oracle.run("tables", "run", "--table", "oracles"))
    assert with_oracle.run("verify", "run", "--sample", "20")["disagreements"] == []


PAGE = list(blocks("docs/add_an_operator.md"))
(OPERATOR,) = (block.text.partition("\n")[2] for block in PAGE if block.file)
(SET,) = (block.text for block in PAGE if block.language == "py")


@pytest.mark.slow
def test_an_operator_touches_the_table_and_the_sets(sources: SourceCopy) -> None:
    table, sets = "harness/mutation/operators/__init__.py", "harness/mutation/operator_sets.py"
    sources.add("harness/mutation/operators/returns.py", OPERATOR)
    last = "from harness.mutation.operators.operator import Example, MutationOperator\n"
    sources.edit(table, last, f"{last}from harness.mutation.operators.returns import RNR\n")
    sources.edit(
        table, "OPERATORS: tuple[MutationOperator, ...] = (\n", "OPERATORS: tuple[MutationOperator, ...] = (RNR,\n"
    )
    before = "OPERATOR_SETS: dict[str, OperatorSet] = {found.name: found for found in (FERASTRAU, EXTENDED, MUJAVA)}\n"
    sources.edit(sets, before, SET)
    assert sources.touched() == ([sets, table], ["harness/mutation/operators/returns.py"])
    options = ("--subject", SUBJECT, "--scope", "2", "--operators", "returns", "--out", "run")
    (row,) = sources.run("run", *options)["trials"]
    assert row["operator_set"] == "returns"
    assert row["counted"] >= row["killed"] > 0
    assert "RNR" in json.dumps(sources.run("tables", "run", "--table", "operators"))
    assert sources.run("verify", "run", "--sample", "3")["disagreements"] == []


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
