"""The process in which properties of a subject are checked."""

from __future__ import annotations

from harness.checking.checking import Checking
from harness.checking.requests import Checked, CheckRequest
from harness.kernel.process.talk import Headway, answer
from harness.kernel.program.steps import limit_recursion


def check(request: CheckRequest, headway: Headway) -> Checked:
    """Compare the predicates of dedicated generators with the plain ones, then check all properties.

    Raises:
        MutascopeError: as `Checking`.
    """
    limit_recursion()
    checking = Checking(request, headway.teller)
    headway.beats.reached = checking.reached
    predicates = tuple(checking.compare())
    return Checked(tuple(checking.run()), predicates)


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.talk`."""
    return answer(arguments, check)
