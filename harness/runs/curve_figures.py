"""Draws killed mutants and covered branches against inputs, calls and seconds, with a panel per subject and scope."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from harness.analysis import score_caption
from harness.analysis.comparable_suites import comparable_suites, left_out
from harness.analysis.compared import UNCOUNTED, UNTIMED, Basis, Curve, CurvePoint, Rule, Worth, curves
from harness.analysis.titles import short_names
from harness.errors import MutascopeError
from harness.measured.suite_inputs import with_branches, with_inputs
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST
from harness.runner.logs import LOGGER
from harness.runs.run_tables import RunFacts
from harness.runs.score_panels import COVERED, KILLED, RESOLUTION, ScoreCurve, ScoresPanel, draw_scores_by

PARTS = {
    Rule.DRAWN: "Inputs are drawn at random from each suite, without replacement.",
    Rule.FIRST: "The first inputs of each suite are taken.",
}
BANDS = "Lines: expected values. Bands: where 90 % of the suites lie, over draws and seeds together."
SECONDS = "Seconds of the processor: until these inputs existed and the original had run them."


class BudgetFigure(NamedTuple):
    """A figure of curves by budget."""

    score: str
    basis: Basis
    rule: Rule

    def worth(self, point: CurvePoint) -> Worth | None:
        """Return the score that is drawn; None where it was not measured."""
        return point.branches if self.score == COVERED else point.killed


CURVE_FIGURES = {"generators_by_inputs": BudgetFigure(KILLED, Basis.INPUTS, Rule.FIRST)} | {
    f"{name}_by_{basis.value}": BudgetFigure(score, basis, Rule.FIRST if basis is Basis.SECONDS else Rule.DRAWN)
    for name, score in (("killed", KILLED), ("branches", COVERED))
    for basis in Basis
}
"""By name. At equal seconds first inputs are taken, since others can be drawn only after all exist."""


class DrawnFigure(NamedTuple):
    """A figure, and a sentence on the generators that are not in all of its panels; empty if there is none."""

    figure: Figure | None
    left_out: str


def curve_figures(run: RunFacts, names: Collection[str] = tuple(CURVE_FIGURES)) -> dict[str, Figure | None]:
    """Draw the curves of a run with a panel for each subject and scope; no figure of a frozen run.

    Curves of first inputs are drawn of several generators only. Branch coverage of parts of suites is measured once, if
    the run has kill matrices, and stored with the run. A generator that a figure leaves out is named in the figure and
    in the log.

    Args:
        names: which figures to draw; other names than those of `CURVE_FIGURES` draw nothing.
    """
    are_several = len({*run.frames.trials["generator"], *run.frames.failures["generator"]}) > 1
    wanted = {
        name: figure
        for name, figure in CURVE_FIGURES.items()
        if name in names and (are_several or figure.rule is Rule.DRAWN)
    }
    if run.folder is None or not wanted:
        return {}
    try:
        (oracle,) = map(OracleName, run.frames.trials["oracle"].unique())
        compared = with_inputs(
            one
            for one in comparable_suites(run.folder, run.policy, run.proven, oracle, run.chosen, needs_matrix=False)
            if not any(suite.trial.generator == PYTEST for suites in one.suites.values() for suite in suites)
        )
        absent = left_out(run.folder, compared, oracle, run.chosen)
        if any(one.score == COVERED for one in wanted.values()) and any(one.has_matrix for one in compared):
            compared = with_branches(run.folder, compared)
        drawn = {rule: list(curves(compared, rule)) for rule in {figure.rule for figure in wanted.values()}}
    except MutascopeError as error:
        LOGGER.warning("%s: no curves by budget: %s", run.folder, error)
        return {}
    note = score_caption.killed(run.policy, run.frames.oracles)
    figures = {name: draw_curves(drawn[one.rule], one, note, absent) for name, one in wanted.items()}
    told: dict[str, list[str]] = {}
    for name, one in figures.items():
        told.setdefault(one.left_out, []).append(name if one.figure else f"{name} (not drawn)")
    for sentence, of_figures in told.items():
        if sentence:
            LOGGER.warning("%s: %s: %s", run.folder, ", ".join(of_figures), sentence)
    return {name: one.figure for name, one in figures.items()}


def draw_curves(drawn: Sequence[Curve], kind: BudgetFigure, note: str, absent: Mapping[str, str]) -> DrawnFigure:
    """Draw curves by budget; there is no figure without a point.

    Args:
        absent: the generators of the run that have no curve, with the reasons.
    """
    basis, rule = kind.basis, kind.rule
    names = short_names(sorted({curve.generator for curve in drawn} | set(absent)))
    style = {name: number for number, name in enumerate(names.values())}
    panels: dict[tuple[str, int], ScoresPanel] = {}
    lacking: dict[tuple[str, str], list[str]] = {(names[name], reason): [] for name, reason in absent.items()}
    for curve in drawn:
        title = f"{curve.title}, scope {curve.scope}"
        points = {  # of inputs that cost the same, the most
            budget: (budget, 100 * float(found.expected), 100 * float(found.low), 100 * float(found.high))
            for point in curve.points
            if (budget := point.budgets.get(basis, 0)) >= RESOLUTION and (found := kind.worth(point)) is not None
        }
        if points:
            panel = panels.get((curve.subject, curve.scope), ScoresPanel(title, (), style, y_label=kind.score))
            added = (*panel.curves, ScoreCurve(names[curve.generator], tuple(points.values())))
            panels[curve.subject, curve.scope] = panel._replace(curves=added)
        else:
            lacking.setdefault((names[curve.generator], curve.reason or _lack(curve, kind)), []).append(title)
    sentence = _left_out(lacking, {curve.generator for panel in panels.values() for curve in panel.curves})
    sentence *= len(names) > 1
    about = ["Branches of target and helper methods." if kind.score == COVERED else note, PARTS[rule], BANDS]
    text = " ".join([*about, *[SECONDS] * (basis is Basis.SECONDS), *[sentence] * bool(sentence)])
    return DrawnFigure(draw_scores_by(basis.value, list(panels.values()), text) if panels else None, sentence)


def _lack(curve: Curve, kind: BudgetFigure) -> str:
    """Return why a curve has no point in a figure."""
    if not any(kind.worth(point) for point in curve.points):
        return "its branch coverage was not measured"
    known = any(kind.basis in point.budgets for point in curve.points)
    return f"it takes less than {RESOLUTION:g} s" if known else UNCOUNTED if kind.basis is Basis.CALLS else UNTIMED


def _left_out(lacking: Mapping[tuple[str, str], Sequence[str]], shown: Collection[str]) -> str:
    """Return the sentence on generators that lack a curve, by name and reason, and where, if not everywhere."""
    by_reason: dict[str, list[str]] = {}
    for (name, reason), panels in lacking.items():
        by_reason.setdefault(reason, []).append(f"{name} in {', '.join(panels)}" if name in shown else name)
    texts = [f"{', '.join(names)} ({reason})" for reason, names in by_reason.items()]
    return f"Left out: {'; '.join(texts)}." if texts else ""
