"""BEAPI in the plainest way: every sequence is executed again from its constructor, and identified by canonical bytes.

This is the second witness of the engine of `harness.generators.sequences`. The two share the model, `concrete`, and the
code that resolves a single call and makes its arguments (`Routines`). Those parts have tests of their own.
"""

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import product
from types import ModuleType
from typing import Any

from support.sequence_bench import write_sequences

from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.equality import concrete
from harness.model.sequence import SequenceScope

Calls = tuple[Call, ...]


@dataclass
class Explored:
    """The structures found: sequences by the canonical bytes of their last state, in the order of finding; counts."""

    structures: dict[bytes, Calls] = field(default_factory=dict)
    explored: int = 0
    rounds: int = 0
    misused: int = 0


def explore(module: ModuleType, scope: SequenceScope, rounds: int | None = None) -> Explored:
    """Return all structures within the scope that sequences on one object make, with the first sequence to each."""
    routines = Routines(module, scope)
    calls = [_calls(routines, number) for number in range(len(routines.routines))]
    builders = scope.pinned_builders
    result = Explored()
    sequences: list[Calls] = []
    new: list[Calls] = []
    while True:
        result.rounds += 1
        candidates: list[Calls] = [
            (call,) for number, made in enumerate(calls) if not routines.routines[number].has_receiver for call in made
        ]
        for sequence in new:
            for number, calls_of_routine in enumerate(calls):
                routine = routines.routines[number]
                if routine.has_receiver and (builders is None or routine.name in builders):
                    candidates += [(*sequence, call) for call in calls_of_routine]
        sequences += new
        new = []
        for sequence in candidates:
            result.explored += 1
            root = run(routines, sequence)
            if root is None:
                result.misused += 1
                continue
            if not within(root, scope):
                continue
            key = concrete(without(root, scope))
            if key not in result.structures:
                result.structures[key] = sequence
                new.append(sequence)
        if not new or result.rounds == rounds:
            return result


def run(routines: Routines, sequence: Calls) -> Any:
    """The object that a sequence leaves; None where a call raises, or its precondition does not hold."""
    results: list[Any] = []
    for call in sequence:
        ready = routines.ready(call, results)
        if ready.routine.requires is not None and not ready.routine.requires(ready.receiver, *ready.arguments):
            return None
        try:
            results.append(ready.function(*ready.passed))
        except Exception:
            return None
    return results[0]


def _calls(routines: Routines, number: int) -> list[Call]:
    """Return all calls of a routine on the object that call 0 makes."""
    routine = routines.routines[number]
    domains = [range(len(parameter.values)) for parameter in routine.parameters]
    first = (0,) if routine.has_receiver else ()
    return [Call(number, (*first, *indices)) for indices in product(*domains)]


def within(root: Any, scope: SequenceScope) -> bool:
    """Return whether a structure has no more objects and elements than the scope allows; the root does not count."""
    counts: Counter[str] = Counter()
    for value in reachable(root, scope):
        if isinstance(value, (list, deque, dict, set)):
            if scope.most_elements is not None and len(value) > scope.most_elements:
                return False
        elif hasattr(value, "__dict__") or hasattr(type(value), "__slots__"):
            counts[type(value).__qualname__] += value is not root
    bounds = {name: scope.most_of(name) for name in counts}
    return all(bounds[name] is None or counts[name] <= (bounds[name] or 0) for name in counts)


def reachable(root: Any, scope: SequenceScope) -> list[Any]:
    """Return all values that are no atoms, each once."""
    seen: dict[int, Any] = {}
    work = [root]
    while work:
        value = work.pop()
        if value is None or isinstance(value, (bool, int, float, str, type)) or callable(value) or id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, dict):
            work += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset, deque)):
            work += list(value)
        work += [held for name, held in fields(value).items() if not omitted(name, scope)]
    return list(seen.values())


def fields(value: Any) -> dict[str, Any]:
    """Attributes, slots included."""
    slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ()) if hasattr(value, name)]
    return {**{name: getattr(value, name) for name in slots}, **getattr(value, "__dict__", {})}


def omitted(name: str, scope: SequenceScope) -> bool:
    """Return whether the scope omits a field."""
    return any(re.fullmatch(pattern, name) for pattern in scope.omitted)


def without(root: Any, scope: SequenceScope) -> Any:
    """The structure without omitted fields and without the order of unordered ones; it is not used any more."""
    for value in reachable(root, scope):
        for name, held in fields(value).items():
            if omitted(name, scope):
                object.__delattr__(value, name)
            elif name in scope.unordered_fields:
                object.__setattr__(value, name, in_one_order(held))
    return root


def in_one_order(held: Any) -> Any:
    """A dict, and dicts among its values, with the items in the order of their keys' texts."""
    if not isinstance(held, dict):
        return held
    return {key: in_one_order(held[key]) for key in sorted(held, key=repr)}


def write_suite(folder: Any, module: ModuleType, scope: SequenceScope, number: int, subject: str = "naive") -> None:
    """A suite whose inputs are every structure with every call of every routine, as BEAPI's are."""
    routines = Routines(module, scope)
    sequences = (
        (*sequence, call)
        for sequence in explore(module, scope).structures.values()
        for target, routine in enumerate(routines.routines)
        if routine.has_receiver
        for call in _calls(routines, target)
    )
    write_sequences(folder, scope, sequences, number, "naive-beapi", subject)
