"""Why a suite has no more inputs than it has, as its generator told, and how people are told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum


class Ended(StrEnum):
    """What ended the making of a suite. A generator that makes all there are tells nothing."""

    INPUTS = "inputs"
    """There are as many inputs as were asked for."""
    STATES = "states"
    """There are as many states as were asked for."""
    CALLS = "calls"
    PROCESSOR_TIME = "processor time"
    INSTANCES = "instances"
    """The limit of instances, so that nobody knows what else is feasible."""
    ATTEMPTS = "attempts"
    """The spec's `attempts` are used up."""
    NOTHING_NEW = "nothing new"
    """There were only inputs that are there already."""
    ROUNDS = "rounds"
    """Hypothesis was asked for more as often as it may be."""


AS_ASKED: frozenset[str] = frozenset({Ended.INPUTS, Ended.STATES})
"""What ends a suite that has all that its name asks for."""

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
    """What ended a suite, behind the word "ended"; the word of a plug-in as it is."""
    return _REASONS.get(ended, f"by: {ended}")


def asked_inputs(generator: str) -> int | None:
    """How many inputs a generator's name asks for; None for one that says nothing of it."""
    found = _OF_INPUTS.fullmatch(generator)
    return None if found is None else int(found[1])


def suite_remarks(generator: str, inputs: int, ended: str | None, notices: Iterable[str] = ()) -> list[str]:
    """What is to be told of a suite: that it ended before it had what its name asks for, and what qualifies it.

    Args:
        ended: what its generator told; None where it told nothing, or nobody kept it.
        notices: what the generator told besides.
    """
    asked = asked_inputs(generator)
    found = list(notices)
    of = "" if asked is None else f" of {asked:,}"
    if ended and ended not in AS_ASKED:
        found.insert(0, f"{inputs:,}{of} inputs, ended {reason(ended)}")
    elif not ended and asked is not None and inputs < asked:
        found.insert(0, f"{inputs:,}{of} inputs, and what ended it was not stored")
    return found
