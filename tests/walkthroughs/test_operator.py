"""An operator is a new module, a line of the table of operators, and the set in which it is."""

from __future__ import annotations

import json

import pytest
from walkthroughs.source_copy import SUBJECT, SourceCopy

OPERATOR = '''
"""RNR: a returned value becomes None."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.operator import Example, MutationOperator


def return_none(node: cst.Return, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`return x` becomes `return None`."""
    if node.value is not None:
        yield node.with_changes(value=cst.Name("None"))


RNR = MutationOperator(
    code="RNR",
    summary="A returned value becomes None.",
    nodes=(cst.Return,),
    mutate=return_none,
    examples=(Example("def f(a):\\n    return a", (("return a", "return None"),)),),
)
'''
SET = """
RETURNS = OperatorSet("returns", ("RNR",), "Returned values.")
OPERATOR_SETS: dict[str, OperatorSet] = {found.name: found for found in (FERASTRAU, EXTENDED, MUJAVA, RETURNS)}
"""


@pytest.mark.end_to_end
def test_an_operator_touches_the_table_and_the_sets(sources: SourceCopy) -> None:
    table, sets = "harness/mutation/operators/__init__.py", "harness/mutation/operator_sets.py"
    sources.add("harness/mutation/operators/returns.py", OPERATOR.lstrip())
    last = "from harness.mutation.operators.relational import IDR, ROR\n"
    sources.edit(table, last, f"{last}from harness.mutation.operators.returns import RNR\n")
    sources.edit(
        table, "OPERATORS: tuple[MutationOperator, ...] = (\n", "OPERATORS: tuple[MutationOperator, ...] = (RNR,\n"
    )
    before = "OPERATOR_SETS: dict[str, OperatorSet] = {found.name: found for found in (FERASTRAU, EXTENDED, MUJAVA)}\n"
    sources.edit(sets, before, SET.lstrip())
    assert sources.touched() == ([sets, table], ["harness/mutation/operators/returns.py"])
    asked = ("--subject", SUBJECT, "--scope", "2", "--operators", "returns", "--out", "run")
    (row,) = sources.run("run", *asked)["trials"]
    assert row["operator_set"] == "returns"
    assert row["counted"] >= row["killed"] > 0
    assert "RNR" in json.dumps(sources.run("tables", "run", "--table", "operators"))
    assert sources.run("verify", "run", "--sample", "3")["disagreements"] == []
