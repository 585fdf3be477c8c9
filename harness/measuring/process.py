"""The process that executes a program or its spec to measure coverage, classes of inputs or condition outcomes."""

from __future__ import annotations

from harness.kernel.process.answering import answer
from harness.kernel.process.fact_writer import FactWriter, Heartbeats
from harness.measuring.headway import Headway
from harness.measuring.job import (
    ClassNames,
    CodeRequest,
    ConditionOutcomesRequest,
    FunctionCounts,
    FunctionsRequest,
    InputClassesRequest,
    InputsRun,
    NamedCounts,
    SpecificationRequest,
    SubSuitesRequest,
)
from harness.model.coverage import CoverageCounts

# Each function imports what it needs when it is called: not all need coverage.py, or the search.


def measure_functions(request: FunctionsRequest, teller: FactWriter, beats: Heartbeats) -> FunctionCounts:
    """Run a suite on the original, and generate with Korat, under coverage.py."""
    headway = Headway(teller, beats)
    return FunctionCounts(tuple(NamedCounts(_function_counts(part, headway)) for part in request.parts))


def _function_counts(part: CodeRequest | SpecificationRequest, headway: Headway) -> dict[str, CoverageCounts]:
    if isinstance(part, CodeRequest):
        from harness.measuring.code_observation import code_counts

        return code_counts(part, headway)
    from harness.measuring.specification_observation import specification_counts

    return specification_counts(part, headway)


def measure_sub_suites(request: SubSuitesRequest, teller: FactWriter, beats: Heartbeats) -> NamedCounts:
    """Run sub-suites on the original under coverage.py, one after the other."""
    from harness.measuring.sub_suites_observation import sub_suite_counts

    return NamedCounts(sub_suite_counts(request, Headway(teller, beats)))


def classify_inputs(request: InputClassesRequest, teller: FactWriter, beats: Heartbeats) -> ClassNames:
    """Run a suite on the original, and number the classes of its inputs by several criteria."""
    from harness.measuring.input_classes_observation import input_classes

    return input_classes(request, Headway(teller, beats))


def observe_conditions(request: ConditionOutcomesRequest, teller: FactWriter, beats: Heartbeats) -> InputsRun:
    """Run a suite on the original, and write which condition outcomes each input reaches."""
    from harness.measuring.condition_outcomes_observation import condition_outcomes

    return condition_outcomes(request, Headway(teller, beats))


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.answering`."""
    return answer(arguments, measure_functions, measure_sub_suites, classify_inputs, observe_conditions)
