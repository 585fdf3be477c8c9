"""A candidate sequence: calls whose objects are chosen and whose other values are not (jtestcraft2010, section 4.2)."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model.routines import RoutineKind


@dataclass(frozen=True, slots=True)
class CandidateCall:
    """One call of a candidate sequence.

    Attributes:
        target: number of the routine among `SequenceScope.routines`, as `harness.kernel.inputs.suites.Call` has it.
        name: the routine's.
        receiver: position of the call that made the object it is called on, or with; None: a constructor.
        arguments: for each parameter behind the receiver, the position of the call whose result is passed, or None
            where the parameter takes one of its values, which the search chooses.
    """

    target: int
    name: str
    kind: RoutineKind
    receiver: int | None
    arguments: tuple[int | None, ...]

    @property
    def objects(self) -> tuple[int, ...]:
        """Positions of the calls whose results it takes, the receiver's first; of one taken twice, twice."""
        given = (self.receiver, *self.arguments)
        return tuple(position for position in given if position is not None)


@dataclass(frozen=True, slots=True)
class CandidateSequence:
    """Calls, each of objects that earlier ones made; the last is of the routine under test.

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
        """In one line: `o0 = Monitor(); o0.enable(?); o0.update(?)`, with `?` for what is not chosen."""
        used = {position for call in self.calls for position in call.objects}
        return "; ".join((f"o{at} = " if at in used else "") + _text(call) for at, call in enumerate(self.calls))


def _text(call: CandidateCall) -> str:
    given = ["?" if position is None else f"o{position}" for position in call.arguments]
    if call.kind is RoutineKind.METHOD:
        return f"o{call.receiver}.{call.name}({', '.join(given)})"
    if call.kind is RoutineKind.FUNCTION:
        given.insert(0, f"o{call.receiver}")
    return f"{call.name}({', '.join(given)})"
