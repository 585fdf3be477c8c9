"""A subject's mutant set: pinned, or derived anew from a type profile observed in the sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness import resources
from harness.errors import ManifestError, MutascopeError, UsageError
from harness.generators.job import patience
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import RunJob
from harness.model.experiment import DEFAULT_OPERATORS, Trial
from harness.model.interface import Interface
from harness.model.mutant import EquivalenceArgument, Mutant, OperatorSet
from harness.model.subject import Subject
from harness.mutation.depth import room_for
from harness.mutation.equivalence import read_equivalence
from harness.mutation.manifest import Manifest, manifest_of, read_manifest, write_manifest
from harness.mutation.operator_sets import OPERATOR_SETS, operator_set
from harness.mutation.profile import TypeProfile
from harness.mutation.sample import sample
from harness.runner.logs import LOGGER
from harness.runner.progress import progress_count
from harness.runner.subjects import has_finitization, interface_of
from harness.runner.suites import TooLarge, bounded_suite, ensure_suite
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener
from harness.sandbox.process import SandboxedProcess, WorkerDied

if TYPE_CHECKING:
    from harness.mutation.reach import FunctionExtent

PROFILE_SCOPE = 4
"""Largest scope of a suite on which types are observed: it reaches every statement of the subjects, or nearly."""

MOST_OBSERVED = 100_000
"""Candidates and inputs of such a suite at the most, but at scope 1: seconds, where no scope needs to be so large."""

_observed: dict[tuple[str, int], TypeProfile] = {}
"""By the subject's content hash and the scope that was asked for."""

_derived: dict[tuple[str, str, int], tuple[Mutant, ...]] = {}
"""The subject that was asked for last, by its content hash, the operator set and the scope: the trials of an experiment
ask for the same set one after the other, and it takes seconds for a module of thousands of lines."""


@dataclass(frozen=True)
class MutantSet:
    """The mutants to run, those listed but not run, and whether they were pinned."""

    manifest: Manifest
    pinned: bool

    @property
    def mutants(self) -> Sequence[Mutant]:
        """Those to run."""
        return self.manifest.mutants


def mutant_set(subject: Subject, operators: str = DEFAULT_OPERATORS, scope: int = PROFILE_SCOPE) -> MutantSet:
    """The set pinned for the subject's source and operator set; where none is, all viable mutants, derived.

    Args:
        scope: the largest that is asked for; types are observed on no larger one.

    Raises:
        ManifestError: only sets of other sources are pinned, or one without an operator set.
        UsageError: unknown operator set, or the mutator finds nothing to mutate.
    """
    pinned = _pinned(subject, operator_set(operators))
    if pinned is not None:
        return MutantSet(pinned, pinned=True)
    return MutantSet(manifest_of(*_chosen(derive_mutants(subject, operators, scope), None, 0)), pinned=False)


def _pinned(subject: Subject, chosen: OperatorSet) -> Manifest | None:
    """The set pinned for the subject's source and the operator set, if any is pinned.

    Raises:
        ManifestError: only sets of other sources are, or one without an operator set.
    """
    stale: ManifestError | None = None
    for folder in resources.mutants_folders(subject):
        try:
            manifest = read_manifest(_of_set(folder, chosen), subject)
        except ManifestError as error:
            stale = stale or error
            continue
        if manifest is not None:
            return manifest
    if stale is not None:
        raise stale
    return None


def _of_set(folder: Path, operators: OperatorSet) -> Path:
    """The folder of one operator set's pinned mutants.

    Raises:
        ManifestError: mutants are pinned in `folder` itself, as was done before there were operator sets.
    """
    without = sorted(path.name for path in folder.glob("*.jsonl"))
    if without:
        raise ManifestError(
            f"{folder / without[0]}: pinned without an operator set; remove it, and pin anew: "
            f"mutascope mutate {folder.name} --pin --operators NAME"
        )
    return folder / operators.name


def equivalence_arguments(subject: Subject) -> tuple[EquivalenceArgument, ...]:
    """The arguments kept beside the pinned sets, for mutants of any of them, from the first folder that has any."""
    for folder in resources.mutants_folders(subject):
        found = read_equivalence(folder, pinned_ids(folder, subject))
        if found:
            return found
    return ()


def pinned_ids(folder: Path, subject: Subject) -> frozenset[str]:
    """Ids of all mutants, excluded ones included, that the folder holds for the subject's source in any set."""
    manifests = [read_manifest(_of_set(folder, operators), subject) for operators in OPERATOR_SETS.values()]
    return frozenset[str]().union(*(manifest.ids for manifest in manifests if manifest is not None))


def pin(
    subject: Subject,
    size: int | None,
    seed: int,
    operators: str = DEFAULT_OPERATORS,
    scope: int = PROFILE_SCOPE,
) -> tuple[Manifest, Path]:
    """Derives the subject's mutants and pins a sample of `size` (all viable ones by default) below ./mutants."""
    folder = _of_set(Path("mutants") / subject.name, operator_set(operators))
    manifest = manifest_of(*_chosen(derive_mutants(subject, operators, scope), size, seed))
    return manifest, write_manifest(folder, subject.source_hash, manifest)


def derive_mutants(subject: Subject, operators: str = DEFAULT_OPERATORS, scope: int = PROFILE_SCOPE) -> list[Mutant]:
    """All mutants of the subject by the operators of that set, with types observed at `scope` or below."""
    from harness.mutation.derive import derive

    chosen = operator_set(operators)
    key = subject.content_hash, chosen.name, min(scope, PROFILE_SCOPE)
    if key not in _derived:
        with room_for(subject):
            types = observe_types(subject, scope)
            found = derive(subject, mutated_targets(subject, interface_of(subject, key[2])), types, chosen)
        _derived.clear()
        _derived[key] = tuple(found)
    return list(_derived[key])


def mutated_targets(subject: Subject, interface: Interface) -> tuple[str, ...]:
    """Qualified names of the targets that are functions of the implementation: none, where a driver calls it."""
    from harness.mutation.reach import target_names

    return () if subject.is_driven else target_names(interface)


def mutated_functions(subject: Subject, targets: Iterable[str], scope: int) -> dict[str, FunctionExtent]:
    """Targets and helpers, which are mutated and covered; types are observed, at `scope` or below, only where needed.

    They are not where the text tells all receivers, nor where a pinned set mutates all that may be helpers.
    """
    from harness.mutation.reach import reachable

    names = tuple(targets)
    widest = reachable(subject.source, names, subject.helpers)
    doubtful = widest.keys() - reachable(subject.source, names, subject.helpers, TypeProfile())
    if doubtful and not doubtful <= _pinned_functions(subject):
        return reachable(subject.source, names, subject.helpers, observe_types(subject, scope))
    return widest


def _pinned_functions(subject: Subject) -> set[str]:
    """Functions that have mutants in any pinned set."""
    found: set[str] = set()
    for operators in OPERATOR_SETS.values():
        with suppress(ManifestError):
            if pinned := _pinned(subject, operators):
                found.update(mutant.function for mutant in (*pinned.mutants, *pinned.excluded))
    return found


def observe_types(subject: Subject, scope: int = PROFILE_SCOPE) -> TypeProfile:
    """Runs the original on a suite under observation, in the sandbox; once for each scope that is asked for.

    The suite is Korat's (BEAPI's, of a spec that has sequences only) at the largest scope, `scope` and PROFILE_SCOPE
    at the most, of no more than MOST_OBSERVED candidates and inputs, or at scope 1.

    Raises:
        MutascopeError: the suite cannot be made, or the original does not load or end.
    """
    key = subject.content_hash, min(scope, PROFILE_SCOPE)
    if key not in _observed:
        _observed[key] = _observe(subject, _suite_to_observe(subject, key[1]))
    return _observed[key]


def _suite_to_observe(subject: Subject, scope: int) -> SuiteReader:
    generator = "korat" if has_finitization(subject) else "beapi"
    for smaller in range(scope, 1, -1):
        try:
            return bounded_suite(subject, Trial(subject.name, generator, smaller), MOST_OBSERVED)
        except TooLarge:
            LOGGER.info("%s: types are observed below scope %d, which is too large", subject.name, smaller)
    return ensure_suite(subject, Trial(subject.name, generator, 1))


def _observe(subject: Subject, suite: SuiteReader) -> TypeProfile:
    scope = suite.header.scope
    job = RunJob.of(subject, suite)
    with own_folder() as folder, progress_count(f"observe types of {subject.name} at scope {scope}") as shown:
        path = folder / "job.json"
        job.write(path)
        with SandboxedProcess("harness.kernel.running.profiling", str(path), readable=[path, suite.folder]) as child:
            try:
                listener = Listener(child, patience())
                while "profile" not in (fact := listener.fact()):
                    shown(str(fact["progress"]))
            except WorkerDied as death:
                raise MutascopeError(
                    f"{subject.name}: the original, run on its suite of scope {scope} to observe types, "
                    f"failed {' '.join(death.how.split())}; correct {subject.source_path}"
                ) from None
    for target, said in sorted(fact["refused"].items()):
        LOGGER.warning(
            "%s: target %r raises TypeError on every input tried at scope %d (%s); correct its arguments in %s",
            subject.name, target, scope, said, subject.spec_path,
        )  # fmt: skip
    return TypeProfile.from_json(fact["profile"])


def _chosen(derived: list[Mutant], size: int | None, seed: int) -> tuple[list[Mutant], list[Mutant]]:
    chosen = sample(derived, len(derived) if size is None else size, seed)
    if not chosen:
        raise UsageError("the mutator finds nothing to mutate in the target methods and their helpers")
    return derived, chosen
