"""An operator is a new module, a line of the table of operators, and the set in which it is, as its page shows."""

from __future__ import annotations

import json

import pytest
from support.documents import blocks
from walkthroughs.source_copy import SUBJECT, SourceCopy

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
