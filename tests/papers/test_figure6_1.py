"""A suite of people beside one of css: what is counted of a made-up run, and what the frozen facts say."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from support.run_samples import frames_of_rows, trial_row

from harness.analysis.frames import RunFrames
from harness.analysis.frozen import read_frozen
from harness.papers.jtestcraft2010.figure6_1 import (
    ALL,
    FRACTIONS,
    NONE_THERE,
    RB_TREE,
    Counter,
    draw_figure6_1,
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


def test_lines_branches_and_mutants_are_counted_by_function_with_what_is_within():
    coverage = [
        ("people", "code", "C.f", 4, 4, 2, 1), ("people", "code", "C.f.within", 2, 2, 0, 0),
        ("css", "code", "C.f", 4, 3, 2, 2), ("css", "code", "C.f.within", 2, 0, 0, 0),
    ]  # fmt: skip
    whole, first, *_ = functions_of(frames_of(coverage, {"a": "people", "b": "people css", "c": ""}), "D")
    assert (whole.name, first.name) == (ALL, "C")
    assert (whole.lines.part("people"), whole.lines.part("css")) == (1, Fraction(1, 2))
    assert (whole.branches.part("people"), whole.branches.part("css")) == (Fraction(1, 2), 1)
    assert (whole.mutants.part("people"), whole.mutants.part("css")) == (Fraction(2, 3), Fraction(1, 3))


def test_mutants_that_one_suite_alone_was_run_against_do_not_count():
    whole = functions_of(frames_of([], {"a": "people", "b": "no people css"}), "D")[0]
    assert (whole.mutants.total, whole.mutants.part("css"), whole.lines.part("css")) == (1, 0, NONE_THERE)


def test_suites_that_were_not_measured_on_the_same_are_not_set_beside_each_other():
    counter = Counter()
    counter.add("people", 3, 1)
    with pytest.raises(ValueError, match="different totals"):
        counter.counted()


def test_css_reaches_and_kills_less_of_fractions_than_people_and_some_that_they_do_not():
    frames = read_frozen(FRACTIONS.facts)
    whole, *functions = functions_of(frames, FRACTIONS.of_class)
    assert (whole.lines.total, whole.branches.total, whole.mutants.total) == (303, 128, 1650)
    assert whole.lines.reached == {"people": 303, "css": 200}
    assert whole.branches.reached == {"people": 128, "css": 51}
    assert whole.mutants.reached == {"people": 1411, "css": 980}
    assert sum(one.mutants.total for one in functions) == whole.mutants.total
    killed = frames.results[frames.results["verdict"] == "killed"].merge(frames.trials[["trial", "title"]], on="trial")
    by = killed.groupby("mutant")["title"].agg(set)
    both = set(frames.results["mutant"][frames.results["mutant"].duplicated()])
    assert sum(mutant in both and suites == {"css"} for mutant, suites in by.items()) == 37


def test_css_reaches_most_of_a_red_black_tree_and_kills_nothing_that_people_do_not():
    frames = read_frozen(RB_TREE.facts)
    whole = functions_of(frames, RB_TREE.of_class)[0]
    assert (whole.lines.total, whole.lines.reached) == (129, {"people": 128, "css": 115})
    assert (whole.branches.total, whole.branches.reached) == (44, {"people": 41, "css": 35})
    assert (whole.mutants.total, whole.mutants.reached) == (464, {"people": 335, "css": 254})
    killed = frames.results[frames.results["verdict"] == "killed"].merge(frames.trials[["trial", "title"]], on="trial")
    both = set(frames.results["mutant"][frames.results["mutant"].duplicated()])
    by = killed[killed["mutant"].isin(both)].groupby("mutant")["title"].agg(set)
    assert not any(suites == {"css"} for suites in by)


@pytest.mark.end_to_end
def test_the_figure_has_lines_branches_and_mutants_side_by_side_of_each_module():
    figure = draw_figure6_1(None)  # type: ignore[arg-type]
    assert [axes.get_title() for axes in figure.axes] == 2 * ["lines covered", "branches covered", "mutants killed"]
    assert [axes.get_ylabel() for axes in figure.axes[::3]] == [FRACTIONS.module, RB_TREE.module]
