"""A subject with its spec loaded in the tests' own process, which the orchestrator never does."""

from types import ModuleType

from support.sweeps import WHOLE

from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.subject import Subject
from harness.resources import subject_folders
from harness.runner import subjects

MUCH_LIKE_OTHERS = {
    *("avl_tree", "parent_tree", "search_tree_delete", "tree_map_values", "tree_map_black_root", "av_tree"),
    *("binary_heap", "fib_heap", "disj_set_checked", "disj_set_fast", "binomial_heap_merge"),
    *("field_sorted_list", "field_search_tree", "field_tree_set", "field_binomial_heap"),
    *("jtc_int_stack", "jtc_ub_stack", "jtc_bin_search_tree", "jtc_binomial_heap", "jtc_linked_list", "jtc_tree_map"),
    "jtc_heap_array",
    *("linked_stack", "doubly_linked_list", "sentinel_list", "node_caching_list", "list_as_set"),
}
"""Subjects whose states are much like those of others."""

NOT_NESTED = {"directed_graph", "weighted_directed_graph"}
"""Subjects whose scopes are rows of a paper's table: none is part of the next one; the third has millions of states."""

NESTED = sorted(set(subject_folders()) - NOT_NESTED)

AT_SCOPES = [(name, scope) for scope in (1, 2, 3) for name in (NESTED if scope == 3 else sorted(subject_folders()))]

UNLIKE = [name for name in NESTED if name not in MUCH_LIKE_OTHERS or WHOLE]
"""What expensive tests are run with; `make thorough` has them run with all."""


def load_subject(name: str) -> tuple[Subject, Spec]:
    """Load a subject, by name or path, and its functions."""
    subject = subjects.load_subject(name)
    return subject, load_spec(subject.spec_source, str(subject.spec_path))


def loaded(name: str) -> tuple[Spec, ModuleType]:
    """Load the spec and the implementation of a subject."""
    subject, spec = load_subject(name)
    return spec, execute(ModuleText.of(subject))
