"""The process that runs a suite on its original to observe it.

The observations are functions in the folders that ask. `measuring` has coverage, condition outcomes and input classes,
`kernel/running` has types, and `checking` has faults. `report` has expected values, written tests and states.
"""

from __future__ import annotations

from harness.did_you_mean import named_in
from harness.kernel.process.talk import Answerer, answer, requested

_OBSERVATIONS = {
    "FunctionsRequest": "measuring.code_observation:function_counts",
    "BranchesRequest": "measuring.code_observation:branch_rows",
    "InputClassesRequest": "measuring.code_observation:input_classes",
    "ConditionOutcomesRequest": "measuring.code_observation:condition_outcomes",
    "RunJob": "kernel.running.profiling:observe_types",
    "FaultsRequest": "checking.fault_search:find_faults",
    "ExpectedRequest": "report.exported.expectations:expect",
    "TestsRequest": "report.written_tests.statements:write",
    "StatesRequest": "report.states.first_inputs:reach_states",
    "LastCallsRequest": "report.states.first_inputs:reach_last_calls",
}
"""The places of the functions by the classes of their requests; the process imports only what it needs."""


def observation(request: str) -> Answerer:
    """Return the observation that takes the request of this class.

    Raises:
        KeyError: there is none.
    """
    function: Answerer = named_in("harness", _OBSERVATIONS[request])
    return function


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer(arguments, observation(requested(arguments)))
