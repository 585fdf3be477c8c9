"""Enumerates the candidate sequences of a target, one at a time from the shortest (jtestcraft2010, chapter 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

from harness.generators.influence.candidate import CandidateCall, CandidateSequence, PartialOrder, Switches
from harness.generators.influence.effects import meet
from harness.generators.influence.influence import Influence
from harness.model.routines import Routine

Order: TypeAlias = tuple[int, ...]
"""Numbers of routines, the target's last. An order does not include receivers."""


class Orders:
    """The orders of one target, in which each routine may directly influence a later one.

    Args:
        printed_rule: whether the partial order reduction of section 4.3.4 is applied: no routine stands before one that
            it does not influence directly and whose number is lower.
    """

    def __init__(self, influence: Influence, target: int, printed_rule: bool = False) -> None:
        self.target = target
        self._influence = influence
        self._routines = range(len(influence.facts))
        self._printed_rule = printed_rule
        self._can_end = cache(self._ends)

    def backward(self, length: int) -> Iterator[Order]:
        """Yield the orders of a length as Listing 4.2 finds them: routines are added before shorter orders, one at a
        time.

        Only one order is held at a time, not all shorter ones.
        """
        yield from self._longer((self.target,), length)

    def _longer(self, order: Order, length: int) -> Iterator[Order]:
        if len(order) == length:
            yield order
            return
        for routine in self._routines:
            if not self._influence.direct[routine].isdisjoint(order) and self._may_precede(routine, order[0]):
                yield from self._longer((routine, *order), length)

    def forward(self, begun: Order, length: int) -> Iterator[int]:
        """Yield the routines that may come next in an order of a length, so that some order has this prefix.

        Orders of one length that begin with the same routines are so found one after the other.
        """
        idle = self._idle(begun)
        last = begun[-1] if begun else None
        left = length - len(begun) - 1
        for routine in self._routines:
            if self._fits_behind(last, routine) and self._can_end(self._still_idle(idle, last, routine), routine, left):
                yield routine

    def has_any(self, length: int) -> bool:
        """Return whether there is an order of that length; if there is none, there are no longer ones."""
        return next(self.forward((), length), None) is not None

    def _idle(self, begun: Order) -> frozenset[int]:
        """Return the routines before the last that influence none after them."""
        return frozenset(
            one for at, one in enumerate(begun[:-1]) if self._influence.direct[one].isdisjoint(begun[at + 1 :])
        )

    def _still_idle(self, idle: frozenset[int], last: int | None, routine: int) -> frozenset[int]:
        """Return the idle routines that remain when one more routine follows the last."""
        before = idle if last is None else idle | {last}
        return frozenset(one for one in before if routine not in self._influence.direct[one])

    def _ends(self, idle: frozenset[int], last: int, left: int) -> bool:
        """Return whether exactly `left` more routines may follow to complete an order."""
        if left == 0:
            return last == self.target and not idle
        return any(
            self._fits_behind(last, routine) and self._can_end(self._still_idle(idle, last, routine), routine, left - 1)
            for routine in self._routines
        )

    def _fits_behind(self, last: int | None, routine: int) -> bool:
        return last is None or self._may_precede(last, routine)

    def _may_precede(self, routine: int, following: int) -> bool:
        return not self._printed_rule or routine <= following or following in self._influence.direct[routine]


class CandidateEnumeration:
    """The candidates of a target, by length from the shortest, made on demand; none is made twice.

    An order of routines becomes as many candidates as there are ways to pass objects of earlier calls to each call.
    Calls whose objects no earlier call makes are in no candidate.
    """

    def __init__(
        self, influence: Influence, routines: Sequence[Routine], target: int, most_calls: int, switches: Switches
    ) -> None:
        self._influence = influence
        self._routines = routines
        self._switches = switches
        self._orders = Orders(influence, target, switches.partial_order is PartialOrder.PRINTED)
        self._impassable: set[tuple[CandidateCall, ...]] = set()
        most_objects = max(len(facts.takes) for facts in influence.facts)
        self._merged_by_one = most_objects - 1
        self._has_shared = any(meet(one.effects.shared, one.effects.shared) for one in influence.facts)
        self._candidates = self._by_length(most_calls)

    def __iter__(self) -> CandidateEnumeration:
        return self

    def __next__(self) -> CandidateSequence:
        return next(self._candidates)

    def leave_out(self, begun: tuple[CandidateCall, ...]) -> None:
        """Yield no more candidates that begin with these calls, which have no path to continue from."""
        self._impassable.add(begun)

    def _by_length(self, most_calls: int) -> Iterator[CandidateSequence]:
        for length in range(1, most_calls + 1):
            if not self._orders.has_any(length):
                return
            yield from self._grouped((), length) if self._switches.grouped else self._ungrouped(length)

    def _grouped(self, begun: tuple[CandidateCall, ...], length: int) -> Iterator[CandidateSequence]:
        """Yield the candidates that begin with some calls, one after the other."""
        if self._is_hopeless(begun, length):
            return
        if len(begun) == length:
            if self._is_kept(begun):
                yield CandidateSequence(begun)
            return
        for routine in self._orders.forward(tuple(call.target for call in begun), length):
            for call in self._calls(routine, begun):
                yield from self._grouped((*begun, call), length)
                if self._is_impassable(begun):
                    return

    def _ungrouped(self, length: int) -> Iterator[CandidateSequence]:
        for order in self._orders.backward(length):
            yield from self._of_order((), order)

    def _of_order(self, begun: tuple[CandidateCall, ...], order: Order) -> Iterator[CandidateSequence]:
        if self._is_hopeless(begun, len(order)):
            return
        if len(begun) == len(order):
            if self._is_kept(begun):
                yield CandidateSequence(begun)
            return
        for call in self._calls(order[len(begun)], begun):
            yield from self._of_order((*begun, call), order)

    def _calls(self, target: int, begun: Sequence[CandidateCall]) -> Iterator[CandidateCall]:
        """Yield a routine's calls with each choice of objects; a parameter that also takes values has these first."""
        routine = self._routines[target]
        facts = self._influence.facts[target]
        options: list[list[int | None]] = []
        for slot, optional in enumerate(facts.optional):
            makers = [at for at, call in enumerate(begun) if self._influence.passes[call.target][target][slot]]
            options.append([*([None] if optional else []), *makers])
        for chosen in product(*options):
            left = iter(chosen)
            receiver = next(left) if routine.has_receiver else None
            arguments = tuple(next(left) if parameter.earlier else None for parameter in routine.parameters)
            yield CandidateCall(target, routine.name, routine.kind, receiver, arguments)

    # -- what is left out ------------------------------------------------------------------------

    def _is_impassable(self, begun: tuple[CandidateCall, ...]) -> bool:
        return bool(self._impassable) and any(begun[:at] in self._impassable for at in range(1, len(begun) + 1))

    def _is_hopeless(self, begun: tuple[CandidateCall, ...], length: int) -> bool:
        """Return whether no candidate of a length with this prefix is kept, as far as the prefix shows."""
        if self._is_impassable(begun):
            return True
        if not begun or len(begun) == length:
            return False
        if self._switches.data_flow and not self._has_shared:
            left = length - len(begun)
            if len(set(_joined([call.objects for call in begun]))) - left * self._merged_by_one > 1:
                return True
        if self._switches.partial_order is not PartialOrder.YES:
            return False
        # The target is assumed to follow it and to link all calls, which leaves the fewest orders to compare it with.
        whole = Sharing((*begun, begun[-1]), self._influence, is_told=False)
        return not is_least(begun, whole.depends)

    def _is_kept(self, calls: tuple[CandidateCall, ...]) -> bool:
        sharing = Sharing(calls, self._influence, is_told=self._switches.data_flow)
        if self._switches.data_flow and not sharing.all_influence():
            return False
        return self._switches.partial_order is not PartialOrder.YES or is_least(calls, sharing.depends)


def _joined(links: Sequence[Iterable[int]]) -> list[int]:
    """Return the number of each call's group, by the earlier calls that each call is linked to."""
    groups = list(range(len(links)))
    for at, others in enumerate(links):
        for other in others:
            one, joined = groups[at], groups[other]
            groups = [joined if group == one else group for group in groups]
    return groups


class Sharing:
    """The links between the calls of one candidate: objects that calls make and take, or locations that all calls
    share.

    Two calls before the last are linked only by calls among those before the last; the last call may link all. So the
    links depend on no order of calls.

    Args:
        is_told: if False, all calls count as linked.
    """

    def __init__(self, calls: Sequence[CandidateCall], influence: Influence, is_told: bool = True) -> None:
        self._calls = calls
        self._effects = [influence.facts[call.target].effects for call in calls]
        self._before_last, self._all = [*([0] * (len(calls) - 1)), -1], [0] * len(calls)
        if is_told:
            links = [(*call.objects, *self._sharing(at)) for at, call in enumerate(calls)]
            self._before_last, self._all = [*_joined(links[:-1]), -1], _joined(links)

    def _sharing(self, at: int) -> list[int]:
        """Return the earlier calls that may access an object of a call though it is not passed to them."""
        return [one for one in range(at) if self._effects[one].shares(self._effects[at])]

    def influences(self, at: int, later: int) -> bool:
        """Return whether a call may influence a later one directly: it makes its object, or writes its input."""
        if at in self._calls[later].objects:
            return True
        return self._links(at, later) and self._effects[at].feeds(self._effects[later])

    def all_influence(self) -> bool:
        """Return whether each call but the last may influence a later one."""
        last = len(self._calls) - 1
        return all(any(self.influences(at, later) for later in range(at + 1, last + 1)) for at in range(last))

    def depends(self, at: int, later: int) -> bool:
        """Return whether a later call must stay after an earlier one: it takes its object, or both access the same
        place.

        The last call always stays last.
        """
        if later == len(self._calls) - 1 or at in self._calls[later].objects:
            return True
        return self._links(at, later) and not self._effects[at].commutes_with(self._effects[later])

    def _links(self, at: int, later: int) -> bool:
        groups = self._all if later == len(self._calls) - 1 else self._before_last
        return groups[at] == groups[later]


Depends: TypeAlias = Callable[[int, int], bool]
"""A function that returns whether a later call must stay after an earlier one, by positions."""


def is_least(calls: Sequence[CandidateCall], depends: Depends) -> bool:
    """Return whether no other order is before this one.

    Orders are compared call by call, by numbers of routines, then by positions of the objects that they take. Swaps of
    neighbours produce all orders in which dependent calls keep their order, and one of these is the least.

    Args:
        depends: returns True for each call that takes another's object, and does not depend on positions.
    """
    before = [[at for at in range(later) if depends(at, later)] for later in range(len(calls))]
    return _is_least(calls, before, {})


def _is_least(calls: Sequence[CandidateCall], before: Sequence[Sequence[int]], placed: dict[int, int]) -> bool:
    position = len(placed)
    if position == len(calls):
        return True
    own = _key(calls[position], range(len(calls)))
    for at, call in enumerate(calls):
        if at in placed or any(one not in placed for one in before[at]):
            continue
        key = _key(call, placed)
        if key < own or (key == own and not _is_least(calls, before, {**placed, at: position})):
            return False
    return True


def _key(call: CandidateCall, places: Sequence[int] | dict[int, int]) -> tuple[int, ...]:
    positions = (call.receiver, *call.arguments)
    return (call.target, *(-1 if position is None else places[position] for position in positions))
