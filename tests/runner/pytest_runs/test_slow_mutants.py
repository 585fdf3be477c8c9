"""Kills by the step budget, which plain pytest may let pass, are shown apart from others."""

import pytest
from support.own_runs import judged, verified

from harness import api
from harness.analysis.run_summary import suite_warnings
from harness.model.outcome import KillReason

pytestmark = pytest.mark.slow

CORE = """\
def rounds(value):
    return value * 2000


def last(value):
    number = 0
    for number in range(rounds(value)):
        pass
    return number >= 0
"""
TESTS = "from till.core import last\n\n\ndef test_last():\n    assert last(0)\n"


def test_a_mutant_that_is_slow_but_ends_is_shown_apart(tmp_path):
    _, results = judged(tmp_path, CORE, TESTS)
    slow = [mutant for mutant, result in results if result.reason is KillReason.STEP_LIMIT]
    kills = sum(result.reason is not None for _, result in results)
    assert {mutant.function for mutant in slow} == {"rounds"}
    assert suite_warnings(tmp_path / "out") == [
        f"till.core pytest: {len(slow)} of {kills} kills: not finished within 10 times the steps of the "
        "original; plain pytest may let such a mutant pass"
    ]
    (record,) = api.tables(folder=tmp_path / "out", table="policies")["policies"].records()
    assert record["not finished"] >= len(slow)
    assert "not finished within 10 times" in api.report(tmp_path / "out")[0].read_text()
    assert verified(tmp_path / "out", None, 0, 1)[1] == []
