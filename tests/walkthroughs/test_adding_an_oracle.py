"""An oracle is a name and a row of the table of oracles, and a module for runs and one for `verify`."""

from __future__ import annotations

import json

import pytest
from walkthroughs.source_copy import SUBJECT, SourceCopy

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
