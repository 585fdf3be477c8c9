"""Derives a subject's mutants, each with its status."""

from __future__ import annotations

from collections.abc import Iterable

from harness.model.mutant import Mutant, OperatorSet
from harness.model.subject import Subject
from harness.mutation.algebra import without_equals
from harness.mutation.filters import classify
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import FERASTRAU, operators_of
from harness.mutation.profile import TypeProfile
from harness.mutation.reach import reachable


def derive(
    subject: Subject, targets: Iterable[str], profile: TypeProfile, operators: OperatorSet = FERASTRAU
) -> list[Mutant]:
    """Return all mutants of the subject's target methods and helpers by the operators of a set, in source order.

    Args:
        targets: qualified names, as `harness.mutation.reach.target_names` gives them.
        profile: types observed on a small scope, for values without annotations; they also determine the helpers.

    Raises:
        SpecError: a target or helper is not in the implementation.
        SourceError: the implementation does not parse.
    """
    functions = reachable(subject.source, targets, subject.helpers, profile)
    mutants = mutate(subject.source, functions, profile, operators_of(operators))
    return without_equals(subject.source, classify(subject.source, mutants), profile)
