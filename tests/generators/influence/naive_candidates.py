"""Candidates by definition: everything is made, and what does not fit is left out."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from harness.generators.influence.candidate import CandidateCall, CandidateSequence
from harness.generators.influence.influence import Influence
from harness.model.routines import Routine

Calls = tuple[CandidateCall, ...]


def naive_orders(influence: Influence, target: int, length: int, printed_rule: bool = False) -> set[tuple[int, ...]]:
    """Return all tuples of routines, without those in which a routine influences no later one."""
    direct = influence.direct
    every = [(*begun, target) for begun in product(range(len(influence.facts)), repeat=length - 1)]
    return {
        order
        for order in every
        if all(any(later in direct[order[at]] for later in order[at + 1 :]) for at in range(length - 1))
        and not (printed_rule and any(one > other and other not in direct[one] for one, other in pairwise(order)))
    }


def naive_candidates(
    influence: Influence, routines: Sequence[Routine], target: int, length: int, data_flow: bool
) -> set[CandidateSequence]:
    """Each order with each choice of earlier calls for each object, without those of objects of other classes."""
    return {
        CandidateSequence(calls)
        for order in naive_orders(influence, target, length)
        for calls in product(*([*_calls(influence, routines, order, at)] for at in range(length)))
        if not data_flow or all(_influences_some(calls, at, influence) for at in range(length - 1))
    }


def _calls(
    influence: Influence, routines: Sequence[Routine], order: tuple[int, ...], at: int
) -> Iterator[CandidateCall]:
    routine = routines[order[at]]
    takes = [parameter.earlier for parameter in routine.parameters]
    values = [bool(parameter.values) for parameter in routine.parameters]
    for receiver, *arguments in product([*range(at), None], repeat=1 + len(takes)):
        objects = [(receiver, routine.has_receiver, not routine.has_receiver)]
        objects += [(one, bool(classes), has) for one, classes, has in zip(arguments, takes, values, strict=True)]
        slots = [(position, may_be_none) for position, is_object, may_be_none in objects if is_object]
        if any(position is not None for position, is_object, _ in objects if not is_object):
            continue
        if all(
            may_be_none if position is None else influence.passes[order[position]][order[at]][slot]
            for slot, (position, may_be_none) in enumerate(slots)
        ):
            yield CandidateCall(order[at], routine.name, routine.kind, receiver, tuple(arguments))


def _influences_some(calls: Calls, at: int, influence: Influence) -> bool:
    return any(_influences(calls, at, later, influence) for later in range(at + 1, len(calls)))


def _influences(calls: Calls, at: int, later: int, influence: Influence) -> bool:
    one, other = (influence.facts[calls[position].target].effects for position in (at, later))
    return at in calls[later].objects or (one.feeds(other) and _linked(calls, at, later, influence))


def _linked(calls: Calls, at: int, later: int, influence: Influence) -> bool:
    """Return whether results that calls take, or shared objects, connect the two calls."""
    count = len(calls) if later == len(calls) - 1 else len(calls) - 1
    reached, waiting = {at}, [at]
    while waiting:
        here = waiting.pop()
        for other in range(count):
            low, high = min(here, other), max(here, other)
            effects = [influence.facts[calls[position].target].effects for position in (low, high)]
            if other not in reached and (low in calls[high].objects or effects[0].shares(effects[1])):
                reached.add(other)
                waiting.append(other)
    return later in reached


def classes_by_swaps(candidates: set[CandidateSequence], influence: Influence) -> list[set[CandidateSequence]]:
    """Return the candidates in classes: swaps of neighbours that commute, without the last call, connect each class."""
    left = set(candidates)
    classes = []
    while left:
        first = left.pop()
        members, waiting = {first}, [first]
        while waiting:
            for other in _swapped(waiting.pop().calls, influence):
                if other not in members:
                    members.add(other)
                    waiting.append(other)
        classes.append(members)
        left -= members
    return classes


def _swapped(calls: Calls, influence: Influence) -> Iterator[CandidateSequence]:
    for at in range(len(calls) - 2):
        one, other = (influence.facts[calls[position].target].effects for position in (at, at + 1))
        if at in calls[at + 1].objects:
            continue
        if one.commutes_with(other) or not _linked(calls, at, at + 1, influence):
            order = list(range(len(calls)))
            order[at], order[at + 1] = at + 1, at
            yield CandidateSequence(tuple(_moved(calls[position], order) for position in order))


def _moved(call: CandidateCall, order: Sequence[int]) -> CandidateCall:
    def place(position: int | None) -> int | None:
        return None if position is None else order[position]

    arguments = tuple(place(position) for position in call.arguments)
    return CandidateCall(call.target, call.name, call.kind, place(call.receiver), arguments)
