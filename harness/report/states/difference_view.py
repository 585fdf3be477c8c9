"""Shows the structures that satisfy only rep_ok, or only one of two invariants, as text and as a figure.

Nothing is executed.
"""

from __future__ import annotations

from pathlib import Path

from harness.difference.result import Difference, InvariantDifference
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.report.states.graph import NumberedState, StateReader
from harness.report.states.text import states_text


def sides(difference: Difference | InvariantDifference, finitization: Finitization) -> dict[str, list[NumberedState]]:
    """Return the stored states that satisfy only `invariant`, and only `rep_ok`, the smallest first; no empty side."""
    reader = StateReader(StateSpace(finitization))
    if isinstance(difference, Difference):
        vectors_of = {"rep_ok": tuple(one.vector for one in difference.of_rep_ok)}
    else:
        vectors_of = {"invariant": difference.of_invariant, "rep_ok": difference.of_rep_ok}
    return {
        side: [NumberedState(number, number, reader.read(vector)) for number, vector in enumerate(vectors, start=1)]
        for side, vectors in vectors_of.items()
        if vectors
    }


def sides_text(
    difference: Difference | InvariantDifference, states_of_sides: dict[str, list[NumberedState]], width: int
) -> str:
    """Return the whole comparison as text."""
    counts = _counts(difference)
    parts = [
        f"of {side} alone:\n{states_text(states, counts[side], width)}" for side, states in states_of_sides.items()
    ]
    return "\n\n".join([difference.as_text(), *parts])


def draw_sides(
    difference: Difference | InvariantDifference, states_of_sides: dict[str, list[NumberedState]], folder: Path
) -> list[Path]:
    """Draw the states of each side into a file in `folder`; return their paths.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    from harness.analysis.plots import save_figure
    from harness.report.states.figure import draw_states

    paths = []
    for side, states in states_of_sides.items():
        path = folder / f"{difference.subject.replace('/', '_')}_scope{difference.scope}_{side}_only.svg"
        count = _counts(difference)[side]
        title = f"{difference.subject}, scope {difference.scope}: of {side} alone, {len(states)} of {count:,}"
        save_figure(draw_states(states, title), path)
        paths.append(path)
    return paths


def _counts(difference: Difference | InvariantDifference) -> dict[str, int]:
    """Return the number of states by side; of those of rep_ok, only the ones that no larger scope explains if any."""
    if isinstance(difference, Difference):
        return {"rep_ok": difference.unexplained or difference.rep_ok_only}
    return {"invariant": difference.invariant_only, "rep_ok": difference.rep_ok_only}
