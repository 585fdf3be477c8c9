"""Reports symbolic paths that were pinned or given up to the user, each in one line."""

from __future__ import annotations

from collections.abc import Mapping

from harness.generators.protocol import SequenceTask
from harness.generators.symbolic import formulas
from harness.generators.symbolic.caller import MOST_STEPS, symbolic_values, tried_values
from harness.generators.symbolic.runs import MOST_FORKS
from harness.kernel.program.steps import RECURSION_LIMIT


def tell_of_paths(
    task: SequenceTask,
    pinned: Mapping[tuple[str, str], int],
    timed_out: int,
    endless: int,
    passing: Mapping[str, int],
    option: str = "",
) -> None:
    """Report the notices about a task's paths.

    Args:
        pinned: by routine and reason, the number of paths on which a symbolic integer was pinned to one value.
        timed_out: the number of paths on which the solver reached its limit, or was missing.
        endless: the number of paths that used up their steps, forks or frames.
        passing: by routine, the number of inputs whose results differ each time.
        option: the option that raises the solver's limit, if there is one.
    """
    where = task.module.__file__
    for target, why in sorted(task.concrete.items()):
        routine = task.bounds.routines[target]
        values = [(len(tried_values(p)), len(p.values)) for p in routine.parameters if symbolic_values(p)]
        counts = ", ".join(f"{tried} of {there}" for tried, there in values)
        task.notice(f"{where}: {routine.name} was made concrete, its integers tried one by one ({counts}): {why}")
    for (name, reason), count in sorted(pinned.items()):
        task.notice(f"{where}: {name} pinned a symbolic integer to one value, for {reason} (paths: {count})")
    for name, count in sorted(passing.items()):
        if count:
            task.notice(
                f"{where}: {name} returns something else each time, as an address would be, so what it returns was not "
                f"compared (inputs: {count}); no mutant can be run with that"
            )
    if timed_out:
        limit = f"the solver came to its limit{f' ({option})' if option else ''}"
        why = limit if formulas.is_installed() else "z3 is missing (mutascope[symbolic])"
        task.notice(f"{where}: {why}, so paths were given up: {timed_out}")
    if endless:
        limits = f"{MOST_STEPS} steps, {MOST_FORKS} forks or {RECURSION_LIMIT} frames"
        task.notice(f"{where}: paths that used up their {limits}, which are no tests: {endless}")
