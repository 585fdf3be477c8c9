"""Draws figures of any run, with or without a paper: coverage and score by scope, and the growth of suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis import score_caption
from harness.analysis.measures import coverage_ratios, row_labels, scored_rows, scores, titles_of
from harness.analysis.mutant_sets import check_one_set
from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import (
    BRANCH_COLOUR,
    COVERAGE_COLOUR,
    DASHED,
    KILLED_COLOUR,
    THIN,
    WIDE,
    Curve,
    ScopePanel,
    by_scope,
    curve_of,
    draw_curve,
    draw_scope_figure,
)
from harness.analysis.titles import short_names, text_of
from harness.runner.logs import LOGGER
from harness.runs.run_tables import RunFacts
from harness.runs.score_panels import (
    ScoreCurve,
    ScoresPanel,
    draw_scores_by_scope,
    spread_words,
)
from harness.store import CoverageKind
from harness.store.facts import CONDITIONS


class GrowthCurves(NamedTuple):
    """The numbers of candidates, states and inputs by scope, of one subject and generator."""

    title: str
    explored: Curve
    valid: Curve
    inputs: Curve


def scopes_figure(run: RunFacts) -> Figure | None:
    """Draw covered statements and branches, and killed mutants, by scope: one panel per subject and generator.

    Return None if nothing was covered or killed, as in a run that only generates.

    Raises:
        UsageError: the scores of a subject are over different mutant sets, so that they are no curve.
    """
    check_one_set(scored_rows(run.frames, run.policy, run.proven), "a curve of scores by scope")
    ratios = coverage_ratios(run.frames)
    ratios = ratios[ratios["kind"] == CoverageKind.CODE.value]
    scored = scores(run.frames, run.policy, run.proven)
    panels = []
    for title, keys in _panels(run):
        covered, killed = ratios[ratios["trial"].isin(keys)], scored[scored["trial"].isin(keys)]
        panel = ScopePanel(
            title,
            curve_of(covered["scope"], covered["statement_pct"]),
            curve_of(killed["scope"], killed["score_pct"]),
            branch=curve_of(covered["scope"], covered["branch_pct"]),
        )
        if panel.statement or panel.branch or panel.killed:
            panels.append(panel)
    note = " ".join([score_caption.killed(run.policy, run.frames.oracles), *_seeds(run)])
    return draw_scope_figure(panels, note) if panels else None


def growth_figure(run: RunFacts) -> Figure:
    """Draw candidates, pre-states and inputs by scope, on a logarithmic axis.

    Generators of calls explore no candidates, and what they store is no valid state: of them, inputs are drawn.
    """
    trials = run.frames.trials
    panels = []
    for title, keys in _panels(run):
        mine = trials[trials["trial"].isin(keys)]
        of_states = mine[mine["sequences"].isna() & mine["explored"].gt(0)]
        curves = [(of_states, "explored"), (of_states, "states"), (mine, "inputs")]
        panels.append(GrowthCurves(title, *(curve_of(rows["scope"], rows[name]) for rows, name in curves)))
    return draw_panels([(panel.title, panel) for panel in panels], _draw, " ".join(_seeds(run)))


def generators_figure(run: RunFacts) -> Figure | None:
    """Mutants killed by scope, with the generators of each subject in one panel; None for a run of one generator."""
    panels = _score_panels(run)
    left_out = _left_out(run, panels)
    return draw_scores_by_scope(panels, " ".join([_score_note(run, panels), *left_out])) if panels else None


RUN_FIGURES: Mapping[str, Callable[[RunFacts], Figure | None]] = {
    "scopes": scopes_figure,
    "growth": growth_figure,
    "generators": generators_figure,
}


def _score_panels(run: RunFacts) -> list[ScoresPanel]:
    trials = _short(run.frames.trials)
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


def _left_out(run: RunFacts, panels: Sequence[ScoresPanel]) -> list[str]:
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


def _score_note(run: RunFacts, panels: Sequence[ScoresPanel]) -> str:
    looks = spread_words(panels)
    spread = [f"{looks}: from the least to the greatest score."] if looks else []
    return " ".join([score_caption.killed(run.policy, run.frames.oracles), *_seeds(run), *spread])


def _seeds(run: RunFacts) -> list[str]:
    """Return the sentence on the seeds of a run, if it has several."""
    seeds = run.frames.trials.groupby(["subject", "generator", "scope"])["seed"].nunique().max()
    return [f"Medians of up to {seeds} seeds."] if seeds > 1 else []


def _short(trials: pd.DataFrame) -> pd.DataFrame:
    """Return trials whose generators have the names that figures show."""
    return trials.assign(generator=trials["generator"].map(short_names(trials["generator"].unique())))


def _panels(run: RunFacts) -> list[tuple[str, pd.Series[str]]]:
    """Return the title and trials of each subject, generator and suite under each of its conditions."""
    trials, titles = _short(run.frames.trials), titles_of(run.frames)
    several = {name for name in ("generator", *CONDITIONS) if trials[name].nunique() > 1}
    several |= {"suite"} & set(row_labels(run.frames))
    keys, panels = ["generator", "suite", *CONDITIONS], []
    for (subject, *values), mine in trials.groupby(["subject", *keys], sort=False, dropna=False):
        texts = {name: text_of(value) for name, value in zip(keys, values, strict=True) if name in several}
        named = (f"{_PREFIXES.get(name, '')}{text}" for name, text in texts.items() if text)
        panels.append((", ".join([titles[str(subject)], *named]), mine["trial"]))
    return panels


_PREFIXES = {"observed": "observed ", "concrete": "concrete "}
"""What is before a condition's value in a title."""


def _draw(axes: Axes, panel: GrowthCurves) -> None:
    for curve, colour, look, label in (
        (panel.explored, COVERAGE_COLOUR, WIDE, "candidates"),
        (panel.valid, BRANCH_COLOUR, DASHED, "pre-states"),
        (panel.inputs, KILLED_COLOUR, THIN, "inputs"),
    ):
        draw_curve(axes, tuple((scope, count) for scope, count in curve if count), colour, look, label)
    axes.set_ylabel("how many (logarithmic)")
    logarithmic(axes, "y")
    by_scope(axes)
