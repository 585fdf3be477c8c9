"""The process that runs a suite on its original to observe it.

The observations are functions in the folders that ask. `measuring` has coverage, condition outcomes and input classes,
`kernel/running` has types, and `checking` has faults. `report` has expected values, written tests and states.
"""

from __future__ import annotations

from harness.kernel.process.talk import Answerer, answer_by


def observation(request: str) -> Answerer:  # noqa: C901 (a case for each observation)
    """Return the observation that takes the request of this class, and import only what it needs.

    Raises:
        KeyError: there is none.
    """
    match request:
        case "FunctionsRequest":
            from harness.measuring.code_observation import function_counts

            return function_counts
        case "BranchesRequest":
            from harness.measuring.code_observation import branch_rows

            return branch_rows
        case "InputClassesRequest":
            from harness.measuring.input_classes_observation import input_classes

            return input_classes
        case "ConditionOutcomesRequest":
            from harness.measuring.code_observation import condition_outcomes

            return condition_outcomes
        case "TypesRequest":
            from harness.kernel.running.profiling import observe_types

            return observe_types
        case "FaultsRequest":
            from harness.checking.fault_search import find_faults

            return find_faults
        case "ExpectedRequest":
            from harness.report.exported.expectations import expect

            return expect
        case "TestsRequest":
            from harness.report.written_tests.statements import write

            return write
        case "StatesRequest":
            from harness.report.states.reached_states import reach_states

            return reach_states
        case "LastCallsRequest":
            from harness.report.states.reached_states import reach_last_calls

            return reach_last_calls
    raise KeyError(request)


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer_by(arguments, observation)
