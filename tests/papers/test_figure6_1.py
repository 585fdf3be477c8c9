"""A suite of people beside one of css: what is counted of a made-up run, and what the frozen facts say."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pandas as pd
from support.run_samples import frames_of_rows, trial_row

from harness.analysis.frames import RunFrames
from harness.analysis.frozen import read_frozen
from harness.papers.jtestcraft2010.figures import figure6_1
from harness.papers.jtestcraft2010.tables import (
    FRACTIONS,
    MODULE,
    NONE_THERE,
    RB_TREE,
    OneFunction,
    functions_of,
)


def frames_of(coverage: list[tuple[Any, ...]], kills: dict[str, str]) -> RunFrames:
    """Two trials; `kills` has by mutant of function f the suites that kill it."""
    frames = frames_of_rows([trial_row("m", suite, 1, trial=suite) for suite in ("people", "css")])
    columns = ["trial", "kind", "function", "statements", "statements_executed", "branches", "branches_executed"]
    results = [
        {"mutant": mutant, "trial": suite, "function": "f", "verdict": "killed" if suite in by else "survived"}
        for mutant, by in kills.items()
        for suite in ("people", "css")
        if f"no {suite}" not in by
    ]
    return replace(frames, coverage=pd.DataFrame(coverage, columns=columns), results=pd.DataFrame(results))


def reached(function: OneFunction, kind: str) -> dict[str, int]:
    return {suite: function.counts[kind, suite][1] for suite in ("people", "css")}


def test_lines_branches_and_mutants_are_counted_by_function_with_what_is_within():
    coverage = [
        ("people", "code", "C.f", 4, 4, 2, 1), ("people", "code", "C.f.within", 2, 2, 0, 0),
        ("css", "code", "C.f", 4, 3, 2, 2), ("css", "code", "C.f.within", 2, 0, 0, 0),
    ]  # fmt: skip
    whole, first, *_ = functions_of(frames_of(coverage, {"a": "people", "b": "people css", "c": ""}), "D")
    assert (whole.name, first.name) == (MODULE, "C")
    assert (whole.part("lines", "people"), whole.part("lines", "css")) == (1, Fraction(1, 2))
    assert (whole.part("branches", "people"), whole.part("branches", "css")) == (Fraction(1, 2), 1)
    assert (whole.part("mutants", "people"), whole.part("mutants", "css")) == (Fraction(2, 3), Fraction(1, 3))


def test_mutants_that_one_suite_alone_was_run_against_do_not_count():
    whole = functions_of(frames_of([], {"a": "people", "b": "no people css"}), "D")[0]
    assert (whole.total("mutants"), whole.part("mutants", "css"), whole.part("lines", "css")) == (1, 0, NONE_THERE)


def test_css_reaches_and_kills_less_of_fractions_than_people_and_some_that_they_do_not():
    frames = read_frozen(FRACTIONS.facts)
    whole, *functions = functions_of(frames, FRACTIONS.of_class)
    assert (whole.total("lines"), whole.total("branches"), whole.total("mutants")) == (303, 128, 1650)
    assert reached(whole, "lines") == {"people": 303, "css": 200}
    assert reached(whole, "branches") == {"people": 128, "css": 51}
    assert reached(whole, "mutants") == {"people": 1411, "css": 980}
    assert sum(one.total("mutants") for one in functions) == whole.total("mutants")
    killed = frames.results[frames.results["verdict"] == "killed"].merge(frames.trials[["trial", "title"]], on="trial")
    by = killed.groupby("mutant")["title"].agg(set)
    both = set(frames.results["mutant"][frames.results["mutant"].duplicated()])
    assert sum(mutant in both and suites == {"css"} for mutant, suites in by.items()) == 37


def test_css_reaches_most_of_a_red_black_tree_and_kills_nothing_that_people_do_not():
    frames = read_frozen(RB_TREE.facts)
    whole = functions_of(frames, RB_TREE.of_class)[0]
    assert (whole.total("lines"), reached(whole, "lines")) == (129, {"people": 128, "css": 115})
    assert (whole.total("branches"), reached(whole, "branches")) == (44, {"people": 41, "css": 35})
    assert (whole.total("mutants"), reached(whole, "mutants")) == (464, {"people": 335, "css": 254})
    killed = frames.results[frames.results["verdict"] == "killed"].merge(frames.trials[["trial", "title"]], on="trial")
    both = set(frames.results["mutant"][frames.results["mutant"].duplicated()])
    by = killed[killed["mutant"].isin(both)].groupby("mutant")["title"].agg(set)
    assert not any(suites == {"css"} for suites in by)


def test_the_figure_has_lines_branches_and_mutants_side_by_side_of_each_module():
    figure = figure6_1(None)  # type: ignore[arg-type]
    assert [axes.get_title() for axes in figure.axes] == 2 * ["lines covered", "branches covered", "mutants killed"]
    assert [axes.get_ylabel() for axes in figure.axes[::3]] == [FRACTIONS.module, RB_TREE.module]
