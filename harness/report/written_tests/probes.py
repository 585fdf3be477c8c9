"""Defines probes: routines that change an object, and that a test therefore calls as its last step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kernel.judging.prepared import outcome_of
from harness.kernel.specs.tokens import Token
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.source import plain_source

MOST_CALLS = 20
"""The greatest number of calls of a routine."""


@dataclass(frozen=True)
class Probe:
    """A routine called again and again on the object at the end of a test.

    Attributes:
        routine: its name.
        calls: the sources of the arguments and of the result of each call; the arguments are empty if it takes none.
    """

    routine: str
    calls: tuple[tuple[str, str], ...]

    @property
    def takes_nothing(self) -> bool:
        """Whether the calls have no argument."""
        return not self.calls[0][0]

    @property
    def named(self) -> set[str]:
        """The sources of the values that the calls name: results, or arguments that were accepted."""
        return {argument or result for argument, result in self.calls if result not in ("None", "False")}


def probing_routines(routines: Sequence[Routine]) -> list[Routine]:
    """Return the routines that may serve as probes: public methods with no argument, or with one plain value."""
    return [
        routine
        for routine in routines
        if routine.kind is RoutineKind.METHOD
        and not routine.name.startswith("_")
        and routine.requires is None
        and not routine.keywords
        and len(routine.parameters) <= 1
        and not any(parameter.earlier for parameter in routine.parameters)
    ]


def probed(
    routine: Routine, held: Any, values: Mapping[str, Any], count: int, tokens: dict[Token, str]
) -> Probe | None:
    """Call the routine on the object, which it may change, and return its results up to the first call that raises.

    Args:
        values: the arguments for a routine with one parameter, by source, if they are in its domain.
        count: how often a routine without arguments is called.

    Returns:
        None if there are no values to ask about, or if a result cannot be written as source.
    """
    arguments: list[tuple[str, tuple[Any, ...]]] = [("", ())] * count
    if routine.parameters:
        domain = [(type(value), value) for value in routine.parameters[0].values if type(value) in (int, str, float)]
        arguments = [(source, (value,)) for source, value in values.items() if (type(value), value) in domain]
    calls: list[tuple[str, str]] = []
    for source, passed in arguments[:MOST_CALLS]:
        returned, raised = outcome_of(getattr(held, routine.name), *passed)
        if raised is not None:
            break
        result = plain_source(returned, tokens)
        if result is None:
            return None
        calls.append((source, result))
    return Probe(routine.name, tuple(calls)) if calls else None
