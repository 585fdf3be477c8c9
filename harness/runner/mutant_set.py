"""A subject's mutant set: pinned, or derived with a type profile observed in the sandbox."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from harness import resources
from harness.errors import ManifestError, SourceError, SpecError
from harness.kernel.specs.described import mutated_scope
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import EquivalenceArgument, Mutant
from harness.model.subject import Subject
from harness.mutation.manifest import Manifest, manifest_of, read_equivalence, read_manifest, sample, write_manifest
from harness.mutation.operator_sets import OPERATOR_SETS, operator_set
from harness.mutation.program import TypeProfile, room_for
from harness.runner.observed_types import observe_types
from harness.runner.subjects import interface_of

if TYPE_CHECKING:
    from harness.mutation.reach import FunctionExtent

_derived: dict[tuple[str, str], tuple[Mutant, ...]] = {}
"""The subject that was asked for last, by its content hash and the operator set: the trials of an experiment ask for
the same set one after the other, and it takes seconds for a module of thousands of lines."""


def mutant_set(subject: Subject, operators: str = DEFAULT_OPERATORS) -> Manifest:
    """Return the set pinned for the subject's source and operator set; if none is, all viable mutants, derived.

    It is the same for every suite, generator, scope and order.

    Raises:
        ManifestError: only sets of other sources are pinned.
        UsageError: unknown operator set.
        SourceError: the mutator finds nothing to mutate.
    """
    pinned = pinned_set(subject, operators)
    return pinned or manifest_of(*_chosen(subject, derive_mutants(subject, operators), None, 0))


def pinned_set(subject: Subject, operators: str) -> Manifest | None:
    """Return the set pinned for the subject's source and the operator set, if any is pinned.

    Raises:
        ManifestError: only sets of other sources are pinned.
        UsageError: unknown operator set.
    """
    chosen = operator_set(operators)
    stale: ManifestError | None = None
    for folder in resources.mutants_folders(subject):
        try:
            manifest = read_manifest(folder / chosen.name, subject)
        except ManifestError as error:
            stale = stale or error
            continue
        if manifest is not None:
            return manifest
    if stale is not None:
        raise stale
    return None


def equivalence_arguments(subject: Subject) -> tuple[EquivalenceArgument, ...]:
    """Return the arguments kept with the pinned sets, for mutants of any set, from the first folder that has any."""
    for folder in resources.mutants_folders(subject):
        arguments = read_equivalence(folder, pinned_ids(folder, subject))
        if arguments:
            return arguments
    return ()


def pinned_ids(folder: Path, subject: Subject) -> frozenset[str]:
    """Return the ids of all mutants, also excluded ones, that the folder has for the subject's source in any set."""
    manifests = [read_manifest(folder / operators.name, subject) for operators in OPERATOR_SETS.values()]
    return frozenset[str]().union(*(manifest.ids for manifest in manifests if manifest is not None))


def pin(subject: Subject, size: int | None, seed: int, operators: str = DEFAULT_OPERATORS) -> tuple[Manifest, Path]:
    """Derive the subject's mutants, and pin a sample of `size` (default: all viable ones) below ./mutants."""
    return pin_mutants(subject, derive_mutants(subject, operators), size, seed, operators)


def pin_mutants(
    subject: Subject, derived: list[Mutant], size: int | None, seed: int, operators: str
) -> tuple[Manifest, Path]:
    """Pin a sample of `derived` mutants, like `pin`."""
    folder = Path("mutants") / subject.pinned_name / operator_set(operators).name
    manifest = manifest_of(*_chosen(subject, derived, size, seed))
    return manifest, write_manifest(folder, subject.source_hash, manifest)


def derive_mutants(subject: Subject, operators: str = DEFAULT_OPERATORS) -> list[Mutant]:
    """Return all mutants of the subject by the operators of that set, with types as observed by `observe_types`."""
    from harness.mutation.mutate import derive

    chosen = operator_set(operators)
    key = subject.content_hash, chosen.name
    if key not in _derived:
        with room_for(subject):
            mutants = derive(subject, mutated_targets(subject), observe_types(subject), chosen)
        _derived.clear()
        _derived[key] = tuple(mutants)
    return list(_derived[key])


def mutated_targets(subject: Subject) -> tuple[str, ...]:
    """Qualified names of the targets that are functions of the implementation: none, where a driver calls it.

    They are the targets at the spec's `profile_scope`, or at scope 1.
    """
    from harness.mutation.reach import target_names

    return () if subject.is_driven else target_names(interface_of(subject, mutated_scope(subject.profile_scope)))


def check_targets(subject: Subject, scope: int) -> None:
    """Refuse a scope with other targets than those that are mutated.

    Raises:
        SpecError: it has more.
    """
    from harness.mutation.reach import target_names

    mutated = mutated_scope(subject.profile_scope)
    here, there = (target_names(interface_of(subject, one)) for one in (scope, mutated))
    if more := [name for name in here if name not in there]:
        raise SpecError(
            f"{subject.spec_path}: scope {scope} has the target {more[0]}, which scope {mutated} has not, so it would "
            f"not be mutated; name the same targets at all scopes, or set profile_scope = {scope}"
        )


def mutated_functions(subject: Subject) -> dict[str, FunctionExtent]:
    """Return the targets and helpers, which are mutated and covered; observe types only if needed.

    They are not needed if the source text determines all receivers, or a pinned set mutates all possible helpers.
    """
    from harness.mutation.reach import reachable

    names = mutated_targets(subject)
    widest = reachable(subject.source, names, subject.helpers)
    doubtful = widest.keys() - reachable(subject.source, names, subject.helpers, TypeProfile())
    if doubtful and not doubtful <= _pinned_functions(subject):
        return reachable(subject.source, names, subject.helpers, observe_types(subject))
    return widest


def _pinned_functions(subject: Subject) -> set[str]:
    """Return the functions that have mutants in any pinned set."""
    functions: set[str] = set()
    for operators in OPERATOR_SETS.values():
        with suppress(ManifestError):
            if pinned := pinned_set(subject, operators.name):
                functions.update(mutant.function for mutant in (*pinned.mutants, *pinned.excluded))
    return functions


def _chosen(subject: Subject, derived: list[Mutant], size: int | None, seed: int) -> tuple[list[Mutant], list[Mutant]]:
    chosen = sample(derived, len(derived) if size is None else size, seed)
    if not chosen:
        raise SourceError(
            f"{subject.source_path}: the mutator finds nothing to mutate in the target methods and their helpers; "
            "choose other targets or another operator set"
        )
    return derived, chosen
