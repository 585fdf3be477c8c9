"""Formats a generated suite for people and as JSON: its counts, engines and first states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.amounts import counted
from harness.errors import UsageError
from harness.generators.sat.solver_statistics import EXTENSION, PAIRS, SOLVING
from harness.kernel.inputs.call_source import CallWriter
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suite_header import SuiteHeader
from harness.kernel.inputs.suites import SuiteReader
from harness.model.details import facts_among
from harness.model.finitization import Finitization
from harness.model.sequence import SequenceScope
from harness.model.stop_reason import REQUESTED_ENDS, StopReason, reason
from harness.report.states.extension_view import extension_line
from harness.report.states.graph import NumberedState, first_states
from harness.report.states.reached_states import LastCall
from harness.report.states.text import ASCII, DRAWN, Lines, state_lines, states_text

_REPEATED: dict[str, str] = {
    StopReason.CALLS: ": the same bytes as {kind}:{inputs}",
    StopReason.PROCESSOR_TIME: ", which leaves another number of inputs each time: {kind}:{inputs} makes the same "
    "bytes anywhere",
}
"""Hints how to generate the same suite again, by the stop reason in its header."""


def suite_facts(name: str, header: SuiteHeader, origin: str | None = None) -> dict[str, Any]:
    """Return the facts of a suite for JSON; `name` is the given name of the subject.

    Args:
        origin: where, how and when the suite was made, if not now.
    """
    return {
        "subject": name,
        "generator": header.generator,
        "scope": header.scope,
        "explored": header.explored,
        "valid": header.states,
        "inputs": header.inputs,
        "inputs_by_method": header.inputs_by_target,
        "seconds": round(header.seconds, 3),
        **({} if header.exploring_seconds is None else {"exploring_seconds": round(header.exploring_seconds, 3)}),
        **(
            {"cpu_seconds": {what: round(s, 3) for what, s in header.cpu_seconds.items()}} if header.cpu_seconds else {}
        ),
        **({"origin": origin} if origin else {}),
        "machine": header.machine,
        "jobs": header.jobs,
        "began": header.began,
        "digest": header.digest,
        "engines": header.engines,
        **({"ended": header.ended} if header.ended else {}),
        **({"notices": header.notices} if header.notices else {}),
        **({"extension": header.details[PAIRS], "solving": header.details[SOLVING]} if PAIRS in header.details else {}),
        **({"details": others} if (others := _other_details(header)) else {}),
        **({"classes": [{"name": name, "first": state} for name, state in header.classes]} if header.classes else {}),
    }


def suite_text(name: str, suite: SuiteReader, origin: str | None = None) -> str:
    """Return a suite as text: counts, engines, stop reason, unread fields, covered classes and the suite's folder."""
    header = suite.header
    by_method = ", ".join(f"{target} {count:,}" for target, count in header.inputs_by_target.items())
    if suite.holds_sequences:
        states = f"{counted(header.states, 'state')} met in {counted(header.explored, 'executed sequence')}"
    else:
        states = f"{counted(header.states, 'valid state')} of {header.explored:,} explored"
    inputs = counted(header.inputs, "input")
    lines = [f"{name} scope {header.scope}: {inputs} ({by_method}) on {states}, {header.seconds:.2f} s"]
    if origin:
        lines.append(f"seconds: of when the suite was made: {origin}")
    if header.engines:
        lines.append(f"engine{'s' * (len(header.engines) > 1)}: {', '.join(header.engines)}")
    if header.states > header.explored and not suite.holds_sequences:
        unread = f" ({', '.join(header.unread)})" if header.unread else ""
        lines.append(
            f"more states than candidates: each value of what rep_ok leaves unread in a valid state{unread} "
            "makes a state of its own"
        )
    if line := extension_line(header):
        lines.append(line)
    lines += [f"{name}: {value}" for name, value in facts_among(_other_details(header)).items()]
    if header.ended and header.ended not in REQUESTED_ENDS:
        again = _REPEATED.get(header.ended, "").format(kind=header.generator.partition(":")[0], inputs=header.inputs)
        lines.append(f"ended {reason(header.ended)}{again}")
    if header.classes:
        lines.append(f"classes covered: {len(header.classes)}, each with its first state:")
        lines.extend(f"  {name}: {state}" for name, state in header.classes)
    return "\n".join([*lines, str(suite.folder)])


def _other_details(header: SuiteHeader) -> dict[str, Any]:
    """Return the details that have no line of their own."""
    return {name: value for name, value in header.details.items() if name not in (EXTENSION, PAIRS, SOLVING)}


def sequences_of_suite(suite: SuiteReader, bounds: SequenceScope, count: int) -> list[str]:
    """Return the first inputs of a suite of call sequences, each as its calls on one line."""
    writer = CallWriter(bounds.root, bounds.routines)
    return [writer.text(suite.sequence(number)) for number in range(min(count, len(suite)))]


def printable_sequences(sequences: Sequence[str], calls: Sequence[LastCall], total: int, encoding: str) -> str:
    """Return the first of `total` sequences, numbered from 1, each with the states around its last call below."""
    style = _style(encoding)
    width = len(str(len(sequences)))
    lines: list[str] = []
    for number, (text, call) in enumerate(zip(sequences, calls, strict=True), start=1):
        lines.append(f"{number:>{width}}  {text}")
        lines.extend(f"{'':{width}}  {line}" for line in _around(call, style))
    more = total - len(sequences)
    return "\n".join([*lines, *([f"\n... and {more:,} sequences more"] if more else [])])


def _around(call: LastCall, style: Lines) -> list[str]:
    """Return the lines of the state before the last call, the exception that it raises, and the state after it."""
    lines = [] if call.before is None else _headed("before: ", state_lines(call.before, style))
    if call.raised:
        lines.append(f"raises: {call.raised}")
    if call.after is not None:
        lines += _headed("after:  ", ["the same"] if call.after == call.before else state_lines(call.after, style))
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


def printable_states(states: Sequence[NumberedState], total: int, width: int, encoding: str) -> str:
    """Return the first of `total` states as text, in characters that the encoding has."""
    return states_text(states, total, width, _style(encoding))


def _style(encoding: str) -> Lines:
    try:
        "".join(DRAWN).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return DRAWN
