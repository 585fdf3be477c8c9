"""One figure for each of the four hypotheses, from the numbers that their findings rest on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import COVERAGE_COLOUR, KILLED_COLOUR, by_scope
from harness.errors import UsageError
from harness.papers.exhaustive2003.claims import ADEQUATE, SECONDS, BenchmarkAtScope, Curve
from harness.papers.exhaustive2003.dataset import PaperInputs
from harness.papers.exhaustive2003.hypotheses import measured_curves
from harness.papers.exhaustive2003.table3 import SelectionCounts, selections

_Numbers = TypeVar("_Numbers")
_RANDOM_COLOUR = "#6b7280"
_SHORTEST = 0.001
"""Seconds below are drawn here: a logarithmic axis has no zero."""

_LIMIT: Any = {"color": "#777777", "linewidth": 0.8, "linestyle": ":"}


def draw_mutation(dataset: PaperInputs) -> Figure:
    """Draw killed mutants by scope, and the mark above which a suite is mutation-adequate."""

    def draw(axes: Axes, curve: Curve) -> None:
        _line(axes, curve, lambda at: at.score, KILLED_COLOUR, "mutants killed")
        axes.axhline(float(100 * ADEQUATE), label=f"mutation-adequate above {float(100 * ADEQUATE):g} %", **_LIMIT)

    return _panels(measured_curves(dataset), draw, "killed [%]", dataset)


def draw_coverage(dataset: PaperInputs) -> Figure:
    """Draw statement and branch coverage next to killed mutants, to show kills after coverage is complete."""

    def draw(axes: Axes, curve: Curve) -> None:
        _line(axes, curve, lambda at: at.statement, COVERAGE_COLOUR, "statements covered")
        _line(axes, curve, lambda at: at.branch, "#8fbbe0", "branches covered")
        _line(axes, curve, lambda at: at.score, KILLED_COLOUR, "mutants killed")

    return _panels(measured_curves(dataset), draw, "covered, killed [%]", dataset)


def draw_feasibility(dataset: PaperInputs) -> Figure:
    """Draw the seconds of generation and of checking by scope, on a logarithmic axis, and the limit."""

    def draw(axes: Axes, curve: Curve) -> None:
        for timing, colour, label in (
            ("generate", COVERAGE_COLOUR, "generation"),
            ("check", KILLED_COLOUR, "checking"),
        ):
            points = [(at.scope, seconds) for at in curve if (seconds := getattr(at, timing)) is not None]
            drawn = [max(seconds, _SHORTEST) for _, seconds in points]
            axes.plot([scope for scope, _ in points], drawn, color=colour, marker="o", markersize=3.5, label=label)
        logarithmic(axes, "y")
        axes.axhline(SECONDS, label=f"limit, {SECONDS} s", **_LIMIT)

    timed = {title: curve for title, curve in measured_curves(dataset).items() if any(at.generate for at in curve)}
    return _panels(timed, draw, f"seconds, from {_SHORTEST:g}", dataset, percent=False)


def draw_randomness(dataset: PaperInputs) -> Figure:
    """Draw every random selection by scope, between the exhaustive suites of the same size and of the same scope.

    Raises:
        UsageError: the run has no complete kill matrix together with the scope before.
    """
    by_title: dict[str, list[SelectionCounts]] = {}
    for selection in selections(dataset):
        by_title.setdefault(selection.title, []).append(selection)

    def draw(axes: Axes, drawn: Sequence[SelectionCounts]) -> None:
        scopes = [selection.scope for selection in drawn]
        spread = [[float(100 * selection.ratio(k)) for k in selection.killed] for selection in drawn]
        boxes = axes.boxplot(spread, positions=scopes, widths=0.5, showfliers=False, manage_ticks=False)
        for line in (*boxes["boxes"], *boxes["whiskers"], *boxes["caps"], *boxes["medians"]):
            line.set_color(_RANDOM_COLOUR)
        boxes["boxes"][0].set_label("random selections")
        for counts, colour, label in (
            ([selection.whole for selection in drawn], KILLED_COLOUR, "all inputs of the scope"),
            ([selection.before for selection in drawn], COVERAGE_COLOUR, "all inputs of the scope before"),
        ):
            killed = [float(100 * selection.ratio(k)) for selection, k in zip(drawn, counts, strict=True)]
            axes.plot(scopes, killed, color=colour, marker="_", markersize=16, markeredgewidth=2, ls="", label=label)
        axes.set_ylim(min(map(min, spread)) - 3, 102)
        axes.set_xlim(scopes[0] - 0.7, scopes[-1] + 0.7)

    if not by_title:
        raise UsageError("no random selections: run the subject with --matrix at a scope and at the scope before")
    return _panels(by_title, draw, "killed [%]", dataset, percent=False)


def _panels(
    titled: Mapping[str, _Numbers],
    draw: Callable[[Axes, _Numbers], None],
    y_label: str,
    dataset: PaperInputs,
    *,
    percent: bool = True,
) -> Figure:
    def panel(axes: Axes, numbers: _Numbers) -> None:
        draw(axes, numbers)
        axes.set_ylabel(y_label)
        by_scope(axes)
        if percent:
            axes.set_ylim(0, 102)

    return draw_panels(list(titled.items()), panel, dataset.counted)


def _line(
    axes: Axes, curve: Curve, read: Callable[[BenchmarkAtScope], Fraction | None], colour: str, label: str
) -> None:
    points = [(at.scope, float(100 * ratio)) for at in curve if (ratio := read(at)) is not None]
    scopes, percents = [scope for scope, _ in points], [percent for _, percent in points]
    axes.plot(scopes, percents, color=colour, marker="o", markersize=3.5, label=label, clip_on=False)
