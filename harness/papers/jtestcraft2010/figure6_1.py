"""Repeats Figure 6.1 for real modules: the tests that people wrote, and those that are written from css."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness import resources
from harness.analysis.frames import RunFrames, records
from harness.analysis.frozen import read_frozen
from harness.analysis.plots import COVERAGE_COLOUR, open_axes
from harness.analysis.score_caption import named
from harness.model.outcome import Verdict
from harness.model.pytest_suite import OWN_ASSERTIONS
from harness.papers.jtestcraft2010.run import JtestcraftInputs
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.table import Column, RowSource, Table

PEOPLE, CSS = "people", "css"
COLOURS = {PEOPLE: COVERAGE_COLOUR, CSS: "#7a3db8"}
"""Colours by suite, which is the title of its trial."""

ALL = "all"
KINDS = ("lines", "branches", "mutants")
NONE_THERE = Missing("there are none")


@dataclass(frozen=True)
class Package:
    """A module whose two suites were run. `module` is its title, `frozen` is its folder in results/frozen.

    Attributes:
        of_class: its class under test, whose methods are named without the class.
        people: a text on the tests of people, in which `{}` stands for their number.
        subject: the subject from which css writes its tests.
        scope: the scope of css.
    """

    module: str
    of_class: str
    people: str
    subject: str
    scope: int
    frozen: str

    @property
    def facts(self) -> Path:
        """The folder in which `python -m benchmarks.people_and_css` stores its results."""
        return resources.shipped(f"results/frozen/{self.frozen}")

    def suites(self, frames: RunFrames) -> str:
        """Return a description of both suites."""
        inputs = dict(zip(frames.trials["title"], frames.trials["inputs"], strict=True))
        return (
            f"{self.module}: {self.people.format(inputs[PEOPLE])} (people), and {inputs[CSS]} tests that `mutascope "
            f"suite {self.subject} --generator css --scope {self.scope} --export code --select all` writes (css)."
        )


FRACTIONS = Package("fractions", "Fraction", "CPython's own {} tests", "real/fraction", 2, "people_and_css")
RB_TREE = Package(
    "bintrees.rbtree", "RBTree", "the {} tests of RBTree that bintrees 2.2.0 has", "containers/rb_tree", 4,
    "people_and_css_rb_tree",
)  # fmt: skip
PACKAGES = (FRACTIONS, RB_TREE)


@dataclass(frozen=True)
class OneFunction:
    """A function of the package, with those within it; or, as `all`, all of the module.

    `counts` has by kind and suite how many lines, branches or mutants there are, and how many the suite reaches or
    kills.
    """

    name: str
    counts: Mapping[tuple[str, str], tuple[int, int]]

    def total(self, kind: str) -> int:
        """Return how many of a kind there are."""
        return self.counts.get((kind, PEOPLE), (0, 0))[0]

    def part(self, kind: str, suite: str) -> Measured:
        """Return the share that the suite reaches or kills."""
        total, reached = self.counts.get((kind, suite), (0, 0))
        return Fraction(reached, total) if total else NONE_THERE


def functions_of(frames: RunFrames, of_class: str) -> Sequence[OneFunction]:
    """Return the counts of all functions together, and of each function in the order of the coverage frame.

    Args:
        frames: two trials of one module, titled `people` and `css`, with the coverage of both. Only mutants count that
            both have, since their selection depends on the types that a suite shows.
        of_class: the class whose methods are named without the class.
    """
    titles = dict(zip(frames.trials["trial"], frames.trials["title"], strict=True))
    counts: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}

    def add(row: Mapping[str, Any], kind: str, count: int, reached: int) -> None:
        key = kind, titles[row["trial"]]
        for name in (ALL, _outer(row["function"], of_class)):
            before = counts.setdefault(name, {}).get(key, (0, 0))
            counts[name][key] = before[0] + count, before[1] + reached

    for row in records(frames.coverage):
        add(row, "lines", row["statements"], row["statements_executed"])
        add(row, "branches", row["branches"], row["branches_executed"])
    trials_of = frames.results.groupby("mutant")["trial"].nunique()
    for row in records(frames.results[frames.results["mutant"].map(trials_of) == len(COLOURS)]):
        add(row, "mutants", 1, row["verdict"] == Verdict.KILLED.value)
    return [OneFunction(name, of_name) for name, of_name in counts.items()]


def figure6_1_table(_: JtestcraftInputs) -> Table:
    """Return a row for each module, and one for each of its functions."""
    cases, suites = [], []
    for package in PACKAGES:
        frames = read_frozen(package.facts)
        suites.append(package.suites(frames))
        cases += [RowSource((package.module, one.name), one) for one in functions_of(frames, package.of_class)]
    caption = (
        " ".join(suites) + " Lines and "
        f"branches are coverage.py's; mutants are those of operator set mujava that both suites were run against, "
        f"{named([OWN_ASSERTIONS])}. What "
        "is within a function counts as its own. The paper has JPacman, whose figure prints no numbers. These facts "
        "are frozen, and are not of the run that other tables are of."
    )
    title = "Figure 6.1: a suite that people wrote and one of css"
    return Table.of(title, caption, ("module", "function"), list(_columns()), cases, compares=False)


def _columns() -> Iterator[Column[OneFunction]]:
    for kind in KINDS:
        yield Column(kind, Unit.COUNT, partial(OneFunction.total, kind=kind))
        for suite in COLOURS:
            yield Column(f"{kind}, {suite} [%]", Unit.PERCENT, partial(OneFunction.part, kind=kind, suite=suite))


def draw_figure6_1(_: JtestcraftInputs) -> Figure:
    """Draw the lines, branches and mutants of each function that either suite reaches or kills, as bars."""
    functions_of_packages = [functions_of(read_frozen(package.facts), package.of_class) for package in PACKAGES]
    heights = [len(functions) + 3 for functions in functions_of_packages]
    figure = Figure(figsize=(10, 0.24 * sum(heights) + 0.8), layout="constrained")
    rows = figure.subplots(len(PACKAGES), 3, sharey="row", gridspec_kw={"height_ratios": heights})
    for package, functions, row in zip(PACKAGES, functions_of_packages, rows, strict=True):
        for axes, kind in zip(row, KINDS, strict=True):
            _draw(axes, kind, functions)
        row[0].set_ylabel(package.module, fontsize=9)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, frameon=False)
    note = "Where there are no bars, there is nothing to count; a dot is 0 %."
    figure.supxlabel(note, fontsize=7.5, color="#555555")
    return figure


def _draw(axes: Axes, kind: str, functions: Sequence[OneFunction]) -> None:
    for shift, (suite, colour) in zip((-0.2, 0.2), COLOURS.items(), strict=True):
        bars = [(at, one.part(kind, suite)) for at, one in enumerate(functions)]
        drawn = [(at + shift, 100 * float(part)) for at, part in bars if isinstance(part, Fraction)]
        axes.barh([at for at, _ in drawn], [part for _, part in drawn], height=0.38, color=colour, label=suite)
        axes.plot([0.0 for _, part in drawn if not part], [at for at, part in drawn if not part], ".", color=colour)
    axes.set_yticks(range(len(functions)), [one.name for one in functions], fontsize=7)
    axes.set_ylim(len(functions) - 0.4, -0.6)
    axes.set_xlim(-2, 103)
    axes.set_title("mutants killed" if kind == "mutants" else f"{kind} covered", fontsize=9)
    axes.set_xlabel("[%]")
    axes.set_axisbelow(True)
    open_axes(axes, "x")


def _outer(name: str, of_class: str) -> str:
    """Return the method, or the function of the module, that contains a function."""
    parts = name.split(".<locals>")[0].split(".")
    return ".".join(parts[1:2] if parts[0] == of_class and len(parts) > 1 else parts[:1]) or "the module"
