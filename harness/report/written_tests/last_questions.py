"""Last questions to an object, which change it: what its routines give once a test is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kernel.judging.canon import Omits, concrete
from harness.kernel.specs.tokens import Token
from harness.model.routines import Routine, RoutineKind
from harness.report.written_tests.plain import plain_source

MOST_CALLS = 20
"""Of a routine without arguments, one for each value that the object holds."""


@dataclass(frozen=True)
class Probe:
    """A routine called again and again on the object at the end of a test.

    Attributes:
        asked: the sources of its arguments, one for each call; empty where it takes none.
        answers: the sources of what the calls give.
        left: how many bytes the object has in canonical form afterwards.
    """

    routine: str
    asked: tuple[str, ...]
    answers: tuple[str, ...]
    left: int

    @property
    def named(self) -> frozenset[str]:
        """The sources of the values that it says something about: those that it gives, or those it says yes to."""
        if not self.asked:
            return frozenset(self.answers)
        return frozenset(
            value for value, told in zip(self.asked, self.answers, strict=True) if told not in ("None", "False")
        )


def probing_routines(routines: Sequence[Routine]) -> list[Routine]:
    """Those that may be called so: public methods of no argument, or of one that is a plain value."""
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
    """What the routine gives on the object, which is not the same afterwards.

    Args:
        values: those that a routine of one argument is called with if they are in its domain, by source.
        count: how often a routine without arguments is called.

    Returns:
        None where there is nothing to ask, a call raises, or gives what cannot be written.
    """
    method = getattr(held, routine.name, None)
    if method is None:
        return None
    asked = _asked(routine, values)
    times = len(asked) if routine.parameters else count or 0
    if not 0 < times <= MOST_CALLS:
        return None
    try:
        given = [method(value) for value in asked.values()] if asked else [method() for _ in range(times)]
        left = len(concrete(held, omits=omits, past_methods=True))
    except (Exception, SystemExit):
        return None
    answers = [plain_source(one, tokens) for one in given]
    told = tuple(source for source in answers if source is not None)
    return Probe(routine.name, tuple(asked), told, left) if len(told) == times else None


def _asked(routine: Routine, values: Mapping[str, Any]) -> dict[str, Any]:
    if not routine.parameters:
        return {}
    domain = [(type(value), value) for value in routine.parameters[0].values if type(value) in (int, str, float)]
    return {source: value for source, value in values.items() if (type(value), value) in domain}
