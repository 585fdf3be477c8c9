"""Symstra's suites reach as many condition outcomes as jtestcraft2010 prints of it in Table 6.2."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sequence_suites import suite_of

from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.runner.subjects import load_subject


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "calls", "reached", "of", "printed"),
    [
        ("jtc_int_stack", 6, 9, 9, 100),
        ("jtc_ub_stack", 6, 13, 13, 100),
        ("jtc_linked_list", 5, 12, 12, 100),
        ("jtc_heap_array", 7, 29, 29, 100),
        ("jtc_binomial_heap", 8, 64, 70, 91),
        pytest.param("jtc_bin_search_tree", 6, 34, 34, 100, marks=pytest.mark.slow),
        pytest.param("jtc_tree_map", 7, 143, 170, 84, marks=pytest.mark.slow),
    ],
)
def test_the_outcomes_reached_are_those_that_the_paper_prints(
    name: str, calls: int, reached: int, of: int, printed: int, tmp_path: Path
) -> None:
    matrix = outcomes_of_suite(load_subject(name), suite_of(tmp_path / "suite", "symstra", name, calls))
    own = matrix.of_class
    assert (int((matrix.reached_by() & own).sum()), int(own.sum())) == (reached, of)
    assert round(100 * reached / of) == printed
