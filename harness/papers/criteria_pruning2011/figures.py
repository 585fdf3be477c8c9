"""Candidates, seconds and live mutants by scope, of Korat, Korat+ and one per class; criteria by number of inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.mutant_mixes import OF_2005
from harness.analysis.plots import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, Curve, by_scope, draw_panels
from harness.errors import UsageError
from harness.papers.criteria_pruning2011.given import KORAT, KORAT_PLUS, NAME, ONE_PER_CLASS, SUBJECTS, CriteriaInputs
from harness.papers.criteria_pruning2011.live import WAYS
from harness.tables.criteria import scored_suites
from harness.tables.criteria_figure import draw_criteria
from harness.tables.figures import Curves, Look, draw_curves, known_points

_LOOKS = {
    KORAT: Look("Korat", COVERAGE_COLOUR, 4.2),
    KORAT_PLUS: Look("Korat+", KILLED_COLOUR, 2.6),
    ONE_PER_CLASS: Look("one per class", BRANCH_COLOUR, 1.2),
}
"""Where lines coincide, each one is seen."""
_PRINTED = {KORAT: "korat", KORAT_PLUS: "koratplus"}
"""By generator, its name among the columns of published values."""


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
        measured = {way: known_points({at: given.live(title, at, way, OF_2005) for at in scopes}) for way in WAYS}
        printed: dict[str, dict[int, float | None]] = {way: {} for way in WAYS}
        for row in table.lines:
            known, _, printed_scope = row.key
            for way, (_, column) in WAYS.items():
                if known == title:
                    printed[way][given.scopes[title, printed_scope]] = row.value(column)
        if any(measured.values()):
            panels.append(Curves(title, measured, {way: known_points(points) for way, points in printed.items()}))
    note = f"Mutants of the paper's operators. {given.counted} Crosses: as printed, of muJava's mutants of Java."
    return _drawn(panels, "live mutants", note, is_logarithmic=False)


def criteria(given: CriteriaInputs) -> Figure:
    """How much of the score as many inputs keep, by criterion, at the largest scope with a kill matrix.

    Raises:
        UsageError: the run has nothing of it.
    """
    return draw_criteria([suite for suite in scored_suites(given.frames) if suite.generator == KORAT], given.counted)


def _of_generation(
    given: CriteriaInputs, what: str, of_trial: Callable[[Mapping[str, Any]], float | None]
) -> list[Curves]:
    table = given.printed("case_studies", 2)
    panels = []
    for title in SUBJECTS:
        measured: dict[str, Curve] = {}
        printed: dict[str, Curve] = {}
        for way in (KORAT, KORAT_PLUS):
            trials = {scope: given.trial(title, way, scope) for scope in given.scopes_of(title)}
            measured[way] = known_points({at: of_trial(trial) for at, trial in trials.items() if trial is not None})
            column = f"{_PRINTED[way]}_{what}"
            printed[way] = known_points(
                {
                    scope: table.row(title, text).value(column)
                    for (known, text), scope in given.scopes.items()
                    if known == title
                }
            )
        if any(measured.values()):
            panels.append(Curves(title, measured, printed))
    return panels


def _drawn(panels: list[Curves], what: str, note: str, *, is_logarithmic: bool = True) -> Figure:
    if not panels:
        raise UsageError(f"nothing to draw: the run has no trial of the case studies; run the experiment {NAME}")
    return draw_panels(panels, partial(_draw, what=what, is_logarithmic=is_logarithmic), note)


def _draw(axes: Axes, panel: Curves, *, what: str, is_logarithmic: bool) -> None:
    draw_curves(axes, panel, _LOOKS)
    axes.set_ylabel(what)
    if is_logarithmic:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    by_scope(axes)
    axes.set_xlabel("scope (row of the paper's table)")
