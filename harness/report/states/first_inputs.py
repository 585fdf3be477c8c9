"""Shows the first states or sequences of calls of a suite: as text, as JSON, and states as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.errors import UsageError
from harness.kernel.inputs.call_source import CallWriter
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteHeader, SuiteReader
from harness.model.finitization import Finitization
from harness.model.sequence import SequenceScope
from harness.report.states.graph import NumberedState, first_states
from harness.report.states.reached_states import LastCall
from harness.report.states.text import state_lines


def sequences_of_suite(suite: SuiteReader, bounds: SequenceScope, count: int) -> list[str]:
    """Return the first inputs of a suite of call sequences, each as its calls on one line."""
    writer = CallWriter(bounds.root, bounds.routines)
    return [writer.text(suite.sequence(number)) for number in range(min(count, len(suite)))]


def printable_sequences(sequences: Sequence[str], calls: Sequence[LastCall], total: int) -> str:
    """Return the first of `total` sequences, numbered from 1, each with the states around its last call below."""
    width = len(str(len(sequences)))
    lines: list[str] = []
    for number, (text, call) in enumerate(zip(sequences, calls, strict=True), start=1):
        lines.append(f"{number:>{width}}  {text}")
        lines.extend(f"{'':{width}}  {line}" for line in _around(call))
    more = total - len(sequences)
    return "\n".join([*lines, *([f"\n... and {more:,} sequences more"] if more else [])])


def _around(call: LastCall) -> list[str]:
    """Return the lines of the state before the last call, the exception that it raises, and the state after it."""
    lines = [] if call.before is None else _headed("before: ", state_lines(call.before))
    if call.raised:
        lines.append(f"raises: {call.raised}")
    if call.after is not None:
        lines += _headed("after:  ", ["the same"] if call.after == call.before else state_lines(call.after))
    return lines


def _headed(head: str, lines: Sequence[str]) -> list[str]:
    return [(head if not number else " " * len(head)) + line for number, line in enumerate(lines)]


def last_calls_as_data(calls: Sequence[LastCall]) -> list[dict[str, Any]]:
    """Return the calls for JSON: states as lines of text or None, and the type of the exception or an empty text."""
    return [
        {
            "before": None if call.before is None else state_lines(call.before),
            "after": None if call.after is None else state_lines(call.after),
            "raised": call.raised,
        }
        for call in calls
    ]


def states_of(suite: SuiteReader, finitization: Finitization, count: int) -> list[NumberedState]:
    """Return the first states of a suite, read by its finitization; the implementation is not executed."""
    return first_states(StateSpace(finitization), suite.vectors(), count)


def draw_into(states: Sequence[NumberedState], header: SuiteHeader, path: Path) -> Path:
    """Draw states of a suite into a file and return its path.

    Raises:
        UsageError: there are none, a suffix that is none of a figure, or the picture would be too large.
        StoreError: the file cannot be written.
    """
    from harness.analysis.plots import save_figure
    from harness.report.states.figure import draw_states

    if not states:
        raise UsageError(
            f"--figure: no state is before a call in this suite of {header.subject}; choose a larger scope"
        )
    title = (
        f"{header.subject}, {header.generator}, scope {header.scope}: states 1-{states[-1].last:,} of {header.states:,}"
    )
    save_figure(draw_states(states, title), path)
    return path


def states_as_data(states: Sequence[NumberedState]) -> list[dict[str, Any]]:
    """Return the states for JSON: the range of their numbers in the suite, from 1, and each as lines of text."""
    return [{"first": one.first, "last": one.last, "lines": state_lines(one.graph)} for one in states]
