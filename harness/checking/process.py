"""The process in which properties are checked, or faults are found, of a subject."""

from __future__ import annotations

import time

from harness.checking.requests import Checked, CheckRequest, FaultsOfSuite, FaultsRequest
from harness.kernel.process.answering import answer
from harness.kernel.process.fact_writer import FactWriter, Heartbeats
from harness.kernel.program.recursion import limit_recursion


def check(request: CheckRequest, teller: FactWriter, beats: Heartbeats) -> Checked:
    """Compare the predicates of dedicated generators with the plain ones, then check all properties.

    Raises:
        MutascopeError: as `Checking`.
    """
    from harness.checking.checking import Checking  # each question needs other modules

    limit_recursion()
    checking = Checking(request, teller)
    beats.reached = checking.reached
    predicates = tuple(checking.compare())
    return Checked(tuple(checking.run()), predicates)


def find_faults(request: FaultsRequest, teller: FactWriter, beats: Heartbeats) -> FaultsOfSuite:
    """Run the original on each input of a suite; the spec identifies the faults.

    Raises:
        MutascopeError: as `FaultSearch`.
    """
    from harness.checking.fault_search import FaultSearch

    limit_recursion()
    search = FaultSearch(request, teller)
    beats.reached = lambda: search.reached
    teller.begins(f"executing the inputs of {request.suite} on {request.implementation.filename}")
    began = time.process_time()
    faults = search.run()
    return FaultsOfSuite(tuple(faults), time.process_time() - began)


def main(arguments: list[str]) -> int:
    """Answer the question; see `harness.kernel.process.answering`."""
    return answer(arguments, check, find_faults)
