"""Shows the structures that satisfy only rep_ok, or only one of two invariants, as text and as a figure.

Nothing is executed.
"""

from __future__ import annotations

from pathlib import Path

from harness.difference.invariant_result import InvariantDifference
from harness.difference.result import Difference
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.report.states.generated import shown_states
from harness.report.states.graph import NumberedState, StateReader


def of_rep_ok(found: Difference, finitization: Finitization) -> list[NumberedState]:
    """Return the stored structures of R - A, the smallest first, read by the finitization at the scope."""
    reader = StateReader(StateSpace(finitization))
    return [
        NumberedState(number, number, reader.read(one.vector)) for number, one in enumerate(found.of_rep_ok, start=1)
    ]


def text(found: Difference, states: list[NumberedState], width: int, encoding: str) -> str:
    """Return the whole comparison as text, in characters that the encoding has."""
    if not states:
        return found.as_text()
    count = max(found.unexplained, len(states)) if found.unexplained else found.rep_ok_only
    return f"{found.as_text()}\n\nof rep_ok alone:\n{shown_states(states, count, width, encoding)}"


def draw(found: Difference, states: list[NumberedState], folder: Path) -> Path:
    """Draw the structures into a file in `folder`; return its path.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    return _draw(found, "rep_ok", states, found.rep_ok_only, folder)


def sides(found: InvariantDifference, finitization: Finitization) -> dict[str, list[NumberedState]]:
    """Return the stored states that satisfy only `invariant`, and only `rep_ok`, the smallest first; no empty side."""
    reader = StateReader(StateSpace(finitization))
    vectors_of = {"invariant": found.of_invariant, "rep_ok": found.of_rep_ok}
    return {
        side: [NumberedState(number, number, reader.read(vector)) for number, vector in enumerate(vectors, start=1)]
        for side, vectors in vectors_of.items()
        if vectors
    }


def sides_text(found: InvariantDifference, shown: dict[str, list[NumberedState]], width: int, encoding: str) -> str:
    """Return the whole comparison as text, in characters that the encoding has."""
    counts = {"invariant": found.invariant_only, "rep_ok": found.rep_ok_only}
    parts = [
        f"of {side} alone:\n{shown_states(states, counts[side], width, encoding)}" for side, states in shown.items()
    ]
    return "\n\n".join([found.as_text(), *parts])


def draw_sides(found: InvariantDifference, shown: dict[str, list[NumberedState]], folder: Path) -> list[Path]:
    """Draw the states of each side into a file in `folder`; return their paths.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    counts = {"invariant": found.invariant_only, "rep_ok": found.rep_ok_only}
    return [_draw(found, side, states, counts[side], folder) for side, states in shown.items()]


def _draw(
    found: Difference | InvariantDifference, side: str, states: list[NumberedState], count: int, folder: Path
) -> Path:
    from harness.analysis.plots import save_figure
    from harness.report.states.figure import draw_states

    path = folder / f"{found.subject.replace('/', '_')}_scope{found.scope}_{side}_only.svg"
    title = f"{found.subject}, scope {found.scope}: of {side} alone, {len(states)} of {count:,}"
    save_figure(draw_states(states, title), path)
    return path
