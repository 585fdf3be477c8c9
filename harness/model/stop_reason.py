"""Defines the reasons why a generator stops, and the messages that report them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from harness.amounts import counted


class StopReason(StrEnum):
    """The stop reason of a generator. A generator that makes all existing inputs reports none."""

    INPUTS = "inputs"
    """There are as many inputs as were asked for."""
    STATES = "states"
    """There are as many states as were asked for."""
    CALLS = "calls"
    PROCESSOR_TIME = "processor time"
    INSTANCES = "instances"
    """The limit of instances: it is unknown which others are feasible."""
    ATTEMPTS = "attempts"
    """The spec's `attempts` are used up."""
    NOTHING_NEW = "nothing new"
    """There were only inputs that are there already."""
    ROUNDS = "rounds"
    """Hypothesis was asked for more as often as it may be."""


REQUESTED_ENDS: frozenset[str] = frozenset({StopReason.INPUTS, StopReason.STATES})
"""The stop reasons of a suite that has all inputs or states that its name asks for."""

_REASONS: dict[str, str] = {
    StopReason.CALLS: "by the limit of calls",
    StopReason.PROCESSOR_TIME: "by the limit of processor time",
    StopReason.INSTANCES: "by the limit of instances: what else is feasible is not known",
    StopReason.ATTEMPTS: "by the attempts that the spec allows (s.attempts)",
    StopReason.NOTHING_NEW: "as the last attempts made nothing new",
    StopReason.ROUNDS: "by the number of rounds in which Hypothesis is asked for more",
}
_OF_INPUTS = re.compile(r"(?:random|hypothesis-stateful):([1-9][0-9]*)(?:,.*)?")
"""Names of generators with the number of inputs that they ask for."""


def reason(stop_reason: str) -> str:
    """Return the words after "ended" for a stop reason; the reason itself if a plug-in made it."""
    return _REASONS.get(stop_reason, f"by: {stop_reason}")


def requested_inputs(generator: str) -> int | None:
    """Return the number of inputs that a generator's name asks for; None if it has no number."""
    match = _OF_INPUTS.fullmatch(generator)
    return None if match is None else int(match[1])


def suite_remarks(generator: str, inputs: int, stop_reason: str | None, notices: Iterable[str] = ()) -> list[str]:
    """Return the remarks on a suite: that it ended before it had the inputs that its name asks for, and its notices.

    Args:
        stop_reason: the stop reason of its generator; None if there was none, or it was not stored.
        notices: further remarks of the generator.
    """
    requested = requested_inputs(generator)
    remarks = list(notices)
    number = counted(inputs, "input") if requested is None else f"{inputs:,} of {counted(requested, 'input')}"
    if stop_reason and stop_reason not in REQUESTED_ENDS:
        remarks.insert(0, f"{number}, ended {reason(stop_reason)}")
    elif not stop_reason and requested is not None and inputs < requested:
        remarks.insert(0, f"{number}, and what ended it was not stored")
    return remarks
