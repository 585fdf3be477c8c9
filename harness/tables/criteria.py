"""Criteria of any run beside each other and beside random selections: tables, and the numbers of a figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from harness.analysis.frames import RunFrames, records
from harness.analysis.mutant_mixes import ALL
from harness.measured.sampling import Versus
from harness.measured.scored_criteria import WHOLE
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.table import Heading, Row, Table

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

    title: str
    generator: str
    scope: int
    rows: Sequence[Mapping[str, Any]]

    @property
    def killed(self) -> int:
        """Mutants that the whole suite kills."""
        return int(next(row["kills"] for row in self.rows if row["criterion"] == WHOLE))

    def wholes(self) -> list[Mapping[str, Any]]:
        """The selections that are all a criterion asks for, the whole suite first."""
        return [row for row in self.rows if row["whole"]]

    def criteria(self) -> list[str]:
        """The criteria that tell classes apart, in the order of measuring."""
        return list(dict.fromkeys(row["criterion"] for row in self.rows if not row["whole"]))

    def sizes(self) -> list[int]:
        """Numbers of inputs at which all criteria are known."""
        return sorted({int(row["size"]) for row in self.rows if not row["whole"]})

    def mean(self, criterion: str, size: int) -> Fraction | None:
        """Mutants that so many inputs, drawn in turn from a criterion's classes, kill on the average of the seeds.

        Of RANDOM, inputs drawn from all. None where that is not known.
        """
        for row in self.rows:
            if not row["whole"] and int(row["size"]) == size and criterion in (row["criterion"], RANDOM):
                return _mean(row, "random" if criterion == RANDOM else "drawn")
        return None

    def first(self, criterion: str) -> Mapping[str, Any] | None:
        """The selection of the first of each class."""
        return next((row for row in self.wholes() if row["criterion"] == criterion), None)


def scored_suites(frames: RunFrames, mix: str = ALL) -> list[ScoredSuite]:
    """Of each subject and generator, the suite of the largest scope whose criteria are scored."""
    criteria = frames.criteria
    by_trial: dict[str, list[Mapping[str, Any]]] = {}
    for row in records(criteria[criteria["mix"] == mix]):
        by_trial.setdefault(row["trial"], []).append(row)
    found: dict[tuple[str, str], ScoredSuite] = {}
    for trial in records(frames.trials):
        rows = by_trial.get(trial["trial"])
        key = (trial["title"], trial["generator"])
        if rows and (key not in found or found[key].scope <= int(trial["scope"])):
            found[key] = ScoredSuite(*key, int(trial["scope"]), rows)
    return list(found.values())


def criteria_table(suites: Sequence[ScoredSuite], counted: str) -> Table:
    """One input (or unit of inputs) of each class, by criterion, beside as many random inputs."""
    columns = (
        Heading("classes", Unit.COUNT),
        Heading("inputs", Unit.COUNT),
        Heading("killed", Unit.COUNT),
        Heading("kept [%]", Unit.PERCENT),
        Heading("killed, drawn", Unit.FACTOR),
        Heading("killed, random", Unit.FACTOR),
        Heading("random is worse/equal/better", Unit.TEXT),
        Heading("random", Unit.TEXT),
    )
    rows = [row for suite in suites for row in _rows(suite)]
    caption = (
        f"{counted} Each number is of the first inputs of each class; kept is how much that is "
        "of what all inputs kill. drawn: the same with another input of each class, random: as many inputs of the "
        "whole suite, each on the average of a hundred seeds; < (>): more than half of the random selections are worse "
        "(better) than the first of each class, by a sign test. eq_class is the criterion that the spec says; "
        "conditions are the outcomes of rep_ok's atomic conditions, branches those of the branches that the call "
        "takes; & is a product. korat-plus is the suite of Korat+ by eq_class."
    )
    return Table(
        "Criteria beside each other", caption, ("subject", "generator", "scope", "criterion"), columns, tuple(rows),
        compares=False,
    )  # fmt: skip


def sizes_table(suites: Sequence[ScoredSuite], counted: str) -> Table:
    """As many inputs of each criterion: how much of the score do they keep?"""
    names = list(dict.fromkeys(name for suite in suites for name in suite.criteria()))
    columns = tuple(Heading(name, Unit.PERCENT) for name in (RANDOM, *names))
    rows = []
    for suite in suites:
        for size in suite.sizes():
            cells = tuple(Comparison(_kept(suite, name, size)) for name in (RANDOM, *names))
            found = best_criteria(suite, size)
            best = Comparison(", ".join(found) if len(found) <= MOST_NAMED else f"{len(found)} of {len(names) + 1}")
            rows.append(Row((suite.title, suite.generator, str(suite.scope), str(size)), (*cells, best)))
    caption = (
        f"{counted} How much of the mutants that all inputs kill is killed by so many, in percent, on "
        "the average of a hundred seeds: drawn from all inputs (random), or in turn from the classes of a criterion, "
        "first one of each class, then a second one."
    )
    columns = (*columns, Heading("best", Unit.TEXT))
    labels = ("subject", "generator", "scope", "inputs")
    return Table("Criteria at the same number of inputs", caption, labels, columns, tuple(rows), False)


def best_criteria(suite: ScoredSuite, size: int) -> list[str]:
    """Those that kill most with so many inputs, all that kill as many; random selections are among them."""
    means = {name: mean for name in (RANDOM, *suite.criteria()) if (mean := suite.mean(name, size)) is not None}
    return [name for name, mean in means.items() if mean == max(means.values())]


def kept(suite: ScoredSuite, criterion: str, size: int) -> Fraction | None:
    """The mean of the mutants killed by so many inputs, as a part of what all kill; None where it is not known."""
    mean = suite.mean(criterion, size)
    return None if mean is None or not suite.killed else mean / suite.killed


def _rows(suite: ScoredSuite) -> Iterator[Row]:
    for row in suite.wholes():
        versus = Versus(*(int(row[name]) for name in ("worse", "equal", "better")))
        is_part = row["criterion"] != WHOLE
        measured: tuple[Measured, ...] = (
            NO_CLASSES if pd.isna(row["classes"]) else int(row["classes"]),
            int(row["size"]),
            int(row["kills"]),
            Fraction(int(row["kills"]), suite.killed) if suite.killed else NOTHING_KILLED,
            _or(_mean(row, "drawn")),
            _or(_mean(row, "random")),
            str(versus) if is_part else "",
            versus.sign.value if is_part else "",
        )
        labels = (suite.title, suite.generator, str(suite.scope), row["criterion"])
        yield Row(labels, tuple(Comparison(value) for value in measured))


def _kept(suite: ScoredSuite, criterion: str, size: int) -> Measured:
    found = kept(suite, criterion, size)
    return NOT_SO_MANY if found is None else found


def _mean(row: Mapping[str, Any], name: str) -> Fraction | None:
    value = row[name]
    return None if pd.isna(value) else Fraction(int(value), int(row["seeds"]))


def _or(mean: Fraction | None) -> Measured:
    return NOT_DRAWN if mean is None else mean
