"""Draws killed mutants and covered branches against inputs, calls and seconds, with a panel per subject and scope."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from statistics import median

from matplotlib.figure import Figure

from harness.analysis import score_caption
from harness.analysis.comparable_suites import ComparedSuite, comparable_suites
from harness.analysis.compared import Basis, SuitePart
from harness.analysis.curves import Curve, CurvePoint, curves
from harness.analysis.kill_matrix import Numbers
from harness.analysis.titles import short_names
from harness.errors import MutascopeError
from harness.measured.evaluated_run import calls_of
from harness.measured.measured_branches import MeasuredBranches
from harness.measured.scored_criteria import suite_of
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST
from harness.runner.logs import LOGGER
from harness.runner.subjects import load_subject
from harness.runs.run_tables import RunFacts
from harness.runs.score_panels import COVERED, KILLED, ScoreCurve, ScoresPanel, draw_scores_by

PARTS = "Of a suite in random order its first inputs, of any other one the {middle} over draws of so many inputs."
SUITES = (
    "Lines: medians over the suites of a generator, of which there are up to {most}. Bands: from least to greatest."
)
CURVE_FIGURES = {f"{score}_by_{basis.value}": basis for score in ("killed", "branches") for basis in Basis}
SECONDS = "Seconds of the processor: to generate these inputs and to run the original on them."


def killed_figure(drawn: Sequence[Curve], basis: Basis, note: str) -> Figure | None:
    """Draw killed mutants by budget; return None if there is no point."""
    notes = [note, PARTS.format(middle="exact mean")]
    return _figure(drawn, basis, lambda point: point.killed, KILLED, notes)


def branches_figure(drawn: Sequence[Curve], basis: Basis) -> Figure | None:
    """Draw covered branches by budget; return None if none were measured."""
    notes = ["Branches of target and helper methods.", PARTS.format(middle="median")]
    return _figure(drawn, basis, lambda point: point.branches, COVERED, notes)


def curve_figures(run: RunFacts, names: Collection[str] = tuple(CURVE_FIGURES)) -> dict[str, Figure | None]:
    """Draw the curves of a run whose kills are known for each input; no figure of any other run, nor of a frozen one.

    Branch coverage of parts of suites is measured once, and stored with the run.

    Args:
        names: which figures to draw; other names than those of `CURVE_FIGURES` draw nothing.
    """
    bases = {name: basis for name, basis in CURVE_FIGURES.items() if name in names}
    if run.folder is None or not bases:
        return {}
    try:
        (oracle,) = run.frames.trials["oracle"].unique()
        compared = [
            one
            for one in comparable_suites(run.folder, run.policy, run.proven, OracleName(oracle), run.chosen)
            if not any(suite.trial.generator == PYTEST for suites in one.suites.values() for suite in suites)
        ]
        branches = MeasuredBranches(run.folder) if any(map(_is_of_branches, bases)) else _no_branches
        drawn = list(curves(compared, branches, _calls_or_none))
    except MutascopeError as error:
        LOGGER.warning("%s: no curves by budget: %s", run.folder, error)
        return {}
    note = score_caption.killed(run.policy, run.frames.oracles)
    return {
        name: branches_figure(drawn, basis) if _is_of_branches(name) else killed_figure(drawn, basis, note)
        for name, basis in bases.items()
    }


def _is_of_branches(name: str) -> bool:
    return name.startswith("branches")


def _no_branches(parts: Sequence[SuitePart]) -> Sequence[Fraction]:
    return ()


def calls_of_suite(suite: ComparedSuite) -> Numbers:
    """Return the number of calls in each input of a suite.

    Raises:
        MutascopeError: the suite is not what it was when it was run.
    """
    return calls_of(suite_of(load_subject(suite.trial.subject), suite.trial))


def _calls_or_none(suite: ComparedSuite) -> Numbers | None:
    try:
        return calls_of_suite(suite)
    except MutascopeError as error:
        LOGGER.warning("%s: no curve by calls: %s", suite.trial, error)
        return None


def _figure(
    drawn: Sequence[Curve],
    basis: Basis,
    scores: Callable[[CurvePoint], Sequence[float]],
    y_label: str,
    notes: Sequence[str],
) -> Figure | None:
    names = short_names(sorted({curve.generator for curve in drawn}))
    style = {name: number for number, name in enumerate(names.values())}
    panels: dict[tuple[str, int], ScoresPanel] = {}
    for curve in drawn:
        points = tuple(_points(curve.points, basis, scores))
        if points:
            empty = ScoresPanel(f"{curve.title}, scope {curve.scope}", (), style, y_label=y_label)
            panel = panels.get((curve.subject, curve.scope), empty)
            added = (*panel.curves, ScoreCurve(names[curve.generator], points))
            panels[curve.subject, curve.scope] = panel._replace(curves=added)
    most = max(len(point.killed) for curve in drawn for point in curve.points) if drawn else 0
    text = " ".join([*notes, SUITES.format(most=most), *[SECONDS] * (basis is Basis.SECONDS)])
    return draw_scores_by(basis.value, list(panels.values()), text) if panels else None


def _points(
    points: Iterable[CurvePoint], basis: Basis, scores: Callable[[CurvePoint], Sequence[float]]
) -> Iterable[tuple[float, float, float, float]]:
    for point in points:
        budget, percentages = point.budgets.get(basis, 0), [100 * score for score in scores(point)]
        if budget > 0 and percentages:
            yield budget, median(percentages), min(percentages), max(percentages)
