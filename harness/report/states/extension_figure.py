"""Draws field extensions as a figure: a grid of objects and values for each field."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from harness.analysis.figure_page import STYLE
from harness.analysis.plots import COVERAGE_COLOUR, KILLED_COLOUR, save_figure
from harness.kernel.inputs.suite_header import SuiteHeader
from harness.report.states.extension_view import Grid

_COLOURS = ("#eef1f4", KILLED_COLOUR, COVERAGE_COLOUR)
_MEANING = ("not feasible", "feasible, not in the suite", "in the suite")
_CELL = 0.24
"""Inches of a cell, as long as there are few."""
_LONGEST = 7.0
"""Inches of a panel at most, either way."""
_LABELLED = 40
"""Rows or columns up to which each has its name."""
_WIDEST = 13.0


def draw_extension(grids: Sequence[Grid], header: SuiteHeader, path: Path) -> Path:
    """Draw the extensions into a file, and return its path.

    Raises:
        StoreError: the file cannot be written.
    """
    save_figure(draw_grids(grids, f"{header.subject}, {header.generator}, scope {header.scope}"), path)
    return path


def draw_grids(grids: Sequence[Grid], title: str) -> Figure:
    """Draw the grids in rows, under `title`: the pairs of the suite, by object (downwards) and value (to the right)."""
    sizes = [_size(grid) for grid in grids]
    rows = _rows([width for width, _ in sizes])
    width = max(5.0, *(sum(sizes[at][0] for at in row) for row in rows))
    heights = [max(sizes[at][1] for at in row) for row in rows]
    height = sum(heights) + 0.9
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height))
        FigureCanvasAgg(figure)
        figure.text(0.15 / width, 1 - 0.25 / height, title, fontsize=11, fontweight="bold", parse_math=False)
        down = 0.45
        for row, tallest in zip(rows, heights, strict=True):
            right = 0.0
            for at in row:
                _draw(figure, grids[at], sizes[at], right, down, (width, height))
                right += sizes[at][0]
            down += tallest
        patches = [
            Patch(facecolor=colour, edgecolor="#9aa5b1", label=label)
            for colour, label in zip(_COLOURS, _MEANING, strict=True)
        ]
        figure.legend(handles=patches, loc="lower left", ncols=3, frameon=False, fontsize=8)
    return figure


def _size(grid: Grid) -> tuple[float, float]:
    """Return the inches that a panel takes, with room for names and its title."""
    across = min(_CELL * len(grid.columns), _LONGEST) + _left(grid) + 0.25
    return max(across, _left(grid) + 0.075 * len(grid.title) + 0.15), min(_CELL * len(grid.rows), _LONGEST) + _below(
        grid
    ) + 0.45


def _left(grid: Grid) -> float:
    """Return the inches for the names of rows."""
    return 0.3 + (0.07 * max(map(len, grid.rows)) if len(grid.rows) <= _LABELLED else 0.3)


def _below(grid: Grid) -> float:
    """Return the inches for the names of columns, which are upright."""
    return 0.2 + (0.07 * max(map(len, grid.columns)) if len(grid.columns) <= _LABELLED else 0.3)


def _rows(widths: Sequence[float]) -> list[list[int]]:
    rows: list[list[int]] = [[]]
    room = _WIDEST
    for at, width in enumerate(widths):
        if rows[-1] and width > room:
            rows.append([])
            room = _WIDEST
        rows[-1].append(at)
        room -= width
    return rows


def _draw(
    figure: Figure, grid: Grid, size: tuple[float, float], right: float, down: float, whole: tuple[float, float]
) -> None:
    width, height = whole
    across, tall = min(_CELL * len(grid.columns), _LONGEST), min(_CELL * len(grid.rows), _LONGEST)
    bottom = height - down - 0.35 - tall
    axes = figure.add_axes(((right + _left(grid)) / width, bottom / height, across / width, tall / height))
    lines = 0.6 if across > 0.08 * len(grid.columns) else 0.0
    cells = [_colours(grid, row) for row in range(len(grid.rows))]
    axes.pcolormesh(cells, cmap=ListedColormap(_COLOURS), vmin=0, vmax=2, edgecolors="white", linewidth=lines)
    axes.invert_yaxis()
    _label(axes, grid)
    axes.set_title(grid.title, fontsize=8.5, loc="left", parse_math=False)


def _colours(grid: Grid, row: int) -> list[int]:
    feasible, covered = grid.marks(row)
    return [(at in feasible) + (at in covered) for at in range(len(grid.columns))]


def _label(axes: Axes, grid: Grid) -> None:
    for names, set_ticks, rotation in ((grid.columns, axes.set_xticks, 90), (grid.rows, axes.set_yticks, 0)):
        step = 1 if len(names) <= _LABELLED else -(-len(names) // 10)
        at = range(0, len(names), step)
        set_ticks([number + 0.5 for number in at], [names[number] for number in at], rotation=rotation, fontsize=7)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
