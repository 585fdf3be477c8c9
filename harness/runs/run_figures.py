"""Draws figures of any run: coverage, score and growth by scope, and its generators by scope and by budget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis import score_caption
from harness.analysis.compared import (
    UNCOUNTED,
    UNTIMED,
    Basis,
    Curve,
    CurvePoint,
    Rule,
    Worth,
    comparable_suites,
    curves,
    left_out,
)
from harness.analysis.drawing import (
    CURVE_COLOURS,
    CURVE_MARKERS,
    by_scope,
    curve_of,
    draw_panels,
    logarithmic,
    open_axes,
)
from harness.analysis.measures import scored_rows, scores, titles_of
from harness.analysis.mutant_sets import check_one_set
from harness.analysis.titles import short_names
from harness.errors import MutascopeError
from harness.measured.suite_inputs import with_branches, with_inputs
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST
from harness.runner.logs import LOGGER
from harness.runs.run_tables import RunFacts
from harness.store.facts import CONDITIONS
from harness.tables.figures import SCOPES, UNFINISHED, CurveFigure, Curves, scope_panels, three_looks, trials_apart

KILLED, COVERED = "mutants killed [%]", "branches covered [%]"
RESOLUTION = 0.001
"""Seconds of the processor that its clock tells apart; less is not drawn."""
MOST_PANELS = 8
"""The greatest number of panels in a figure of scores."""


class ScoreCurve(NamedTuple):
    """The mutation score of one generator: points of x, score, and the ends of its band, in the order of the line."""

    generator: str
    points: tuple[tuple[float, float, float, float], ...]


class ScoresPanel(NamedTuple):
    """The curves of all generators of one subject.

    Attributes:
        style: the number of the colour of each generator.
        y_label: the name of the scores.
    """

    title: str
    curves: tuple[ScoreCurve, ...]
    style: Mapping[str, int]
    y_label: str = KILLED

    @property
    def is_one_scope(self) -> bool:
        """Whether all curves are one point at the same x."""
        return {x for curve in self.curves for x, *_ in curve.points} == {self.curves[0].points[0][0]}


def draw_scores_by_scope(panels: Sequence[ScoresPanel], note: str) -> Figure:
    """Draw the scores of generators by scope."""
    return draw_panels(_titled(panels), _draw_on_scopes, note)


def draw_scores_by(budget: str, panels: Sequence[ScoresPanel], note: str) -> Figure:
    """Draw the scores of generators by a budget, such as `inputs`, on a logarithmic axis.

    There are `MOST_PANELS` panels at most, the last ones; the note names the others.
    """
    if left_out := [panel.title for panel in panels[:-MOST_PANELS]]:
        note += f" No room for: {'; '.join(left_out)} (--subject chooses others)."
    return draw_panels(_titled(panels[-MOST_PANELS:]), partial(_draw_by, budget), note)


def spread_words(panels: Sequence[ScoresPanel]) -> str:
    """Return how the panels show intervals: `Bands`, `Bars`, or both; empty where there are none."""
    looks = {len(curve.points) > 1 for panel in panels for curve in panel.curves if _has_spread(curve)}
    return " and ".join(word for word, is_band in (("Bands", True), ("Bars", False)) if is_band in looks).capitalize()


def _titled(panels: Sequence[ScoresPanel]) -> list[tuple[str, ScoresPanel]]:
    return [(panel.title, panel) for panel in panels]


def _has_spread(curve: ScoreCurve) -> bool:
    return any(low != high for _, _, low, high in curve.points)


def _draw_on_scopes(axes: Axes, panel: ScoresPanel) -> None:
    if panel.is_one_scope:  # side by side, as no marker hides another one then
        at = panel.curves[0].points[0][0]
        step = 0.8 / len(panel.curves)
        curves = tuple(
            curve._replace(points=((at - 0.4 + (number + 0.5) * step, *curve.points[0][1:]),))
            for number, curve in enumerate(panel.curves)
        )
        panel = panel._replace(curves=curves)
        axes.set_xlim(at - 0.5, at + 0.5)
    _draw_scores(axes, panel)
    by_scope(axes)


def _draw_by(budget: str, axes: Axes, panel: ScoresPanel) -> None:
    _draw_scores(axes, panel)
    logarithmic(axes, "x")
    axes.set_xlabel(f"{budget} (logarithmic)")
    open_axes(axes)


def _later_equals(panel: ScoresPanel, generator: str) -> int:
    """Return the number of curves drawn later that share a point with the curve of a generator."""
    points = {one.generator: {(x, score) for x, score, _, _ in one.points} for one in panel.curves}
    numbers = panel.style
    return sum(
        bool(points[generator] & shared) and numbers[name] > numbers[generator] for name, shared in points.items()
    )


def _draw_scores(axes: Axes, panel: ScoresPanel) -> None:
    for curve in panel.curves:
        generator, points = curve
        number = panel.style[generator]
        colour, marker = CURVE_COLOURS[number % len(CURVE_COLOURS)], CURVE_MARKERS[number % len(CURVE_MARKERS)]
        x, scores, lows, highs = zip(*points, strict=True)
        line = "-" if number < len(CURVE_COLOURS) else "--"
        later = min(3, _later_equals(panel, generator))  # wider below, so that equal curves can be seen
        look: Any = {"linewidth": 1.4 + 0.8 * later, "markersize": 4 + 1.6 * later, "clip_on": False, "zorder": 3}
        axes.plot(x, scores, line, color=colour, marker=marker, label=generator, **look)
        if _has_spread(curve) and len(points) == 1:
            axes.vlines(x, lows, highs, color=colour, linewidth=1.4, clip_on=False)
        elif _has_spread(curve):
            axes.fill_between(x, lows, highs, color=colour, alpha=min(0.18, 0.9 / len(panel.style)), linewidth=0)
    axes.set_ylabel(panel.y_label)
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20))


GROWTH = CurveFigure(
    three_looks({"explored": "candidates", "states": "pre-states", "inputs": "inputs"}), "how many (logarithmic)"
)


def scopes_figure(run: RunFacts) -> Figure | None:
    """Draw covered statements and branches, and killed mutants, by scope: one panel per subject and generator.

    Return None if nothing was covered or killed, as in a run that only generates.

    Raises:
        UsageError: the scores of a subject are over different mutant sets, so that they are no curve.
    """
    check_one_set(scored_rows(run.frames, run.policy, run.proven), "a curve of scores by scope")
    panels = scope_panels(run.frames, run.policy, run.proven)
    note = " ".join([score_caption.killed(run.policy, run.frames.oracles), *_seeds(run)])
    return SCOPES.draw(panels, note, UNFINISHED) if panels else None


def growth_figure(run: RunFacts) -> Figure:
    """Draw candidates, pre-states and inputs by scope, on a logarithmic axis.

    Generators of calls explore no candidates, and what they store is no valid state: of them, inputs are drawn.
    """
    trials = run.frames.trials
    panels = []
    for title, keys in trials_apart(run.frames):
        mine = trials[trials["trial"].isin(keys)]
        of_states = mine[mine["sequences"].isna() & mine["explored"].gt(0)]
        of_names = {"explored": of_states, "states": of_states, "inputs": mine}
        curves = {
            name: curve_of(rows.loc[rows[name] > 0, ["scope", name]].to_numpy()) for name, rows in of_names.items()
        }
        panels.append(Curves(title, curves))
    return GROWTH.draw(panels, " ".join(_seeds(run)), UNFINISHED)


def generators_figure(run: RunFacts) -> Figure | None:
    """Mutants killed by scope, with the generators of each subject in one panel; None for a run of one generator."""
    panels = _score_panels(run)
    absent = _without_scores(run, panels)
    looks = spread_words(panels)
    spread = [f"{looks}: from the least to the greatest score."] if looks else []
    note = " ".join([score_caption.killed(run.policy, run.frames.oracles), *_seeds(run), *spread, *absent])
    return draw_scores_by_scope(panels, note) if panels else None


RUN_FIGURES: Mapping[str, Callable[[RunFacts], Figure | None]] = {
    "scopes": scopes_figure,
    "growth": growth_figure,
    "generators": generators_figure,
}


def _score_panels(run: RunFacts) -> list[ScoresPanel]:
    trials = run.frames.trials
    trials = trials.assign(generator=trials["generator"].map(short_names(trials["generator"].unique())))
    if any(trials[name].nunique() > 1 for name in ("suite", *CONDITIONS)):
        return []
    columns = ["trial", "subject", "generator", "scope"]
    scored = scores(run.frames, run.policy, run.proven)[["trial", "score_pct"]].merge(trials[columns], on="trial")
    scored = scored.dropna(subset=["score_pct"])
    if scored["generator"].nunique() < 2:
        return []
    check_one_set(scored_rows(run.frames, run.policy, run.proven), "a curve of scores by generator")
    titles, style = titles_of(run.frames), {name: number for number, name in enumerate(trials["generator"].unique())}
    panels = []
    for subject, rows in scored.groupby("subject", sort=False):
        curves = [_score_curve(str(generator), own) for generator, own in rows.groupby("generator", sort=False)]
        panels.append(ScoresPanel(titles[str(subject)], tuple(curves), style))
    return panels


def _without_scores(run: RunFacts, panels: Sequence[ScoresPanel]) -> list[str]:
    """Return a sentence on the generators of a run that the figure of generators leaves out, and log it."""
    generators = dict.fromkeys([*run.frames.trials["generator"], *run.frames.failures["generator"]])
    shown = {curve.generator for panel in panels for curve in panel.curves}
    missing = [name for name in short_names(generators).values() if name not in shown]
    if len(generators) < 2 or not missing:
        return []
    sentence = f"Left out: {', '.join(missing)} (none of its trials ran all mutants to the end)."
    LOGGER.warning("generators%s: %s", "" if panels else " (not drawn)", sentence)
    return [sentence]


def _score_curve(generator: str, rows: pd.DataFrame) -> ScoreCurve:
    points = []
    for scope in sorted(rows["scope"].unique()):
        seeds = rows[rows["scope"] == scope]
        score = seeds["score_pct"].astype(float)
        points.append((float(scope), float(score.median()), float(score.min()), float(score.max())))
    return ScoreCurve(generator, tuple(points))


def _seeds(run: RunFacts) -> list[str]:
    """Return the sentence on the seeds of a run, if it has several."""
    seeds = run.frames.trials.groupby(["subject", "generator", "scope"])["seed"].nunique().max()
    return [f"Medians of up to {seeds} seeds."] if seeds > 1 else []


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
    for name, (figure, sentence) in figures.items():
        told.setdefault(sentence, []).append(name if figure else f"{name} (not drawn)")
    for sentence, of_figures in told.items():
        if sentence:
            LOGGER.warning("%s: %s: %s", run.folder, ", ".join(of_figures), sentence)
    return {name: figure for name, (figure, _) in figures.items()}


def draw_curves(
    drawn: Sequence[Curve], kind: BudgetFigure, note: str, absent: Mapping[str, str]
) -> tuple[Figure | None, str]:
    """Draw curves by budget; there is no figure without a point. Return it and a sentence on generators that it lacks.

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
    return (draw_scores_by(basis.value, list(panels.values()), text) if panels else None), sentence


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
