"""The process in which an API, or a declarative invariant, is compared with rep_ok."""

from __future__ import annotations

from types import ModuleType

from harness.difference.comparing import ApiComparison
from harness.difference.invariants import InvariantComparison
from harness.difference.result import Difference, DifferenceRequest, InvariantDifference, InvariantRequest
from harness.kernel.process.talk import Headway, answer
from harness.kernel.program.loader import SubjectRequest, execute, loading
from harness.kernel.program.steps import limit_recursion
from harness.kernel.specs.spec import Spec, load_spec


def compare_with_api(request: DifferenceRequest, headway: Headway) -> Difference:
    """Compare the structures that an API makes with those of rep_ok.

    Raises:
        MutascopeError: the program does not load, or as `ApiComparison`.
    """
    limit_recursion()
    spec, module = _loaded(request, headway)
    headway.begins(f"executing sequences({request.scope}) of {request.spec_filename}", is_brief=True)
    comparison = ApiComparison(spec, module, request)
    task = f"executing calls of {request.implementation.filename}, and rep_ok of {request.spec_filename}"
    headway.begins(task, lambda: comparison.reached)
    return comparison.run()


def compare_with_invariant(request: InvariantRequest, headway: Headway) -> InvariantDifference:
    """Compare the instances of an invariant with the states of rep_ok.

    Raises:
        MutascopeError: the program does not load, or as `InvariantComparison`.
    """
    limit_recursion()
    spec, module = _loaded(request, headway)
    headway.begins(f"executing invariant and rep_ok of {request.spec_filename}")
    comparison = InvariantComparison(spec, module, request)
    headway.beats.reached = lambda: comparison.reached
    return comparison.run()


def _loaded(request: SubjectRequest, headway: Headway) -> tuple[Spec, ModuleType]:
    """Return the spec and the implementation, executed.

    Raises:
        SpecError: the spec cannot be used.
        SourceError: the implementation does not load.
    """
    where = request.implementation.filename
    headway.begins(f"loading {where}")
    with loading(request.implementation):
        module = execute(request.implementation)
    headway.begins(f"loading {request.spec_filename}")
    return load_spec(request.spec_source, request.spec_filename), module


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer(arguments, compare_with_api, compare_with_invariant)
