"""Facts of the original's runs of a suite: the reliable tests, their steps, and the mutants that they reach."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from harness.errors import UsageError
from harness.kernel.running.probing import ProbeSite
from harness.model.pytest_suite import Flaky
from harness.pytest_suites.job import MeasuredTests, OriginalOrder, TypesOrder
from harness.pytest_suites.reports import EarlyEnd, OriginalReport, OriginalTest, Report

AskedOrder = TypeVar("AskedOrder", OriginalOrder, TypesOrder)
T = TypeVar("T")

_PASSED, _SKIPPED, _FAILED, _XFAILED = "passed", "skipped", "failed", "xfailed"
_NOT_PERMITTED = os.strerror(errno.EPERM)
IS_SKIPPED = "is skipped"
"""The reason for leaving out a test that is not a fault."""
_MOST_NAMED = 5


@dataclass(frozen=True)
class OriginalTests:
    """The tests of a suite in its order, those left out with the reason, and what the tests reach.

    `reached` has by mutant the numbers of the tests that reach it; `on_loading` are mutants that are reached while the
    suite is collected, so before any test. For mutants in `recollected` the suite is collected again. If there are
    threads once it is collected, these are all mutants, as a fork would have no such thread. `lines` has by test the
    line where it begins in its file, if pytest knows it. `raised` has the errors that failing tests raised:
    for people, as the words may differ from run to run.
    """

    tests: tuple[str, ...]
    excluded: Mapping[str, str]
    measured: MeasuredTests
    reached: tuple[frozenset[int], ...]
    on_loading: frozenset[int]
    recollected: frozenset[int]
    lines: Mapping[str, int]
    raised: Mapping[str, str]

    @property
    def reaches(self) -> bool:
        """Whether the tests execute anything that is mutated."""
        return bool(self.on_loading) or any(self.reached)

    def left_out(self, node: str) -> str:
        """Return why a test is left out, in words for people."""
        return _reason_text(self.excluded[node], self.raised.get(node, ""))


def orders_of(runs: int, seed: int, tolerant: bool = False) -> list[OriginalOrder]:
    """Return the orders of the runs: in order, backwards (so that of any two tests each comes first once), then
    shuffled. If they are `tolerant`, files that cannot be collected are left out.
    """
    shuffled = [OriginalOrder(seed + number, shuffle=seed + number) for number in range(2, runs)]
    orders = [OriginalOrder(seed), OriginalOrder(seed + 1, backwards=True), *shuffled][:runs]
    return [replace(order, tolerant=tolerant) for order in orders]


def report_without_ends(
    ask: Callable[[AskedOrder], Report],
    order: AskedOrder,
    kind: type[T],
    ended_tests: dict[str, str],
    flaky: Flaky,
    suite: str,
) -> T:
    """Return the original's report once the tests are left out that end its process, which come to `ended_tests`.

    Args:
        kind: the class of such a report.

    Raises:
        UsageError: a test ends it, and is not to be left out, or cannot be.
    """

    def told() -> Report:
        try:
            return ask(replace(order, without=tuple(ended_tests)))
        except UsageError:
            _refuse(ended_tests, Flaky.REFUSE, suite)  # it is no suite without them
            raise

    while isinstance(report := told(), EarlyEnd):
        again = report.test in ended_tests
        ended_tests[report.test] = f"ends its process on the original ({report.how})"
        _refuse(ended_tests, Flaky.REFUSE if again else flaky, suite)
    assert isinstance(report, kind)
    return report


def original_of(
    runs: Sequence[OriginalReport],
    sites: Sequence[ProbeSite],
    mutants: int,
    flaky: Flaky,
    suite: str,
    ended_tests: Mapping[str, str] | None = None,
) -> OriginalTests:
    """Join the reports of several runs: a test has the most steps and seconds of any run, and the places of all runs.

    Args:
        sites: mutants, by number, of each place of the probed module.
        suite: the name of the suite in messages.
        ended_tests: tests that were left out because they end their process, with the reason.

    Raises:
        UsageError: no test passes; or one fails, always or at times, and is not to be left out.
    """
    runs_of: dict[str, list[OriginalTest]] = {}
    for run in runs:
        for test in run.tests:
            runs_of.setdefault(test.node, []).append(test)
    outcomes = {node: [test.outcome for test in told] for node, told in runs_of.items()}
    excluded = {node: why for node, told in outcomes.items() if (why := _why_not(told, len(runs)))} | dict(
        ended_tests or {}
    )
    excluded |= {node: f"cannot be collected ({why})" for run in runs for node, why in run.uncollected.items()}
    raised = {node: words for run in reversed(runs) for node, words in run.raised.items()}
    _refuse({node: _reason_text(why, raised.get(node, "")) for node, why in excluded.items()}, flaky, suite)
    tests = tuple(node for node in outcomes if node not in excluded)
    if not tests:
        node, why = next(iter(excluded.items()), ("", ""))
        cause = f" ({node} {_reason_text(why, raised.get(node, ''))})" if node else ""
        raise UsageError(f"{suite}: no test passes on the original{cause}, so nothing can be judged; correct the tests")
    holders = [set[int]() for _ in range(mutants)]
    for number, node in enumerate(tests):
        places = [frozenset(test.sites) for test in runs_of[node]]
        for site in frozenset().union(*places):
            is_always = all(site in of_run for of_run in places)
            for mutant in sites[site].reached:
                holders[mutant].update([number] if is_always else range(len(tests)))
    loading = {mutant for run in runs for site in run.loading_sites for mutant in sites[site].reached}
    measured = replace(
        _measured(runs, {node: runs_of[node] for node in tests}),
        excluded=tuple(excluded),
        xfailing=tuple(node for node in tests if _XFAILED in outcomes[node]),
    )
    reloaded = frozenset(range(mutants) if any(run.threads > 1 for run in runs) else loading)
    reached = tuple(frozenset(found) for found in holders)
    return OriginalTests(tests, excluded, measured, reached, frozenset(loading), reloaded, runs[0].lines, raised)


def _measured(runs: Sequence[OriginalReport], runs_of: Mapping[str, Sequence[OriginalTest]]) -> MeasuredTests:
    """Return the most steps and seconds of any run, of each test and of all."""
    shared: dict[str, int] = {}
    for run in runs:
        for name, spent in run.shared.items():
            shared[name] = max(spent, shared.get(name, 0))
    steps = {node: max(test.steps for test in told) for node, told in runs_of.items()}
    seconds = {node: max(test.seconds for test in told) for node, told in runs_of.items()}
    more_steps = {node: steps[node] - min(test.steps for test in told) for node, told in runs_of.items()}
    more_seconds = {node: seconds[node] - min(test.seconds for test in told) for node, told in runs_of.items()}
    return MeasuredTests(
        steps=steps,
        seconds=seconds,
        shared=shared,
        teardown=max(run.teardown for run in runs),
        loading=max(run.loading for run in runs),
        loading_seconds=max(run.loading_seconds for run in runs),
        memory=max(run.memory for run in runs),
        first_steps=sum(more_steps.values()),
        # In tests whose steps do not differ, differing seconds are caused by the machine.
        first_seconds=max(run.shared_seconds for run in runs)
        + sum(more_seconds[node] for node, more in more_steps.items() if more > 0),
    )


def _why_not(outcomes: Sequence[str], runs: int) -> str:
    """Return why a test does not belong to the suite; empty if it does."""
    if set(outcomes) <= {_PASSED, _XFAILED} and len(outcomes) == runs:
        return ""
    if set(outcomes) == {_FAILED}:
        return "fails on the original"
    if set(outcomes) == {_SKIPPED}:
        return IS_SKIPPED
    return "is flaky: " + ", ".join(outcomes)


def _reason_text(why: str, raised: str) -> str:
    return f"{why} ({raised})" if raised and why != IS_SKIPPED else why


def _refuse(excluded: Mapping[str, str], flaky: Flaky, suite: str) -> None:
    wrong = [f"{node} {why}" for node, why in excluded.items() if why != IS_SKIPPED]
    if wrong and flaky is Flaky.REFUSE:
        more = f" and {len(wrong) - _MOST_NAMED} more" if len(wrong) > _MOST_NAMED else ""
        sandboxed = " (in the sandbox, tests start no processes and open no sockets)"
        raise UsageError(
            f"{suite}: {'; '.join(wrong[:_MOST_NAMED])}{more}; correct the tests, or leave them out with "
            f"--flaky exclude{sandboxed * any(_NOT_PERMITTED in each for each in wrong)}"
        )
