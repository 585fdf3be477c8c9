"""Mutants that forge what their process says of them are crashes, and the run goes on to the next mutant."""

import pytest
from support.own_runs import judged, rows_of

from harness.model.outcome import KillReason, Verdict
from harness.store import RunStore

HALF_A_CHARACTER = """\
class Named(type):
    @property
    def __name__(cls):
        return "\\ud800"


class Odd(Exception, metaclass=Named):
    pass


def bounded(value):
    if value > 3:
        raise Odd
    return value
"""
TESTS = "from till.core import bounded\n\n\ndef test_bounded():\n    assert bounded(3) == 3\n"

FORGES = """\
import sys


def forge():
    frame = sys._getframe()
    while frame.f_code.co_name != "_tests":
        frame = frame.f_back
    progress = frame.f_locals["progress"]
    {forged}


def bounded(value):
    if value > 3:
        forge()
    return value
"""


def judged_bounded(tmp_path, core):
    trial, results = judged(tmp_path, core, TESTS, matrix=True)
    with RunStore.open_existing(tmp_path / "out") as store:
        assert store.finished.has(trial.key)
    result_of = {mutant.replacement: result for mutant, result in results if mutant.function == "bounded"}
    assert len(result_of) > 3
    return result_of["value >= 3"], {row.mutant: row.bits for row in rows_of(tmp_path / "out", trial)}


@pytest.mark.slow
def test_an_exception_whose_name_cannot_be_stored_is_a_crash_at_its_test(tmp_path):
    result, rows = judged_bounded(tmp_path, HALF_A_CHARACTER)
    assert (result.verdict, result.reason, result.input) == (Verdict.KILLED, KillReason.CRASH, 0)
    assert result.detail == "what it said can be no fact"
    assert rows[result.mutant] == b"\x01"


@pytest.mark.slow
@pytest.mark.parametrize(
    "forged",
    [
        'frame.f_locals["kills"].append({"test": 1})',
        'frame.f_locals["self"]._meter.entered = "often"',
        'frame.f_locals["self"]._meter = None',
    ],
)
def test_whoever_forges_what_is_told_of_it_is_a_crash(tmp_path, forged):
    result, _ = judged_bounded(tmp_path, FORGES.format(forged=forged))
    assert (result.verdict, result.reason) == (Verdict.KILLED, KillReason.CRASH)


def test_whoever_forges_where_it_is_is_a_crash_at_no_test(tmp_path):
    forged = 'progress._memory[:8] = b"\\x77" * 8; import os; os._exit(0)'
    result, rows = judged_bounded(tmp_path, FORGES.format(forged=forged))
    assert (result.verdict, result.reason, result.input) == (Verdict.KILLED, KillReason.CRASH, None)
    assert result.mutant not in rows


@pytest.mark.slow
def test_whoever_kills_itself_is_a_crash(tmp_path):
    result, _ = judged_bounded(tmp_path, FORGES.format(forged="import os; os.kill(os.getpid(), 9)"))
    assert (result.verdict, result.reason, result.detail) == (Verdict.KILLED, KillReason.CRASH, "SIGKILL")
