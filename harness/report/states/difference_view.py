"""Shows the structures that satisfy only rep_ok, or only one of two invariants, as text and as a figure.

Nothing is executed.
"""

from __future__ import annotations

from pathlib import Path

from harness.difference.invariant_result import InvariantDifference
from harness.difference.result import Difference
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.report.states.graph import NumberedState, StateReader
from harness.report.states.text import states_text


def of_rep_ok(difference: Difference, finitization: Finitization) -> list[NumberedState]:
    """Return the stored structures of R - A, the smallest first, read by the finitization at the scope."""
    reader = StateReader(StateSpace(finitization))
    return [
        NumberedState(number, number, reader.read(one.vector))
        for number, one in enumerate(difference.of_rep_ok, start=1)
    ]


def text(difference: Difference, states: list[NumberedState], width: int) -> str:
    """Return the whole comparison as text."""
    if not states:
        return difference.as_text()
    count = max(difference.unexplained, len(states)) if difference.unexplained else difference.rep_ok_only
    return f"{difference.as_text()}\n\nof rep_ok alone:\n{states_text(states, count, width)}"


def draw(difference: Difference, states: list[NumberedState], folder: Path) -> Path:
    """Draw the structures into a file in `folder`; return its path.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    return _draw(difference, "rep_ok", states, difference.rep_ok_only, folder)


def sides(difference: InvariantDifference, finitization: Finitization) -> dict[str, list[NumberedState]]:
    """Return the stored states that satisfy only `invariant`, and only `rep_ok`, the smallest first; no empty side."""
    reader = StateReader(StateSpace(finitization))
    vectors_of = {"invariant": difference.of_invariant, "rep_ok": difference.of_rep_ok}
    return {
        side: [NumberedState(number, number, reader.read(vector)) for number, vector in enumerate(vectors, start=1)]
        for side, vectors in vectors_of.items()
        if vectors
    }


def sides_text(difference: InvariantDifference, states_of_sides: dict[str, list[NumberedState]], width: int) -> str:
    """Return the whole comparison as text."""
    counts = {"invariant": difference.invariant_only, "rep_ok": difference.rep_ok_only}
    parts = [
        f"of {side} alone:\n{states_text(states, counts[side], width)}" for side, states in states_of_sides.items()
    ]
    return "\n\n".join([difference.as_text(), *parts])


def draw_sides(
    difference: InvariantDifference, states_of_sides: dict[str, list[NumberedState]], folder: Path
) -> list[Path]:
    """Draw the states of each side into a file in `folder`; return their paths.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    counts = {"invariant": difference.invariant_only, "rep_ok": difference.rep_ok_only}
    return [_draw(difference, side, states, counts[side], folder) for side, states in states_of_sides.items()]


def _draw(
    difference: Difference | InvariantDifference, side: str, states: list[NumberedState], count: int, folder: Path
) -> Path:
    from harness.analysis.plots import save_figure
    from harness.report.states.figure import draw_states

    path = folder / f"{difference.subject.replace('/', '_')}_scope{difference.scope}_{side}_only.svg"
    title = f"{difference.subject}, scope {difference.scope}: of {side} alone, {len(states)} of {count:,}"
    save_figure(draw_states(states, title), path)
    return path
