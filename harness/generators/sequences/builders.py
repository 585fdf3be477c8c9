"""Finds builders by hill climbing: few routines that make all structures (beapi2023, section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.generators.protocol import SequenceTask
from harness.generators.sequences.builder_search import BuilderSearchResult, SearchStep
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.model.routines import Routine


def find_builders(
    subject: str, task: SequenceTask, begins: Callable[[SequenceExploration], object] = lambda exploration: None
) -> BuilderSearchResult:
    """Start with constructors only, and add the routine that makes the most structures, as long as one adds some.

    Ties are broken in this order: fewer parameters, fewer object parameters, fewer tuples of arguments, earlier
    declaration.

    Args:
        begins: called with each exploration before it starts.

    Raises:
        SpecError: as in an exploration.
    """
    routines = [routine for routine in task.bounds.routines if routine.has_receiver]
    task = replace(task, bounds=task.bounds.restricted(routine.name for routine in routines))
    explored = 0

    def structures(names: Sequence[str]) -> int:
        nonlocal explored
        exploration = SequenceExploration(task, Policy(builders=names, most_calls=task.bounds.most_calls))
        begins(exploration)
        for _ in exploration:
            pass
        explored += exploration.explored
        return exploration.structures

    current: tuple[str, ...] = ()
    steps = [SearchStep(current, structures(current))]
    by_all = structures([routine.name for routine in routines])
    while steps[-1].structures < by_all:
        left = sorted((routine for routine in routines if routine.name not in current), key=simplicity)
        counted = [(structures([*current, routine.name]), routine.name) for routine in left]
        most, name = max(counted, key=lambda pair: pair[0], default=(0, ""))  # the simplest of the best routines
        if most <= steps[-1].structures:
            break
        current = (*current, name)
        steps.append(SearchStep(current, most))
    return BuilderSearchResult(subject, task.scope, current, steps[-1].structures, by_all, explored, tuple(steps))


def simplicity(routine: Routine) -> tuple[int, int, int]:
    """Return a sort key of a routine: the numbers of parameters, of object parameters, and of tuples of values."""
    tuples = 1
    for parameter in routine.parameters:
        tuples *= len(parameter.values) + bool(parameter.earlier)
    return len(routine.parameters), sum(bool(p.earlier) for p in routine.parameters), tuples
