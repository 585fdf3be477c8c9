"""The calls that a scope allows, and how a call that refers to objects is put behind the sequences that make them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from harness.kernel.inputs.suites import Call
from harness.model.sequence import Fixed, Routine, SequenceScope, TokenValue


class Choice(NamedTuple):
    """A routine with an index into the values of each parameter, or None where an object of a sequence goes."""

    target: int
    indices: tuple[int | None, ...]

    def classes(self, routine: Routine, root: str) -> list[tuple[str, ...]]:
        """Of each object that it takes, the receiver first: the names of the classes one of which it is of."""
        receiver = [(root,)] if routine.has_receiver else []
        given = zip(routine.parameters, self.indices, strict=True)
        return receiver + [parameter.earlier for parameter, index in given if index is None]

    def call(self, routine: Routine, results: Sequence[int]) -> Call:
        """The call whose objects are the results of those numbers, the receiver's first."""
        left = iter(results)
        receiver = (next(left),) if routine.has_receiver else ()
        given = zip(routine.parameters, self.indices, strict=True)
        return Call(
            self.target,
            (*receiver, *(len(p.values) + next(left) if index is None else index for p, index in given)),
        )


def choices(scope: SequenceScope, target: int) -> list[Choice]:
    """All of a routine, in the order of its values, objects last."""
    routine = scope.routines[target]
    options: list[list[int | None]] = []
    for parameter in routine.parameters:
        objects: list[int | None] = [None] if parameter.earlier else []
        options.append([*range(len(parameter.values)), *objects])
    return [Choice(target, indices) for indices in product(*options)]


def moved(call: Call, routine: Routine, by: int) -> Call:
    """The call as it is when `by` other calls go before the sequence that it belongs to."""
    if not by:
        return call
    arguments = list(call.arguments)
    if routine.has_receiver:
        arguments[0] += by
    first = int(routine.has_receiver)
    for at, parameter in enumerate(routine.parameters, start=first):
        if arguments[at] >= len(parameter.values):
            arguments[at] += by
    return Call(call.target, tuple(arguments))


def as_text(scope: SequenceScope, calls: Sequence[Call]) -> str:
    """A sequence as one line of Python, for messages."""
    routines = scope.routines
    names: list[str] = []
    told: list[str] = []
    for call in calls:
        routine = routines[call.target]
        indices = call.arguments[1:] if routine.has_receiver else call.arguments
        shown = [
            names[index - len(parameter.values)] if index >= len(parameter.values) else _value(parameter.values[index])
            for parameter, index in zip(routine.parameters, indices, strict=True)
        ]
        plain = len(shown) - len(routine.keywords)
        passed = [*shown[:plain], *map("{}={}".format, routine.keywords, shown[plain:])]
        if not routine.has_receiver:
            names.append(_name(sum(not name.startswith("r") for name in names)))
            told.append(f"{names[-1]} = {routine.name}({', '.join(passed)})")
            continue
        receiver = names[call.arguments[0]]
        names.append(f"r{len(names) + 1}")
        is_used = any(_refers(later, routines[later.target], len(names) - 1) for later in calls[len(names) :])
        text = f"{receiver}.{routine.name}({', '.join(passed)})"
        if routine.kind.name == "FUNCTION":
            text = f"{routine.name}({', '.join([receiver, *passed])})"
        told.append(f"{names[-1]} = {text}" if is_used else text)
    return "; ".join(told)


def _name(number: int) -> str:
    """a, b, ... for objects; results of methods are r1, r2, ... by their place."""
    return "abcdefghijklmnopq"[number] if number < 17 else f"x{number}"


def _refers(call: Call, routine: Routine, number: int) -> bool:
    """Whether a call takes the result of that number."""
    if routine.has_receiver and call.arguments[0] == number:
        return True
    indices = call.arguments[1:] if routine.has_receiver else call.arguments
    return any(
        index == len(parameter.values) + number for parameter, index in zip(routine.parameters, indices, strict=True)
    )


def _value(value: object) -> str:
    if isinstance(value, TokenValue):
        return f"<{value.domain} {value.index}>"
    return repr(value.of if isinstance(value, Fixed) else value)
