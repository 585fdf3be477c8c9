"""The structures that rep_ok alone has, as text and as a picture; nothing is executed for it."""

from __future__ import annotations

from pathlib import Path

from harness.difference.result import Difference
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.report.generated import shown_states
from harness.report.state_graph import NumberedState, StateReader


def of_rep_ok(found: Difference, finitization: Finitization) -> list[NumberedState]:
    """The shown structures of R - A, the smallest first, read by the finitization at the scope."""
    reader = StateReader(StateSpace(finitization))
    return [
        NumberedState(number, number, reader.read(one.vector)) for number, one in enumerate(found.of_rep_ok, start=1)
    ]


def text(found: Difference, states: list[NumberedState], width: int, encoding: str) -> str:
    """All of the comparison, in characters that the encoding has."""
    if not states:
        return found.as_text()
    count = max(found.unexplained, len(states)) if found.unexplained else found.rep_ok_only
    return f"{found.as_text()}\n\nof rep_ok alone:\n{shown_states(states, count, width, encoding)}"


def draw(found: Difference, states: list[NumberedState], folder: Path) -> Path:
    """Draws the structures into a file in `folder`; its path.

    Raises:
        UsageError: the picture would be too large.
        StoreError: the file cannot be written.
    """
    from harness.analysis.plots import save_figure
    from harness.report.state_figure import draw_states

    path = folder / f"{found.subject.replace('/', '_')}_scope{found.scope}_rep_ok_only.svg"
    title = f"{found.subject}, scope {found.scope}: of rep_ok alone, {len(states)} of {found.rep_ok_only:,}"
    save_figure(draw_states(states, title), path)
    return path
