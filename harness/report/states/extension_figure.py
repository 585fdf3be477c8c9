"""Draws field extensions as a figure: a grid of objects and values for each field."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from harness.analysis.panels import draw_panels
from harness.analysis.plots import COVERAGE_COLOUR, KILLED_COLOUR, save_figure
from harness.kernel.inputs.suites import SuiteHeader
from harness.report.states.extension_view import Grid

_LOOKS = {
    "not feasible": "#eef1f4",
    "feasible, not in the suite": KILLED_COLOUR,
    "in the suite": COVERAGE_COLOUR,
}
_LABELLED = 16
"""Rows or columns up to which each has its name."""


def draw_extension(grids: Sequence[Grid], header: SuiteHeader, path: Path) -> Path:
    """Draw the extensions into a file, and return its path.

    Raises:
        StoreError: the file cannot be written.
    """
    save_figure(draw_grids(grids, f"{header.subject}, {header.generator}, scope {header.scope}"), path)
    return path


def draw_grids(grids: Sequence[Grid], note: str) -> Figure:
    """Draw a panel for each grid: the pairs of the suite, by object (downwards) and value (to the right)."""
    return draw_panels([(grid.title, grid) for grid in grids], _draw, note)


def _draw(axes: Axes, grid: Grid) -> None:
    cells = []
    for row in range(len(grid.rows)):
        feasible, covered = grid.marks(row)
        cells.append([(at in feasible) + (at in covered) for at in range(len(grid.columns))])
    axes.pcolormesh(cells, cmap=ListedColormap(list(_LOOKS.values())), vmin=0, vmax=2, edgecolors="white")
    for meaning, colour in _LOOKS.items():
        axes.scatter([], [], color=colour, marker="s", label=meaning)
    axes.invert_yaxis()
    for names, set_ticks, rotation in ((grid.columns, axes.set_xticks, 90), (grid.rows, axes.set_yticks, 0)):
        at = range(0, len(names), -(-len(names) // _LABELLED))
        set_ticks([number + 0.5 for number in at], [names[number] for number in at], rotation=rotation, fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
