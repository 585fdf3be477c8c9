"""Builders by hill climbing: the fewest routines that make all structures (beapi2023, section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.generators.sequences.exploration import Exploration, Policy
from harness.generators.sequences.found_builders import FoundBuilders, Step
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.witness import AGAIN, Contradicted
from harness.model.routines import Routine


def find_builders(
    subject: str, task: SequenceTask, begins: Callable[[Exploration], object] = lambda exploration: None
) -> FoundBuilders:
    """Climbs from constructors alone, adding the routine that makes the most structures, as long as one makes more.

    Of routines that make as many, the one with fewer parameters is taken; then that with fewer objects among them,
    with fewer tuples of arguments, declared earlier.

    Args:
        begins: told each exploration before it is done.

    Raises:
        SpecError: as an exploration.
    """
    routines = [routine for routine in task.bounds.routines if routine.has_receiver]
    task = replace(task, bounds=task.bounds.restricted(routine.name for routine in routines))
    explored = 0

    def structures(names: Sequence[str]) -> int:
        nonlocal explored, task
        exploration = Exploration(task, Policy(builders=names, most_calls=task.bounds.most_calls))
        begins(exploration)
        try:
            for _ in exploration:
                pass
        except Contradicted as reason:
            task.notice(f"{task.module.__file__}: {reason}; {AGAIN}")
            task = replace(task, restores=False)
            return structures(names)
        explored += exploration.explored
        return exploration.structures

    current: tuple[str, ...] = ()
    steps = [Step(current, structures(current))]
    by_all = structures([routine.name for routine in routines])
    while steps[-1].structures < by_all:
        left = sorted((routine for routine in routines if routine.name not in current), key=simplicity)
        counted = [(structures([*current, routine.name]), routine.name) for routine in left]
        most, name = max(counted, key=lambda pair: pair[0], default=(0, ""))  # the simplest of those with the most
        if most <= steps[-1].structures:
            break
        current = (*current, name)
        steps.append(Step(current, most))
    return FoundBuilders(subject, task.scope, current, steps[-1].structures, by_all, explored, tuple(steps))


def simplicity(routine: Routine) -> tuple[int, int, int]:
    """Smaller for simpler parameters: how many, how many of them take objects, how many tuples of values there are."""
    tuples = 1
    for parameter in routine.parameters:
        tuples *= len(parameter.values) + bool(parameter.earlier)
    return len(routine.parameters), sum(bool(p.earlier) for p in routine.parameters), tuples
