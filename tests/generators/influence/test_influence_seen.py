"""The text predicts every influence that executions show."""

from dataclasses import replace

import pytest
from support.sequence_suites import task_of

from harness.generators.influence.candidate import PartialOrder
from harness.generators.influence.enumeration import CandidateEnumeration
from harness.generators.influence.influence import influence_of
from harness.generators.policies.css.options import Options
from harness.generators.policies.css.production import Production
from harness.kernel.program.loader import ModuleText
from harness.runner.subjects import load_subject

EVERYTHING = Options(data_flow=False, partial_order=PartialOrder.NO, influence=False, paths=20, length=4)


def pairs_seen(name: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the pairs of routines that influenced each other on paths of all sequences, and those predicted by the
    text.
    """
    text = ModuleText.of(load_subject(name))
    task = replace(task_of(name, 2), text=text)
    seen: set[tuple[int, int]] = set()

    unknown = influence_of([], task.bounds)

    def candidates(target: int) -> CandidateEnumeration:
        return CandidateEnumeration(unknown, task.bounds.routines, target, 4, EVERYTHING.switches())

    exploration = Production(task, EVERYTHING, candidates).exploration
    for target in range(len(task.bounds.routines)):
        enumeration = candidates(target)
        for candidate in enumeration:
            calls, paths = candidate.calls, list(exploration.paths(candidate))
            seen.update((calls[at].target, calls[later].target) for path in paths for at, later in path.influences)
            impassable = None if paths else exploration.impassable()
            if impassable is not None:
                enumeration.leave_out(calls[:impassable])
    influenced_by = influence_of([(text.name, text.source)], task.bounds).direct
    return seen, {(at, later) for at, influenced in enumerate(influenced_by) for later in influenced}


@pytest.mark.parametrize(
    "name",
    ["jtc_int_stack", "jtc_ub_stack", "jtc_bin_search_tree", "jtc_tree_map", "jtc_linked_list", "jtc_binomial_heap"],
)
def test_on_the_classes_of_chapter_6_executions_show_what_the_text_tells_and_no_more(name):
    seen, derived = pairs_seen(name)
    assert seen == derived


@pytest.mark.parametrize("name", ["hash_set", "linked_list", "red_black_tree", "node_caching_list"])
def test_executions_show_no_influence_that_the_text_does_not_tell(name):
    seen, derived = pairs_seen(name)
    assert seen
    assert seen <= derived
