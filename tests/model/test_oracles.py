"""The table of oracles names each one, and two implementations of it that are there."""

import pytest

from harness.did_you_mean import named_in
from harness.kernel.judging.oracle import Oracle
from harness.kernel.naive.oracle import Oracle as NaiveOracle
from harness.model.oracles import ORACLES
from harness.model.outcome import OracleName


@pytest.mark.parametrize("name", OracleName)
def test_each_oracle_is_implemented_for_runs_and_for_verify(name: OracleName) -> None:
    kind = ORACLES[name]
    assert issubclass(named_in("harness.kernel.judging", kind.judging), Oracle)
    assert issubclass(named_in("harness.kernel.naive", kind.naive), NaiveOracle)
