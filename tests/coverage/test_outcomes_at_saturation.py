"""Which condition outcomes of the subjects of jtestcraft2010 are reached where more calls reach no more of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sequence_suites import loaded, suite_of

from harness.analysis.known_outcomes import outcomes_of_suite, telling_program
from harness.coverage.outcomes import Outcomes
from harness.kernel.program.loader import ModuleText, execute
from harness.runner.subjects import load_subject

INFEASIBLE = {
    "jtc_binomial_heap": {
        "BinomialHeap.extract_min: children is not None is False",
        "BinomialHeap.extract_min: self.nodes is not None is False",
        "BinomialHeap._decrease: node.key < parent.key is False",
        "BinomialHeap._merge: mine.sibling is None is True",
    },
    "jtc_tree_map": {
        "TreeMap._successor: entry is None is True",
        "TreeMap._successor: entry.right is not None is False",
        *(f"TreeMap._successor: above is not None is {value}" for value in (True, False)),
        *(f"TreeMap._successor: below is above.right is {value}" for value in (True, False)),
        *(f"TreeMap._{name}_of: entry is None is True" for name in ("parent", "left", "right")),
        "TreeMap._set_color: entry is not None is False",
        "TreeMap._fix_after_insertion: entry is not None is False",
        "TreeMap._fix_after_insertion: parent_of(parent_of(entry)) is not None is False",
        "TreeMap._delete_entry: entry.color == BLACK is False",
        "TreeMap._delete_entry: entry.parent is not None is False",
        "TreeMap._delete_entry: entry is entry.parent.right is False",
        "TreeMap._swap_position: one_parent is not None is False",
        "TreeMap._swap_position: one is other_parent is True",
        *(f"TreeMap._swap_position: other_was_left is {value}" for value in (True, False)),
        "TreeMap._swap_position: one_was_left is True",
        "TreeMap._swap_position: one_was_left is False",
        "TreeMap._swap_position: one.left is not None is False",
        "TreeMap._swap_position: one.right is not None is False",
        "TreeMap._swap_position: other.left is not None is True",
        "TreeMap._swap_position: self.root is one is True",
    },
}
"""Outcomes that no calls reach, as `docs/jtestcraft2010.md` argues; some texts stand there twice."""

THIRTEEN = {"BinomialHeap._merge: previous is None is False"}
"""What takes a heap of thirteen nodes."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "generator", "scope", "reached", "of"),
    [
        ("jtc_int_stack", "random", 8, 9, 9),
        ("jtc_ub_stack", "rostra", 6, 13, 13),
        ("jtc_bin_search_tree", "rostra", 6, 34, 34),
        ("jtc_binomial_heap", "random", 16, 65, 70),
        ("jtc_linked_list", "rostra", 4, 12, 12),
        ("jtc_tree_map", "rostra", 7, 143, 170),
        ("jtc_heap_array", "random", 8, 29, 29),
    ],
)
def test_what_is_never_reached_is_what_cannot_be(
    name: str, generator: str, scope: int, reached: int, of: int, tmp_path: Path
) -> None:
    matrix = outcomes_of_suite(load_subject(name), suite_of(tmp_path / "suite", generator, name, scope))
    own = matrix.of_class
    assert (int((matrix.reached_by() & own).sum()), int(own.sum())) == (reached, of)
    missed = {
        f"{outcome.function}: {outcome.condition} is {outcome.value}" for outcome in matrix.missed() if outcome.of_class
    }
    assert missed == INFEASIBLE.get(name, set()) | (THIRTEEN if name == "jtc_binomial_heap" else set())


def test_a_heap_of_thirteen_nodes_reaches_the_last_outcome_of_binomial_heap() -> None:
    subject = load_subject("jtc_binomial_heap")
    program, _ = telling_program(subject, 2, sequences=True)
    outcomes = Outcomes()
    heap = execute(ModuleText.of(subject), program.code, outcomes.presets()).BinomialHeap()
    for key in (*range(10, 18), 1, 2, 3, 4, 20):  # trees of eight nodes, of four with the smallest key, and of one
        heap.insert(key)
    outcomes.begin()
    assert heap.extract_min() == 1
    reached = {
        f"{outcome.function}: {outcome.condition} is {outcome.value}"
        for outcome, bit in zip(program.outcomes, program.bits, strict=True)
        if outcomes.seen >> bit & 1
    }
    assert reached >= THIRTEEN
    spec, _ = loaded("jtc_binomial_heap")
    assert spec.rep_ok(heap)
    assert spec.abstraction(heap) == (2, 3, 4, *range(10, 18), 20)
