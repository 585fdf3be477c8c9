"""A subject's mutant set: pinned, or derived anew from a type profile observed in the sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness import resources
from harness.errors import ManifestError, MutascopeError, UsageError
from harness.generators.job import patience
from harness.kernel.job import RunJob
from harness.kernel.loader import ModuleText
from harness.model.experiment import DEFAULT_OPERATORS, Trial
from harness.model.mutant import EquivalenceArgument, Mutant, OperatorSet
from harness.model.subject import Subject
from harness.mutation.depth import room_for
from harness.mutation.derive import derive
from harness.mutation.equivalence import read_equivalence
from harness.mutation.manifest import Manifest, manifest_of, read_manifest, write_manifest
from harness.mutation.operator_sets import OPERATOR_SETS, operator_set
from harness.mutation.profile import TypeProfile
from harness.mutation.reach import target_names
from harness.mutation.sample import sample
from harness.runner.subjects import finitization_of
from harness.runner.suites import ensure_suite
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener
from harness.sandbox.process import SandboxedProcess, WorkerDied

PROFILE_SCOPE = 4
"""Scope of the suite on which types are observed: it reaches every statement of the subjects, or nearly."""


@dataclass(frozen=True)
class MutantSet:
    """The mutants to run, those listed but not run, and whether they were pinned."""

    manifest: Manifest
    pinned: bool

    @property
    def mutants(self) -> Sequence[Mutant]:
        """Those to run."""
        return self.manifest.mutants


def mutant_set(subject: Subject, operators: str = DEFAULT_OPERATORS) -> MutantSet:
    """The set pinned for the subject's source and operator set; where none is, all viable mutants, derived.

    Raises:
        ManifestError: only sets of other sources are pinned, or one without an operator set.
        UsageError: unknown operator set, or the mutator finds nothing to mutate.
    """
    chosen = operator_set(operators)
    stale: ManifestError | None = None
    for folder in resources.mutants_folders(subject):
        try:
            manifest = read_manifest(_of_set(folder, chosen), subject)
        except ManifestError as error:
            stale = stale or error
            continue
        if manifest is not None:
            return MutantSet(manifest, pinned=True)
    if stale is not None:
        raise stale
    return MutantSet(manifest_of(*_chosen(derive_mutants(subject, operators), None, 0)), pinned=False)


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


def pin(subject: Subject, size: int | None, seed: int, operators: str = DEFAULT_OPERATORS) -> tuple[Manifest, Path]:
    """Derives the subject's mutants and pins a sample of `size` (all viable ones by default) below ./mutants."""
    folder = _of_set(Path("mutants") / subject.name, operator_set(operators))
    manifest = manifest_of(*_chosen(derive_mutants(subject, operators), size, seed))
    return manifest, write_manifest(folder, subject.source_hash, manifest)


def derive_mutants(subject: Subject, operators: str = DEFAULT_OPERATORS) -> list[Mutant]:
    """All mutants of the subject by the operators of that set, with types observed at PROFILE_SCOPE."""
    chosen = operator_set(operators)
    with room_for(subject):
        types = observe_types(subject)
        return derive(subject, target_names(finitization_of(subject, PROFILE_SCOPE)), types, chosen)


def observe_types(subject: Subject) -> TypeProfile:
    """Runs the original on its suite of PROFILE_SCOPE, under observation, in the sandbox.

    Raises:
        MutascopeError: the suite cannot be made, or the original does not load or end.
    """
    suite = ensure_suite(subject, Trial(subject.name, "korat", PROFILE_SCOPE))
    job = RunJob(
        implementation=ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked),
        spec_source=subject.spec_source,
        spec_filename=str(subject.spec_path),
        suite=str(suite.folder),
        scope=PROFILE_SCOPE,
    )
    with own_folder() as folder:
        path = folder / "job.json"
        job.write(path)
        with SandboxedProcess("harness.kernel.profiling", str(path), readable=[path, suite.folder]) as child:
            try:
                return TypeProfile.from_json(Listener(child, patience()).fact()["profile"])
            except WorkerDied as death:
                raise MutascopeError(
                    f"{subject.name}: the original, run on its suite of scope {PROFILE_SCOPE} to observe types, "
                    f"failed {' '.join(death.how.split())}; correct {subject.source_path}"
                ) from None


def _chosen(derived: list[Mutant], size: int | None, seed: int) -> tuple[list[Mutant], list[Mutant]]:
    chosen = sample(derived, len(derived) if size is None else size, seed)
    if not chosen:
        raise UsageError("the mutator finds nothing to mutate in the target methods and their helpers")
    return derived, chosen
