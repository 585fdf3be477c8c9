"""A candidate sequence: calls with chosen objects and open values (jtestcraft2010, section 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model.routines import RoutineKind


@dataclass(frozen=True, slots=True)
class CandidateCall:
    """One call of a candidate sequence.

    Attributes:
        target: the number of the routine among `SequenceScope.routines`, as in `harness.kernel.inputs.suites.Call`.
        name: the routine's name.
        receiver: the position of the call that made the receiver or first argument; None for a constructor.
        arguments: for each parameter after the receiver, the position of the call whose result is passed, or None
            if the parameter takes one of its values, which the search chooses.
    """

    target: int
    name: str
    kind: RoutineKind
    receiver: int | None
    arguments: tuple[int | None, ...]

    @property
    def objects(self) -> tuple[int, ...]:
        """The positions of the calls whose results it takes, the receiver's first; repeated if taken twice."""
        positions = (self.receiver, *self.arguments)
        return tuple(position for position in positions if position is not None)


@dataclass(frozen=True, slots=True)
class CandidateSequence:
    """Calls on objects that earlier calls made; the last call is of the routine under test.

    Attributes:
        calls: at least one; each refers to earlier calls only.
    """

    calls: tuple[CandidateCall, ...]

    def __post_init__(self) -> None:
        if not self.calls:
            raise ValueError("a candidate sequence has at least one call")
        for at, call in enumerate(self.calls):
            if any(not 0 <= position < at for position in call.objects):
                raise ValueError(f"call {at}, {call.name}, takes the result of a call that is not before it")

    def __len__(self) -> int:
        return len(self.calls)

    def __str__(self) -> str:
        """Return the calls in one line: `o0 = Monitor(); o0.enable(?); o0.update(?)`, with `?` for open values."""
        used = {position for call in self.calls for position in call.objects}
        return "; ".join((f"o{at} = " if at in used else "") + _text(call) for at, call in enumerate(self.calls))


def _text(call: CandidateCall) -> str:
    arguments = ["?" if position is None else f"o{position}" for position in call.arguments]
    if call.kind is RoutineKind.METHOD:
        return f"o{call.receiver}.{call.name}({', '.join(arguments)})"
    if call.kind is RoutineKind.FUNCTION:
        arguments.insert(0, f"o{call.receiver}")
    return f"{call.name}({', '.join(arguments)})"
