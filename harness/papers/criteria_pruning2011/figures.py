"""Draws candidates, seconds and live mutants by scope, of Korat, Korat+ and one per class; criteria by inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from matplotlib.figure import Figure

from harness.analysis.drawing import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, Curve, curve_of
from harness.analysis.mutant_sets import OF_2005
from harness.papers.criteria_pruning2011.run import KORAT, KORAT_PLUS, NAME, ONE_PER_CLASS, SUBJECTS, CriteriaInputs
from harness.papers.criteria_pruning2011.tables import WAYS
from harness.papers.suites import Suite
from harness.tables.criteria import draw_criteria, scored_suites
from harness.tables.figures import CurveFigure, Curves, Look

_LOOKS = {
    KORAT: Look("Korat", COVERAGE_COLOUR, 4.2),
    KORAT_PLUS: Look("Korat+", KILLED_COLOUR, 2.6),
    ONE_PER_CLASS: Look("one per class", BRANCH_COLOUR, 1.2),
}
"""The looks of lines, whose widths keep coinciding lines visible."""
_PRINTED = {KORAT: "korat", KORAT_PLUS: "koratplus"}
"""The names of generators in the columns of published values."""


def explored(dataset: CriteriaInputs) -> Figure:
    """Draw the explored candidates by scope, on a logarithmic axis.

    Raises:
        UsageError: the run has nothing of it.
    """
    panels = _of_generation(dataset, "explored", lambda suite: float(suite.explored))
    return _drawn(panels, "candidates explored (logarithmic)", "Crosses: as printed.")


def seconds(dataset: CriteriaInputs) -> Figure:
    """Draw the seconds of generation by scope, on a logarithmic axis.

    Raises:
        UsageError: the run has no such trials.
    """
    panels = _of_generation(dataset, "seconds", lambda suite: suite.elapsed)
    note = f"Seconds are of this machine ({dataset.frames.machine}); the paper's (crosses) are of Java."
    return _drawn(panels, "seconds (logarithmic)", note)


def live(dataset: CriteriaInputs) -> Figure:
    """Draw the live mutants of the paper's operators by scope.

    Raises:
        UsageError: the run has no such trials.
    """
    table = dataset.printed("live_mutants", 3)
    panels = []
    for title in SUBJECTS:
        scopes = dataset.scopes_of(title)
        measured = {way: curve_of((at, dataset.live(title, at, way, OF_2005)) for at in scopes) for way in WAYS}
        rows = [(dataset.scopes[title, row.key[2]], row) for row in table.rows if row.key[0] == title]
        printed = {way: curve_of((at, row.value(column)) for at, row in rows) for way, (_, column) in WAYS.items()}
        if any(measured.values()):
            panels.append(Curves(title, measured, printed))
    note = f"Mutants of the paper's operators. {dataset.counted} Crosses: as printed, of muJava's mutants of Java."
    return _drawn(panels, "live mutants", note, scale="zero")


def criteria(dataset: CriteriaInputs) -> Figure:
    """Draw the share of the score that as many inputs keep, by criterion, at the largest scope with a kill matrix.

    Raises:
        UsageError: the run has no such trials.
    """
    return draw_criteria(
        [suite for suite in scored_suites(dataset.frames) if suite.generator == KORAT], dataset.counted
    )


def _of_generation(dataset: CriteriaInputs, measure: str, look: Callable[[Suite], float | None]) -> list[Curves]:
    table = dataset.printed("case_studies", 2)
    panels = []
    for title in SUBJECTS:
        measured: dict[str, Curve] = {}
        printed: dict[str, Curve] = {}
        for way in (KORAT, KORAT_PLUS):
            suites = {at: dataset.suite(title, way, at) for at in dataset.scopes_of(title)}
            measured[way] = curve_of((at, suite and look(suite)) for at, suite in suites.items())
            column = f"{_PRINTED[way]}_{measure}"
            scopes = ((text, at) for (known, text), at in dataset.scopes.items() if known == title)
            printed[way] = curve_of((at, table.row(title, text).value(column)) for text, at in scopes)
        if any(measured.values()):
            panels.append(Curves(title, measured, printed))
    return panels


def _drawn(
    panels: list[Curves], measure: str, note: str, *, scale: Literal["logarithmic", "zero"] = "logarithmic"
) -> Figure:
    empty_message = f"the run has no trial of the case studies; run the experiment {NAME}"
    return CurveFigure(_LOOKS, measure, "scope (row of the paper's table)", scale).draw(panels, note, empty_message)
