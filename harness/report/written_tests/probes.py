"""Defines probes: routines that change an object, and that a test therefore calls as its last step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kernel.judging.prepared import outcome_of
from harness.kernel.objects.equality import concrete
from harness.kernel.objects.reading import Omits
from harness.kernel.specs.tokens import Token
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.plain import plain_source

MOST_CALLS = 20
"""The greatest number of calls of a routine without arguments, which is called once per value that the object holds."""


@dataclass(frozen=True)
class Probe:
    """A routine called again and again on the object at the end of a test.

    Attributes:
        arguments: the sources of its arguments, one for each call; empty where it takes none.
        answers: the sources of the results.
        left: how many bytes the object has in canonical form afterwards.
    """

    routine: str
    arguments: tuple[str, ...]
    answers: tuple[str, ...]
    left: int

    @property
    def named(self) -> frozenset[str]:
        """The sources of the values that the answers name: the results, or the arguments that were not refused."""
        if not self.arguments:
            return frozenset(self.answers)
        return frozenset(
            value for value, answer in zip(self.arguments, self.answers, strict=True) if answer not in ("None", "False")
        )


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
    routine: Routine,
    held: Any,
    values: Mapping[str, Any],
    count: int | None,
    tokens: dict[Token, str],
    omits: Omits | None,
) -> Probe | None:
    """Call the routine on the object, which it may change, and return its answers.

    Args:
        values: the arguments for a routine with one parameter, by source, if they are in its domain.
        count: how often a routine without arguments is called.

    Returns:
        None if there are no values to ask about, if a call raises, or if a result cannot be written as source.
    """
    method = getattr(held, routine.name, None)
    if method is None:
        return None
    arguments = _probe_arguments(routine, values)
    times = len(arguments) if routine.parameters else count or 0
    if not 0 < times <= MOST_CALLS:
        return None

    def called() -> tuple[list[Any], int]:
        results = [method(value) for value in arguments.values()] if arguments else [method() for _ in range(times)]
        return results, len(concrete(held, omits=omits))

    done = outcome_of(called)
    if done.raised is not None:
        return None
    results, left = done.returned
    answers = [plain_source(one, tokens) for one in results]
    sources = tuple(source for source in answers if source is not None)
    return Probe(routine.name, tuple(arguments), sources, left) if len(sources) == times else None


def _probe_arguments(routine: Routine, values: Mapping[str, Any]) -> dict[str, Any]:
    if not routine.parameters:
        return {}
    domain = [(type(value), value) for value in routine.parameters[0].values if type(value) in (int, str, float)]
    return {source: value for source, value in values.items() if (type(value), value) in domain}
