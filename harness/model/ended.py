"""Defines the reasons why a generator stops, and the messages that report them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum


class Ended(StrEnum):
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


AS_ASKED: frozenset[str] = frozenset({Ended.INPUTS, Ended.STATES})
"""The stop reasons of a suite that has all inputs or states that its name asks for."""

_REASONS: dict[str, str] = {
    Ended.CALLS: "by the limit of calls",
    Ended.PROCESSOR_TIME: "by the limit of processor time",
    Ended.INSTANCES: "by the limit of instances: what else is feasible is not known",
    Ended.ATTEMPTS: "by the attempts that the spec allows (s.attempts)",
    Ended.NOTHING_NEW: "as the last attempts made nothing new",
    Ended.ROUNDS: "by the number of rounds in which Hypothesis is asked for more",
}
_OF_INPUTS = re.compile(r"(?:random|hypothesis-stateful):([1-9][0-9]*)(?:,.*)?")
"""Names of generators with the number of inputs that they ask for."""


def reason(ended: str) -> str:
    """Return the words after "ended" for a stop reason; the reason itself if a plug-in made it."""
    return _REASONS.get(ended, f"by: {ended}")


def asked_inputs(generator: str) -> int | None:
    """Return the number of inputs that a generator's name asks for; None if it has no number."""
    match = _OF_INPUTS.fullmatch(generator)
    return None if match is None else int(match[1])


def suite_remarks(generator: str, inputs: int, ended: str | None, notices: Iterable[str] = ()) -> list[str]:
    """Return the remarks on a suite: that it ended before it had the inputs that its name asks for, and its notices.

    Args:
        ended: the stop reason of its generator; None if there was none, or it was not stored.
        notices: further remarks of the generator.
    """
    requested = asked_inputs(generator)
    remarks = list(notices)
    of = "" if requested is None else f" of {requested:,}"
    if ended and ended not in AS_ASKED:
        remarks.insert(0, f"{inputs:,}{of} inputs, ended {reason(ended)}")
    elif not ended and requested is not None and inputs < requested:
        remarks.insert(0, f"{inputs:,}{of} inputs, and what ended it was not stored")
    return remarks
