"""Candidate sequences (jtestcraft2010, section 4.2), and the options that restrict and order their enumeration."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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


class PartialOrder(StrEnum):
    """The rules by which candidates are kept that differ only in the order of their calls."""

    NO = "no"
    """Keep all of them."""
    YES = "yes"
    """Keep exactly one of those that differ by swaps of commuting neighbours, and all others."""
    PRINTED = "printed"
    """Keep the candidates that the rule of section 4.3.4 keeps. A call precedes one that it does not influence only if
    its number is no higher. The rule tests influence in one direction only, so it may lose candidates without an
    equivalent one.
    """


@dataclass(frozen=True, slots=True)
class Switches:
    """Options that restrict and order the enumeration (jtestcraft2010, sections 4.3.3, 4.3.4 and 4.4.3).

    Attributes:
        data_flow: leave out candidates whose calls are not all linked by objects, or by variables of the module.
        partial_order: which candidates are kept of those that differ only in the order of their calls.
        grouped: yield candidates of one length that begin with the same calls one after the other.
    """

    data_flow: bool = True
    partial_order: PartialOrder = PartialOrder.YES
    grouped: bool = True
