"""Defines the runs that the audit verifies: generators with their options, by kind of run."""

from __future__ import annotations

from dataclasses import dataclass

from harness.generators.policies.korat.dedicated import PREDICATE
from harness.model.subject import Subject

STATES = "def finitization("
SEQUENCES = "def sequences("
CRITERION = "def eq_class("
INVARIANT = "def invariant("

WRITTEN = "written tests"

_MILLIONS = ("directed_graph", "weighted_directed_graph")
"""Subjects that have millions of inputs at scope 3."""


@dataclass(frozen=True)
class Round:
    """The options of `mutascope run` that subjects have in a round.

    `needs` stands in the spec of each subject that the generator can be used with. `small` is the one subject at small
    scope. A round with a `project`, flat or src, is of a pytest suite. So is a round of the generator `WRITTEN`: of the
    tests that `mutascope suite` writes of sequences of a subject. `too_large` names the subjects whose run or
    verification does not end within `LONGEST`.
    """

    generator: str
    options: tuple[str, ...]
    small: str = ""
    needs: str = STATES
    project: str = ""
    too_large: tuple[str, ...] = ()

    def of(self, subject: Subject) -> tuple[str, ...] | None:
        """Return the options for a subject; None if it cannot be used, or has too many inputs."""
        if self.needs not in subject.spec_source or subject.pinned_name in self.too_large:
            return None
        if self.generator == WRITTEN:
            alone = not (subject.installed or subject.companions or subject.is_driven)
            return self.of_project(subject.module) if alone else None
        if "3" in self.options and subject.name in _MILLIONS:
            return None
        if subject.is_driven and "1" not in self.options:
            return None  # an input of rope takes 25 ms, and each mutant of scope 2 has 1,500: most of a minute
        return ("--subject", subject.pinned_name, "--generator", self.generator, *self.options)

    def of_project(self, target: str) -> tuple[str, ...]:
        """Return the options for a module of a project."""
        return ("--target", target, "--tests", "tests", *self.options)


_ROUNDS = {
    "states": (
        Round("korat", ("--scope", "1-2"), "sorted_list"),
        Round("korat", ("--scope", "2", "--matrix"), "tree_map"),
        Round("korat", ("--scope", "2", "--metamutants"), "heap_array"),
        Round("korat", ("--scope", "3"), "search_tree"),
        Round("korat", ("--scope", "2", "--concrete"), "disj_set_checked"),
        Round("korat", ("--scope", "3", "--matrix"), "sorted_list"),
        Round("korat", ("--scope", "2", "--operators", "mujava"), "jtc_heap_array"),
        Round("korat", ("--scope", "2", "--oracles", "differential", "public"), "linked_list"),
        Round("korat-dedicated", ("--scope", "2"), "search_tree", PREDICATE),
        Round("korat-outcome", ("--scope", "2"), "heap_array"),
        Round("korat-plus", ("--scope", "3"), "list_as_set", CRITERION),
        Round("one-per-class", ("--scope", "3", "--matrix"), "search_tree_delete", CRITERION),
        Round("brute-force", ("--scope", "1"), "sorted_list"),
        Round("hypothesis:50", ("--scope", "2", "--seed", "7"), "search_tree"),
    ),
    "sequences": (
        Round("beapi", ("--scope", "2"), "fibonacci_heap", SEQUENCES),
        Round("beapi", ("--scope", "2", "--matrix", "--sequences", "snapshot"), "linked_list", SEQUENCES),
        Round("beapi-sm", ("--scope", "2", "--observe", "every-call"), "containers/binary_tree", SEQUENCES),
        Round("rostra", ("--scope", "2"), "real/priority_queue", SEQUENCES, too_large=("real/pvector",)),
        Round("rostra", ("--scope", "2", "--sequences", "snapshot"), "linked_list", SEQUENCES),
        Round("random:200", ("--scope", "3", "--seed", "7"), "heap_array", SEQUENCES),
        Round("random:200", ("--scope", "2", "--matrix"), "sorted_list", SEQUENCES),
        Round("hypothesis-stateful:20", ("--scope", "2"), "search_tree", SEQUENCES),
    ),
    "symbolic": (
        Round("symstra", ("--scope", "3"), "search_tree", SEQUENCES),
        Round("symstra:values=boundary", ("--scope", "2", "--matrix"), "jtc_int_stack", SEQUENCES),
        Round("symstra", ("--scope", "2", "--sequences", "snapshot"), "sorted_list", SEQUENCES),
        Round("css", ("--scope", "2"), "jtc_ub_stack", SEQUENCES),
        Round(
            "css",
            ("--scope", "3", "--matrix"),
            "search_tree",
            SEQUENCES,
            too_large=("containers/sorted_set", "containers/dllist"),
        ),
        Round(
            "css:partial_order=no",
            ("--scope", "2", "--sequences", "snapshot"),
            "sorted_list",
            SEQUENCES,
            too_large=("real/normal_dist",),
        ),
    ),
    "solver": (
        Round("field-exhaustive", ("--scope", "3"), "field_search_tree", INVARIANT),
        Round("field-exhaustive:reduce=minimal", ("--scope", "2", "--matrix"), "field_sorted_list", INVARIANT),
        Round("sat-exhaustive", ("--scope", "2"), "field_tree_set", INVARIANT),
        Round("sat-exhaustive:instances=50", ("--scope", "3", "--matrix"), "field_sorted_list", INVARIANT),
    ),
    "pytest": (
        Round("pytest", ("--matrix",), project="flat"),
        Round("pytest", ("--operators", "extended"), project="src"),
        Round("pytest", ("--operators", "mujava", "--matrix"), project="src"),
        Round(WRITTEN, ("--matrix",), "search_tree", SEQUENCES),
    ),
}

ROUNDS = {f"{kind} {number}": one for kind, rounds in _ROUNDS.items() for number, one in enumerate(rounds, start=1)}
"""The rounds by the name of their piece of the audit."""
