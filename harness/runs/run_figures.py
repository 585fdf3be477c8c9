"""Draws figures of any run, with or without a paper: coverage and score by scope, and the growth of suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from harness.analysis import score_caption
from harness.analysis.measures import scored_rows, scores, titles_of
from harness.analysis.mutant_sets import check_one_set
from harness.analysis.plots import curve_of
from harness.analysis.titles import short_names
from harness.runner.logs import LOGGER
from harness.runs.run_tables import RunFacts
from harness.runs.score_panels import (
    ScoreCurve,
    ScoresPanel,
    draw_scores_by_scope,
    spread_words,
)
from harness.store.facts import CONDITIONS
from harness.tables.figures import SCOPES, UNFINISHED, CurveFigure, Curves, scope_panels, three_looks, trials_apart

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
    left_out = _left_out(run, panels)
    return draw_scores_by_scope(panels, " ".join([_score_note(run, panels), *left_out])) if panels else None


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
