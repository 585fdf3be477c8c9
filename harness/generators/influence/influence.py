"""Finds which routines may influence which: return-argument, define-use and store-load pairs of their sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.generators.influence.effects import ANY_EFFECTS, ANYTHING, Effects
from harness.generators.influence.program_effects import ProgramEffects
from harness.generators.influence.program_text import program_text
from harness.generators.influence.results import ReturnedClasses
from harness.model.routines import Routine, RoutineKind
from harness.model.sequence import SequenceScope


@dataclass(frozen=True, slots=True)
class RoutineFacts:
    """The facts that the source shows about one routine.

    Attributes:
        effects: the effects of the routine and of the functions that it may run, without reads of locations that no
            routine writes.
        makes: the names of classes that its result may be of, ANYTHING if they are unknown; empty: no object.
        takes: the names of the classes of the receiver, if there is one, and of each parameter that takes objects.
        optional: for the receiver and each of these parameters, whether it also takes values.
    """

    name: str
    effects: Effects
    makes: frozenset[str]
    takes: tuple[tuple[str, ...], ...]
    optional: tuple[bool, ...]


class Influence:
    """The pairs of routines that may influence each other, by their numbers in `SequenceScope.routines`.

    Attributes:
        facts: the facts about each routine.
        passes: for each pair of routines and each object that the second takes, whether the first may make it.
        direct: for each routine, the numbers of those that it may influence directly.
    """

    def __init__(self, facts: Sequence[RoutineFacts], passes: Sequence[Sequence[tuple[bool, ...]]]) -> None:
        self.facts = tuple(facts)
        self.passes = tuple(tuple(row) for row in passes)
        numbers = range(len(self.facts))
        self.direct = tuple(
            frozenset(
                later
                for later in numbers
                if any(self.passes[number][later]) or self.facts[number].effects.feeds(self.facts[later].effects)
            )
            for number in numbers
        )


def influence_of(sources: Sequence[tuple[str, str]], scope: SequenceScope) -> Influence:
    """Return the influence between a scope's routines in a program.

    Args:
        sources: the dotted name and the source of each of its modules; none: nothing is known of any routine.

    Raises:
        SyntaxError: a source is no Python.
    """
    effects = ProgramEffects(program_text(sources))
    routines = scope.routines
    argument_classes = [name for routine in routines for parameter in routine.parameters for name in parameter.earlier]
    results = ReturnedClasses(effects, argument_classes)
    routine_effects = [_effects(effects, scope.root, routine) for routine in routines]
    written = frozenset(location for one in routine_effects for location in one.writes)
    facts = [
        RoutineFacts(
            routine.name,
            one if ANYTHING in written else Effects(one.writes, one.reads & (written | {ANYTHING}), one.shared),
            _makes(results, scope.root, routine),
            *_takes(scope.root, routine),
        )
        for routine, one in zip(routines, routine_effects, strict=True)
    ]
    passes = [
        [tuple(any(results.fits(one.makes, name) for name in classes) for classes in other.takes) for other in facts]
        for one in facts
    ]
    return Influence(facts, passes)


def _effects(effects: ProgramEffects, root: str, routine: Routine) -> Effects:
    if not effects.program.functions and not effects.program.classes:
        return ANY_EFFECTS
    is_function = routine.name in effects.program.functions
    if routine.kind is RoutineKind.METHOD:
        return effects.of_method(root, routine.name)
    if routine.kind is RoutineKind.CONSTRUCTOR and not is_function:
        return effects.of_class(routine.name)
    return effects.of_function(routine.name)


def _makes(results: ReturnedClasses, root: str, routine: Routine) -> frozenset[str]:
    if routine.kind is RoutineKind.METHOD:
        return results.of_method(root, routine.name)
    classes = results.of_function(routine.name)
    if routine.kind is RoutineKind.CONSTRUCTOR and ANYTHING in classes:
        return results.of_class(routine.name)
    return classes


def _takes(root: str, routine: Routine) -> tuple[tuple[tuple[str, ...], ...], tuple[bool, ...]]:
    receiver = [((root,), False)] if routine.has_receiver else []
    parameters = [(parameter.earlier, bool(parameter.values)) for parameter in routine.parameters if parameter.earlier]
    both = [*receiver, *parameters]
    return tuple(classes for classes, _ in both), tuple(optional for _, optional in both)
