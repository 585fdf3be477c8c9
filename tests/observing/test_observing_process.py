"""One process answers every request about a suite that runs on its original."""

from __future__ import annotations

import typing

import pytest

from harness.checking.fault_search import FaultsRequest
from harness.kernel.running.job import RunJob
from harness.measuring.job import BranchesRequest, ConditionOutcomesRequest, FunctionsRequest, InputClassesRequest
from harness.observing.process import observation
from harness.report.exported.expectations import ExpectedRequest
from harness.report.states.reached_states import LastCallsRequest, StatesRequest
from harness.report.written_tests.statements import TestsRequest


@pytest.mark.parametrize(
    "request_class",
    [
        FunctionsRequest,
        BranchesRequest,
        InputClassesRequest,
        ConditionOutcomesRequest,
        RunJob,
        FaultsRequest,
        ExpectedRequest,
        TestsRequest,
        StatesRequest,
        LastCallsRequest,
    ],
)
def test_an_observation_is_found_by_the_class_of_its_request(request_class: type[object]) -> None:
    hints = typing.get_type_hints(observation(request_class.__name__))
    assert next(iter(hints.values())) is request_class


def test_there_is_no_observation_for_another_request() -> None:
    with pytest.raises(KeyError, match="CheckRequest"):
        observation("CheckRequest")
