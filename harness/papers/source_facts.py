"""Measures the facts in Table 1 of exhaustive2003 about a benchmark from its source text and mutant set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.mutant import MutantStatus
from harness.model.subject import Subject
from harness.mutation.reach import target_names
from harness.runner.mutant_set import mutant_set, mutated_functions
from harness.runner.subjects import interface_of, load_subjects


@dataclass(frozen=True)
class SubjectFacts:
    """One row of Table 1: names without the class of the root; counts over all functions named.

    `ncnb_lines` are lines that are neither comment (or docstring) nor blank; for `branching_points` and
    `branching_statements` see `FunctionExtent`; `mutants` of `viable` ones are in the set that is run.
    """

    title: str
    targets: tuple[str, ...]
    helpers: tuple[str, ...]
    ncnb_lines: int
    branching_points: int
    branching_statements: int
    mutants: int
    viable: int


def subject_facts(names: Iterable[str], operators: str = DEFAULT_OPERATORS) -> list[SubjectFacts]:
    """Return the facts of subjects, by their names or paths, as an operator set mutates them.

    Raises:
        MutascopeError: as loading the subjects and their mutants.
    """
    subjects = load_subjects({name: [1] for name in names}, mutated=True)
    return [_facts_of(subject, operators) for subject in subjects.values()]


def _facts_of(subject: Subject, operators: str) -> SubjectFacts:
    interface = interface_of(subject, 1)
    targets = target_names(interface)
    extents = mutated_functions(subject)
    prefix = f"{interface.root}."
    pinned = mutant_set(subject, operators).manifest
    return SubjectFacts(
        title=subject.title,
        targets=tuple(target.removeprefix(prefix) for target in targets),
        helpers=tuple(helper.removeprefix(prefix) for helper in extents if helper not in targets),
        ncnb_lines=sum(extent.code_lines for extent in extents.values()),
        branching_points=sum(extent.branching_points for extent in extents.values()),
        branching_statements=sum(extent.branching_statements for extent in extents.values()),
        mutants=len(pinned.mutants),
        viable=len(pinned.mutants) + sum(one.status is MutantStatus.VIABLE for one in pinned.excluded),
    )
