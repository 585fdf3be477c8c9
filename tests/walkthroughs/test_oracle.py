"""An oracle is a name, a row of the table of oracles, and a module for runs and one for `verify`."""

from __future__ import annotations

import json

import pytest
from walkthroughs.source_copy import SUBJECT, SourceCopy

JUDGING = '''
"""As the public oracle, but for it one exception is as good as another."""

from harness.kernel.judging.public import PublicOracle


class AnyExceptionOracle(PublicOracle):
    """Compares what calls return, and whether they raise."""

    def raised(self, error):
        return b"EException", "Exception"
'''
NAIVE = '''
"""The naive judges for which one exception is as good as another."""

from dataclasses import replace

from harness.kernel.naive.judge import PublicJudge
from harness.kernel.naive.public_sequences import PublicSequenceJudge
from harness.kernel.naive.sequence_views import Judgement


class AnyExceptionJudge(PublicJudge):
    def _observed(self, number, did, steps):
        return super()._observed(number, _without_type(did), steps)

    def _compared(self, number, did, steps, original, module):
        return super()._compared(number, _without_type(did), steps, original, module)


class AnyExceptionJudgement(Judgement):
    def _outcome(self, step):
        return super()._outcome(_without_type(step))


class AnyExceptionSequenceJudge(PublicSequenceJudge):
    def __init__(self, job):
        super().__init__(job)
        self._judgement = AnyExceptionJudgement(**vars(self._judgement))


def _without_type(did):
    return replace(did, raised=did.raised and "Exception")
'''
ROW = """    OracleName.ANY_EXCEPTION: OracleKind(
        "any_exception:AnyExceptionOracle",
        "any_exception:AnyExceptionJudge",
        "any_exception:AnyExceptionSequenceJudge",
        Proof.RESULTS,
        is_weaker=True,
    ),
"""
NAMES, TABLE = "harness/model/outcome.py", "harness/model/oracles.py"
NEW = ["harness/kernel/judging/any_exception.py", "harness/kernel/naive/any_exception.py"]


@pytest.fixture
def with_oracle(sources: SourceCopy) -> SourceCopy:
    """The sources with an oracle that they lack."""
    for path, text in zip(NEW, (JUDGING, NAIVE), strict=True):
        sources.add(path, text.lstrip())
    sources.edit(
        NAMES, '    OBSERVERS = "observers"\n', '    OBSERVERS = "observers"\n    ANY_EXCEPTION = "any-exception"\n'
    )
    sources.edit(TABLE, "    OracleName.OBSERVERS:", f"{ROW}    OracleName.OBSERVERS:")
    return sources


@pytest.mark.end_to_end
@pytest.mark.parametrize("generator", ["korat", "beapi"])
def test_an_oracle_touches_its_names_and_its_table(with_oracle: SourceCopy, generator: str) -> None:
    assert with_oracle.touched() == ([TABLE, NAMES], NEW)
    asked = ("--subject", SUBJECT, "--generator", generator, "--scope", "2", "--out", "run")
    rows = with_oracle.run("run", *asked, "--oracles", "differential", "any-exception")["trials"]
    killed = {row["oracle"]: row["killed"] for row in rows}
    assert killed["differential"] > killed["any-exception"] > 0
    assert "any-exception" in json.dumps(with_oracle.run("tables", "run", "--table", "oracles"))
    assert with_oracle.run("verify", "run", "--sample", "20")["disagreements"] == []
