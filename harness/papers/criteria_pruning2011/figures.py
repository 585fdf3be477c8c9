"""Candidates, seconds and live mutants by scope, of Korat, Korat+ and one per class; criteria by number of inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.mutant_mixes import OF_2005
from harness.analysis.plots import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, Curve, by_scope, draw_panels
from harness.errors import UsageError
from harness.papers.criteria_compared import scored_suites
from harness.papers.criteria_figure import draw_criteria
from harness.papers.criteria_pruning2011.given import KORAT, KORAT_PLUS, NAME, ONE_PER_CLASS, SUBJECTS, CriteriaInputs
from harness.papers.criteria_pruning2011.live import WAYS

_LOOKS = {
    KORAT: ("Korat", COVERAGE_COLOUR, "korat"),
    KORAT_PLUS: ("Korat+", KILLED_COLOUR, "koratplus"),
    ONE_PER_CLASS: ("one per class", BRANCH_COLOUR, "one_per_class"),
}
"""By generator: its label, its colour, its name among the columns of published values."""
_WIDTHS = (4.2, 2.6, 1.2)
"""Of their lines: where they coincide, each one is seen."""


@dataclass(frozen=True)
class Panel:
    """One case study: by generator a measured curve and the printed one."""

    title: str
    measured: Mapping[str, Curve]
    printed: Mapping[str, Curve]


def explored(given: CriteriaInputs) -> Figure:
    """Candidates explored by scope, on a logarithmic axis.

    Raises:
        UsageError: the run has nothing of it.
    """
    panels = _of_generation(given, "explored", lambda trial: float(trial["explored"]))
    return _drawn(panels, "candidates explored (logarithmic)", "Crosses: as printed.")


def seconds(given: CriteriaInputs) -> Figure:
    """Seconds of generation by scope, on a logarithmic axis.

    Raises:
        UsageError: the run has nothing of it.
    """
    panels = _of_generation(given, "seconds", given.seconds)
    note = f"Seconds are of this machine ({given.frames.machine}); the paper's (crosses) are of Java."
    return _drawn(panels, "seconds (logarithmic)", note)


def live(given: CriteriaInputs) -> Figure:
    """Live mutants by scope, of the paper's operators.

    Raises:
        UsageError: the run has nothing of it.
    """
    table = given.printed("live_mutants", 3)
    panels = []
    for title in SUBJECTS:
        scopes = given.scopes_of(title)
        measured = {way: _curve({at: given.live(title, at, way, OF_2005) for at in scopes}) for way in WAYS}
        printed: dict[str, dict[int, float | None]] = {way: {} for way in WAYS}
        for row in table.rows:
            known, _, printed_scope = row.split(" ")
            for way, (_, column) in WAYS.items():
                if known == title:
                    printed[way][given.scopes[title, printed_scope]] = table[row, column].value
        if any(measured.values()):
            panels.append(Panel(title, measured, {way: _curve(points) for way, points in printed.items()}))
    note = f"Mutants of the paper's operators, {given.counted}. Crosses: as printed, of muJava's mutants of Java."
    return _drawn(panels, "live mutants", note, is_logarithmic=False)


def criteria(given: CriteriaInputs) -> Figure:
    """How much of the score as many inputs keep, by criterion, at the largest scope with a kill matrix.

    Raises:
        UsageError: the run has nothing of it.
    """
    return draw_criteria([suite for suite in scored_suites(given.frames) if suite.generator == KORAT])


def _of_generation(
    given: CriteriaInputs, what: str, of_trial: Callable[[Mapping[str, Any]], float | None]
) -> list[Panel]:
    table = given.printed("case_studies", 2)
    panels = []
    for title in SUBJECTS:
        measured: dict[str, Curve] = {}
        printed: dict[str, Curve] = {}
        for way in (KORAT, KORAT_PLUS):
            trials = {scope: given.trial(title, way, scope) for scope in given.scopes_of(title)}
            measured[way] = _curve({at: of_trial(trial) for at, trial in trials.items() if trial is not None})
            cells = {
                scope: table.get((f"{title} {text}", f"{_LOOKS[way][2]}_{what}"))
                for (known, text), scope in given.scopes.items()
                if known == title
            }
            printed[way] = _curve({at: cell.value for at, cell in cells.items() if cell is not None})
        if any(measured.values()):
            panels.append(Panel(title, measured, printed))
    return panels


def _curve(points: Mapping[int, float | None]) -> Curve:
    return tuple((scope, float(value)) for scope, value in sorted(points.items()) if value is not None)


def _drawn(panels: list[Panel], what: str, note: str, *, is_logarithmic: bool = True) -> Figure:
    if not panels:
        raise UsageError(f"nothing to draw: the run has no trial of the case studies; run the experiment {NAME}")
    return draw_panels(panels, partial(_draw, what=what, is_logarithmic=is_logarithmic), note)


def _draw(axes: Axes, panel: Panel, *, what: str, is_logarithmic: bool) -> None:
    for width, (way, (label, colour, _)) in zip(_WIDTHS, _LOOKS.items(), strict=True):
        if curve := panel.measured.get(way):
            scopes, values = zip(*curve, strict=True)
            axes.plot(scopes, values, color=colour, linewidth=width, marker="o", markersize=3.5, label=label)
        if curve := panel.printed.get(way):
            scopes, values = zip(*curve, strict=True)
            axes.scatter(scopes, values, color=colour, marker="x", s=22, label=f"{label}, published")
    axes.set_title(panel.title)
    axes.set_ylabel(what)
    if is_logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    by_scope(axes)
    axes.set_xlabel("scope (row of the paper's table)")
