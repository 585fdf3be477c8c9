"""Forged facts of a pytest suite are detected by their origins."""

import pytest
from support.forged_store import forge
from support.own_runs import judged, verified

from harness import api
from harness.model.outcome import KillReason
from harness.store import RunStore

CORE = "def more(value):\n    return value + 1\n\n\ndef less(value):\n    return value - 1\n"
TESTS = """\
from till.core import less, more


def test_more():
    assert more(1) == 2


def test_less():
    assert less(1) == 0
"""


@pytest.mark.slow
def test_forged_facts_are_found_out_and_nothing_else_is(tmp_path):
    out = tmp_path / "out"
    trial, results = judged(tmp_path, CORE, TESTS, original_runs=1)
    assert verified(out, None, 0, 1) == (len(results), [])
    (named, operator), (mutant, _), (other, aimed), (left_out, _), *_ = [
        (mutant, result) for mutant, result in results if result.reason is KillReason.ASSERTION
    ]
    with RunStore.open_existing(out) as store:
        (before, *_) = store.coverage.of(trial.key)
    forge(out, "UPDATE mutant_result SET detail = 'KeyError' WHERE mutant = ?", named.id)
    forge(out, "UPDATE mutant SET replacement = 'forged' WHERE id = ?", mutant.id)
    forge(out, "UPDATE mutant_result SET input = 1 - input WHERE mutant = ?", other.id)
    inconclusive = "verdict = 'inconclusive', reason = NULL, phase = NULL, input = NULL"
    forge(out, f"UPDATE mutant_result SET {inconclusive} WHERE mutant = ?", left_out.id)
    forge(out, "UPDATE coverage SET statements_executed = 0 WHERE function = ?", before.function)
    forge(out, "UPDATE trial SET explored = 77")
    forge(out, "UPDATE suite_record SET source = source || '#'")
    verification = api.verify(out, None, 0, 1)
    disagreements = verification.disagreements
    assert verification.checked == len(results) - 1
    assert verification.notes == (f"{trial}: 1 inconclusive verdict not re-executed",)
    lines = {one.fact: str(one) for one in disagreements}
    assert len(lines) == len(disagreements) == 6
    assert lines[named.id].endswith(f"failing: tests/test_core.py::test_{named.function} (assertion {operator.detail})")
    assert lines[mutant.id].endswith(f"derived again: replacement {mutant.replacement!r}")
    assert f"failing: tests/test_core.py::test_{other.function} (assertion {aimed.detail})" in lines[other.id]
    assert lines[f"code coverage of {before.function}"].endswith("measured again: statements_executed 1")
    assert lines["explored"].endswith("read again: explored 2")
    assert "source of the target" in lines
