"""Which routines of a scope may influence which: return-argument, define-use and store-load pairs of their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.generators.influence.effects import ANY_EFFECTS, ANYTHING, Effects
from harness.generators.influence.program_effects import ProgramEffects
from harness.generators.influence.program_text import program_text
from harness.generators.influence.results import Results
from harness.model.routines import Routine, RoutineKind
from harness.model.sequence import SequenceScope


@dataclass(frozen=True, slots=True)
class RoutineFacts:
    """What the text tells of one routine.

    Attributes:
        effects: of the routine with all that it may run. What it reads is left out where no routine writes it.
        makes: names of classes that its result may be of, ANYTHING where that is not known; empty: no object.
        takes: of the receiver, where there is one, and of each parameter that takes objects, the names of their
            classes; `optional` says of the same whether the parameter takes values, too.
    """

    name: str
    effects: Effects
    makes: frozenset[str]
    takes: tuple[tuple[str, ...], ...]
    optional: tuple[bool, ...]


class Influence:
    """Pairs of routines, by their numbers in `SequenceScope.routines`.

    Attributes:
        facts: of each routine.
        passes: for each routine, for each routine and each object that it takes, whether the first may make it.
        direct: for each routine, those that it may influence directly, as numbers.
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

    def __str__(self) -> str:
        """A table as Table 4.3, and which routines each may influence."""
        names = [facts.name for facts in self.facts]
        rows = [("routine", "writes", "reads", "takes", "makes", "may influence")]
        for facts, influenced in zip(self.facts, self.direct, strict=True):
            rows.append(
                (
                    facts.name,
                    _listed(facts.effects.writes),
                    _listed(facts.effects.reads),
                    ", ".join(" or ".join(classes) for classes in facts.takes) or "-",
                    _listed(facts.makes),
                    ", ".join(names[number] for number in sorted(influenced)) or "-",
                )
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )


def influence_of(sources: Sequence[tuple[str, str]], scope: SequenceScope) -> Influence:
    """Of a scope's routines in a program.

    Args:
        sources: dotted name and text of each of its modules; none: nothing is known of any routine.

    Raises:
        SyntaxError: a text is no Python.
    """
    effects = ProgramEffects(program_text(sources))
    routines = scope.routines
    given = [name for routine in routines for parameter in routine.parameters for name in parameter.earlier]
    results = Results(effects, given)
    told = [_effects(effects, scope.root, routine) for routine in routines]
    written = frozenset(location for one in told for location in one.writes)
    facts = [
        RoutineFacts(
            routine.name,
            one if ANYTHING in written else Effects(one.writes, one.reads & (written | {ANYTHING}), one.shared),
            _makes(results, scope.root, routine),
            *_takes(scope.root, routine),
        )
        for routine, one in zip(routines, told, strict=True)
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


def _makes(results: Results, root: str, routine: Routine) -> frozenset[str]:
    if routine.kind is RoutineKind.METHOD:
        return results.of_method(root, routine.name)
    made = results.of_function(routine.name)
    if routine.kind is RoutineKind.CONSTRUCTOR and ANYTHING in made:
        return results.of_class(routine.name)
    return made


def _takes(root: str, routine: Routine) -> tuple[tuple[tuple[str, ...], ...], tuple[bool, ...]]:
    receiver = [((root,), False)] if routine.has_receiver else []
    given = [(parameter.earlier, bool(parameter.values)) for parameter in routine.parameters if parameter.earlier]
    both = [*receiver, *given]
    return tuple(classes for classes, _ in both), tuple(optional for _, optional in both)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "-"
