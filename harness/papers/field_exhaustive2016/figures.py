"""Draws score by the size of the suite, and size by scope, for exhaustive, field-exhaustive and random suites."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.figure import Figure

from harness.analysis.drawing import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, Curve, curve_of
from harness.analysis.percent import percent
from harness.papers.field_exhaustive2016.run import (
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    NAME,
    POSTCONDITION,
    RANDOM,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.field_exhaustive2016.tables import WAYS, prefix_scores, random_tests
from harness.tables.figures import CurveFigure, Curves, Look

LOOKS = {
    EXHAUSTIVE: Look("bounded exhaustive", COVERAGE_COLOUR, 2.6),
    FIELD_EXHAUSTIVE: Look("field-exhaustive", KILLED_COLOUR, 1.6),
    RANDOM: Look("random", BRANCH_COLOUR, 1.2),
}


_SCORES = CurveFigure(LOOKS, "mutants killed [%]", "inputs (logarithmic)", scale="free", logarithmic_across=True)
_SIZES = CurveFigure(LOOKS, "inputs (logarithmic)")
NOTHING = f"the run has no trial of the paper's subjects; run the experiment {NAME}"


def scores(dataset: FieldExhaustiveInputs) -> Figure:
    """Draw mutation score by number of inputs, one chart per subject, with a point per scope or random size.

    Raises:
        UsageError: the run has nothing of it.
    """
    panels = []
    for title in SUBJECTS:
        measured = {generator: _by_inputs(dataset, title, generator) for generator in WAYS.values()}
        measured[RANDOM] = _of_random(dataset, title)
        if any(measured.values()):
            panels.append(Curves(title, measured))
    note = (
        f"{dataset.counted} Suites that no mutant was run with have no dot.\n"
        "Random: the mean of all seeds, by number of tests; a test is a sequence of calls, another input one call."
    )
    return _SCORES.draw(panels, note, NOTHING)


def printed_scores(dataset: FieldExhaustiveInputs) -> Figure:
    """Draw the same chart from the printed numbers of Tables 1 and 3."""
    panels = []
    for title in SUBJECTS:
        printed = {generator: _printed_by_inputs(dataset, title, end) for end, generator in WAYS.items()}
        printed[RANDOM] = _printed_of_random(dataset, title)
        panels.append(Curves(title, {}, printed))
    note = (
        "As printed: muJava's mutants of the paper's Java programs; of random suites, the maximum of three seeds.\n"
        "A random test is a sequence of calls, another input one call."
    )
    return _SCORES.draw(panels, note, NOTHING)


def sizes(dataset: FieldExhaustiveInputs) -> Figure:
    """Draw inputs by scope, measured and printed, on a logarithmic axis.

    Raises:
        UsageError: the run has nothing of it.
    """
    panels = []
    for title in SUBJECTS:
        measured: dict[str, Curve] = {}
        printed: dict[str, Curve] = {}
        for end, generator in WAYS.items():
            suites = {at: dataset.suite(title, generator, at) for at in dataset.scopes(title, generator)}
            measured[generator] = curve_of((at, s and s.inputs) for at, s in suites.items())
            printed[generator] = curve_of(_printed_sizes(dataset, title, end).items())
        if any(measured.values()):
            panels.append(Curves(title, measured, printed))
    return _SIZES.draw(panels, "Inputs of all routines together. Crosses: as printed.", NOTHING)


def _by_inputs(dataset: FieldExhaustiveInputs, title: str, generator: str) -> Curve:
    suites = (dataset.suite(title, generator, scope) for scope in dataset.scopes(title, generator))
    return curve_of((suite.inputs, percent(suite.score(POSTCONDITION))) for suite in suites if suite is not None)


def _of_random(dataset: FieldExhaustiveInputs, title: str) -> Curve:
    """Return the mean score at the numbers of tests of the paper and of the run, over the seeds with as many tests."""
    at = {tests: prefix_scores(dataset.random(title, tests), tests) for tests in random_tests(dataset, title)}
    return curve_of((tests, 100 * sum(scores) / len(scores)) for tests, scores in at.items() if scores)


def _printed_by_inputs(dataset: FieldExhaustiveInputs, title: str, end: str) -> Curve:
    table = dataset.printed("table1", 2)
    sizes = _printed_sizes(dataset, title, end)
    return curve_of((size, table.row(title, at).value(f"mutation_score_{end}")) for at, size in sizes.items())


def _printed_of_random(dataset: FieldExhaustiveInputs, title: str) -> Curve:
    rows = (row for row in dataset.printed("table3", 2).rows if row.key[0] == title)
    return curve_of((int(row.key[1]), row.value("mutation_score")) for row in rows)


def _printed_sizes(dataset: FieldExhaustiveInputs, title: str, end: str) -> Mapping[int, float]:
    rows = (row for row in dataset.printed("table1", 2).rows if row.key[0] == title)
    return {int(row.key[1]): size for row in rows if (size := row.value(f"size_{end}")) is not None}
