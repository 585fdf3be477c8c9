"""Compares criteria of any run with each other and with random selections, in tables and in a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.drawing import (
    BRANCH_COLOUR,
    COVERAGE_COLOUR,
    KILLED_COLOUR,
    draw_panels,
    logarithmic,
    open_axes,
    save_figures,
)
from harness.analysis.frames import RunFrames, records
from harness.analysis.measures import titles_of
from harness.analysis.mutant_sets import ALL
from harness.analysis.score_caption import killed
from harness.errors import StoreError, UsageError
from harness.measured.sampling import Versus
from harness.measured.scored_criteria import WHOLE
from harness.measuring.job import BRANCHES, CONDITIONS, EQ_CLASS
from harness.model.outcome import ScorePolicy
from harness.tables.stored import Run
from harness.tables.table import Column, Missing, RowSource, Table, Unit, made_tables

RANDOM = "random"
NOT_DRAWN = Missing("nothing is drawn")
MOST_NAMED = 3
"""Criteria that are named where as many are the best ones."""
NO_CLASSES = Missing("not a criterion")
NOTHING_KILLED = Missing("nothing is killed")
NOT_SO_MANY = Missing("the suite has no so many inputs")


@dataclass(frozen=True)
class ScoredSuite:
    """The criteria of one suite: rows of `frames.CRITERIA` as dicts, of one mix of mutants."""

    subject: str
    title: str
    generator: str
    scope: int
    seed: int
    rows: Sequence[Mapping[str, Any]]

    def labels(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the texts of labels of these names."""
        texts = {"subject": self.title, "generator": self.generator, "scope": str(self.scope), "seed": str(self.seed)}
        return tuple(texts[name] for name in names)

    @property
    def killed(self) -> int:
        """Mutants that the whole suite kills."""
        return int(next(row["kills"] for row in self.rows if row["criterion"] == WHOLE))

    def wholes(self) -> list[Mapping[str, Any]]:
        """Return the selections that follow from the criteria alone, the whole suite first."""
        return [row for row in self.rows if row["whole"]]

    def criteria(self) -> list[str]:
        """Return the criteria that distinguish classes, in the order of measuring."""
        return list(dict.fromkeys(row["criterion"] for row in self.rows if not row["whole"]))

    def sizes(self) -> list[int]:
        """Return the numbers of inputs at which all criteria are known."""
        return sorted({int(row["size"]) for row in self.rows if not row["whole"]})

    def mean(self, criterion: str, size: int) -> Fraction | None:
        """Return the mean number of mutants killed by so many inputs, drawn in turn from a criterion's classes, over
        seeds.

        For RANDOM, the inputs are drawn from all. Return None if the mean is not known.
        """
        for row in self.rows:
            if not row["whole"] and int(row["size"]) == size and criterion in (row["criterion"], RANDOM):
                return _mean(row, "random" if criterion == RANDOM else "drawn")
        return None

    def share(self, criterion: str, size: int) -> Fraction | None:
        """Return the same mean as a share of all kills."""
        mean = self.mean(criterion, size)
        return None if mean is None or not self.killed else mean / self.killed

    def first(self, criterion: str) -> Mapping[str, Any] | None:
        """Return the selection of the first input of each class."""
        return next((row for row in self.wholes() if row["criterion"] == criterion), None)


def scored_suites(frames: RunFrames, mix: str = ALL) -> list[ScoredSuite]:
    """Return, for each subject, generator and seed, the suite of the largest scope whose criteria are scored."""
    criteria = frames.criteria
    by_trial: dict[str, list[Mapping[str, Any]]] = {}
    for row in records(criteria[criteria["mix"] == mix]):
        by_trial.setdefault(row["trial"], []).append(row)
    largest: dict[tuple[str, str, int], ScoredSuite] = {}
    for trial in records(frames.trials):
        if rows := by_trial.get(trial["trial"]):
            key = (trial["subject"], trial["generator"], int(trial["seed"]))
            suite = ScoredSuite(trial["subject"], trial["title"], trial["generator"], int(trial["scope"]), key[2], rows)
            if key not in largest or largest[key].scope <= suite.scope:
                largest[key] = suite
    return list(largest.values())


def label_names(suites: Sequence[ScoredSuite]) -> tuple[str, ...]:
    """Return what distinguishes suites: their seeds only where these differ."""
    seed = ["seed"] if len({suite.seed for suite in suites}) > 1 else []
    return ("subject", "generator", "scope", *seed)


@dataclass(frozen=True)
class CriterionRow:
    """All that a criterion asks for of one suite, as a row of `frames.CRITERIA`."""

    suite: ScoredSuite
    row: Mapping[str, Any]

    @property
    def versus(self) -> Versus:
        """The first input of each class beside as many random inputs."""
        return Versus(*(int(self.row[name]) for name in ("worse", "equal", "better")))

    @property
    def is_part(self) -> bool:
        """Whether it is not the whole suite."""
        return bool(self.row["criterion"] != WHOLE)

    @property
    def kill_share(self) -> Fraction | None:
        """The part of the mutants killed by the whole suite."""
        return Fraction(int(self.row["kills"]), self.suite.killed) if self.suite.killed else None


SELECTION_COLUMNS: tuple[Column[CriterionRow], ...] = (
    Column(
        "classes",
        Unit.COUNT,
        lambda one: None if pd.isna(one.row["classes"]) else int(one.row["classes"]),
        missing=NO_CLASSES,
    ),
    Column("inputs", Unit.COUNT, lambda one: int(one.row["size"])),
    Column("killed", Unit.COUNT, lambda one: int(one.row["kills"])),
    Column("kept [%]", Unit.PERCENT, lambda one: one.kill_share, missing=NOTHING_KILLED),
    Column("killed, drawn", Unit.FACTOR, lambda one: _mean(one.row, "drawn"), missing=NOT_DRAWN),
    Column("killed, random", Unit.FACTOR, lambda one: _mean(one.row, "random"), missing=NOT_DRAWN),
    Column("random is worse/equal/better", Unit.TEXT, lambda one: str(one.versus) if one.is_part else ""),
    Column("random", Unit.TEXT, lambda one: one.versus.sign.value if one.is_part else ""),
)


def criteria_table(suites: Sequence[ScoredSuite], counted: str) -> Table:
    """Compare one input (or unit of inputs) of each class, by criterion, with as many random inputs."""
    caption = (
        f"{counted} Each number is of the first inputs of each class; kept is how much that is "
        "of what all inputs kill. drawn: the same with another input of each class, random: as many inputs of the "
        "whole suite, each on the average of a hundred seeds; < (>): more than half of the random selections are worse "
        "(better) than the first of each class, by a sign test. eq_class is the criterion that the spec says; "
        "conditions are the outcomes of rep_ok's atomic conditions, branches those of the branches that the call "
        "takes; & is a product. korat-plus is the suite of Korat+ by eq_class."
    )
    names = label_names(suites)
    cases = (
        RowSource((*suite.labels(names), row["criterion"]), CriterionRow(suite, row))
        for suite in suites
        for row in suite.wholes()
    )
    return Table.of(
        "Criteria beside each other", caption, (*names, "criterion"), SELECTION_COLUMNS, cases, compares=False
    )


def sizes_table(suites: Sequence[ScoredSuite], counted: str) -> Table:
    """Tabulate the share of the score that as many inputs of each criterion keep."""
    criteria, names = list(dict.fromkeys(name for suite in suites for name in suite.criteria())), label_names(suites)
    columns: list[Column[tuple[ScoredSuite, int]]] = [
        Column(name, Unit.PERCENT, partial(_share, name), missing=NOT_SO_MANY) for name in (RANDOM, *criteria)
    ]
    columns.append(Column("best", Unit.TEXT, partial(_best, len(criteria) + 1)))
    cases = (RowSource((*suite.labels(names), str(size)), (suite, size)) for suite in suites for size in suite.sizes())
    caption = (
        f"{counted} How much of the mutants that all inputs kill is killed by so many, in percent, on "
        "the average of a hundred seeds: drawn from all inputs (random), or in turn from the classes of a criterion, "
        "first one of each class, then a second one."
    )
    return Table.of(
        "Criteria at the same number of inputs", caption, (*names, "inputs"), columns, cases, compares=False
    )


def _share(criterion: str, of: tuple[ScoredSuite, int]) -> Fraction | None:
    return of[0].share(criterion, of[1])


def _best(criteria: int, of: tuple[ScoredSuite, int]) -> str:
    """Name all criteria that kill most with so many inputs; random selections count as a criterion."""
    suite, size = of
    means = {name: mean for name in (RANDOM, *suite.criteria()) if (mean := suite.mean(name, size)) is not None}
    names = [name for name, mean in means.items() if mean == max(means.values())]
    return ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} of {criteria}"


def _mean(row: Mapping[str, Any], name: str) -> Fraction | None:
    value = row[name]
    return None if pd.isna(value) else Fraction(int(value), int(row["seeds"]))


_COLOURS = {RANDOM: "#888888", EQ_CLASS: COVERAGE_COLOUR, CONDITIONS: "#8a63b5", BRANCHES: KILLED_COLOUR}
"""Colours of random selections and criteria; products share the last one's."""


def draw_criteria(suites: Sequence[ScoredSuite], counted: str) -> Figure:
    """Draw a curve per criterion, of inputs drawn in turn from its classes, and a mark at the first of each class.

    Args:
        counted: a text on the mutants that scores count, and the oracles that killed them.

    Raises:
        UsageError: there is no suite.
    """
    if not suites:
        raise UsageError("nothing to draw: no trial was run to the end in mode matrix; run one with --matrix")
    note = "Lines: drawn in turn from a criterion's classes, on average. Rings: the first input of each class."
    has_seeds = "seed" in label_names(suites)
    titled = [
        (f"{suite.title}, {suite.generator} at scope {suite.scope}" + f", seed {suite.seed}" * has_seeds, suite)
        for suite in suites
    ]
    return draw_panels(titled, _draw, f"{counted}\n{note}")


def _draw(axes: Axes, suite: ScoredSuite) -> None:
    for name in (RANDOM, *suite.criteria()):
        colour = _COLOURS.get(name, BRANCH_COLOUR)
        is_product = name not in _COLOURS
        points = [(size, 100 * float(of)) for size in suite.sizes() if (of := suite.share(name, size)) is not None]
        if points and (not is_product or name == suite.criteria()[-1]):
            style = "--" if name == RANDOM else ":" if is_product else "-"
            label = "product of all" if is_product else name
            axes.plot(*zip(*points, strict=True), color=colour, linestyle=style, linewidth=1.4, label=label)
            first = suite.first(name)
            if first is not None and suite.killed:
                part = 100 * int(first["kills"]) / suite.killed
                axes.scatter([int(first["size"])], [part], facecolors="none", edgecolors=colour, s=34, zorder=5)
    logarithmic(axes, "x")
    axes.set_xlabel("inputs (logarithmic)")
    axes.set_ylabel("of the mutants killed by all [%]")
    open_axes(axes)


CRITERIA_TABLES = {"criteria": criteria_table, "sizes": sizes_table}


class CriteriaOfRun:
    """The criteria of the suites that have a kill matrix, of each subject, generator and seed at the largest scope.

    Raises:
        StoreError: there is no such suite.
    """

    def __init__(self, run: Run) -> None:
        frames = run.with_criteria.of_one_operator_set()
        titles = titles_of(frames)
        self.suites = [replace(suite, title=titles[suite.subject]) for suite in scored_suites(frames)]
        if not self.suites:
            raise StoreError(
                f"{run.folder}: no criteria are scored, which takes a trial that was run to the end in mode matrix, of "
                "sources as they are now; run it with --matrix"
            )
        operators = str(frames.trials["operator_set"].iloc[0])
        self._counted = killed(ScorePolicy.ALL_VIABLE, frames.oracles, f"operator set {operators}")

    def tables(self, table: str | None = None) -> dict[str, Table]:
        """Return tables of the kills by inputs of each class, and by as many inputs of each criterion.

        Raises:
            UsageError: there is no such table.
        """
        makers = {name: partial(make, counted=self._counted) for name, make in CRITERIA_TABLES.items()}
        return made_tables(makers, self.suites, table, "criteria")

    def draw(self, out: Path) -> list[Path]:
        """Draw the share of the score that so many inputs of each criterion keep, as PNG and SVG; return the paths."""
        return save_figures({"criteria": draw_criteria(self.suites, self._counted)}, out)
