"""Draws killed mutants and covered branches against inputs, calls and seconds, with a panel per subject and scope."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from matplotlib.figure import Figure

from harness.analysis import score_caption
from harness.analysis.comparable_suites import comparable_suites
from harness.analysis.compared import Basis, Curve, CurvePoint, Rule, Worth, curves
from harness.analysis.titles import short_names
from harness.errors import MutascopeError
from harness.measured.suite_inputs import with_branches, with_inputs
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST
from harness.runner.logs import LOGGER
from harness.runs.run_tables import RunFacts
from harness.runs.score_panels import COVERED, KILLED, ScoreCurve, ScoresPanel, draw_scores_by

PARTS = {
    Rule.DRAWN: "Inputs are drawn at random from each suite, without replacement.",
    Rule.FIRST: "The first inputs of each suite are taken.",
}
BANDS = "Lines: expected values. Bands: where 90 % of the suites lie, over draws and seeds together."
CURVE_FIGURES = {f"{score}_by_{basis.value}": basis for score in ("killed", "branches") for basis in Basis}
SECONDS = "Seconds of the processor: to generate these inputs and to run the original on them."


def killed_figure(drawn: Sequence[Curve], basis: Basis, note: str, rule: Rule = Rule.DRAWN) -> Figure | None:
    """Draw killed mutants by budget; return None if there is no point."""
    return _figure(drawn, basis, lambda point: point.killed, KILLED, f"{note} {PARTS[rule]}")


def branches_figure(drawn: Sequence[Curve], basis: Basis, rule: Rule = Rule.DRAWN) -> Figure | None:
    """Draw covered branches by budget; return None if none were measured."""
    note = f"Branches of target and helper methods. {PARTS[rule]}"
    return _figure(drawn, basis, lambda point: point.branches, COVERED, note)


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
        compared = with_inputs(
            one
            for one in comparable_suites(run.folder, run.policy, run.proven, OracleName(oracle), run.chosen)
            if not any(suite.trial.generator == PYTEST for suites in one.suites.values() for suite in suites)
        )
        if any(map(_is_of_branches, bases)):
            compared = with_branches(run.folder, compared)
        drawn = list(curves(compared, Rule.DRAWN))
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


def _figure(
    drawn: Sequence[Curve],
    basis: Basis,
    worth: Callable[[CurvePoint], Worth | None],
    y_label: str,
    note: str,
) -> Figure | None:
    names = short_names(sorted({curve.generator for curve in drawn}))
    style = {name: number for number, name in enumerate(names.values())}
    panels: dict[tuple[str, int], ScoresPanel] = {}
    for curve in drawn:
        points = tuple(
            (budget, 100 * float(found.expected), 100 * float(found.low), 100 * float(found.high))
            for point in curve.points
            if (budget := point.budgets.get(basis, 0)) > 0 and (found := worth(point)) is not None
        )
        if points:
            empty = ScoresPanel(f"{curve.title}, scope {curve.scope}", (), style, y_label=y_label)
            panel = panels.get((curve.subject, curve.scope), empty)
            added = (*panel.curves, ScoreCurve(names[curve.generator], points))
            panels[curve.subject, curve.scope] = panel._replace(curves=added)
    text = " ".join([note, BANDS, *[SECONDS] * (basis is Basis.SECONDS)])
    return draw_scores_by(basis.value, list(panels.values()), text) if panels else None
