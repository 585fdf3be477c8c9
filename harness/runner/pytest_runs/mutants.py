"""Mutants of a whole module, and its type profile, observed while its tests run: one set for all suites."""

from __future__ import annotations

import ast
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harness import resources
from harness.checksums import read_whole, write_whole
from harness.codec.codec import codec_of
from harness.errors import InstrumentError, ManifestError, UsageError
from harness.kernel.running.job import ObservedTypes
from harness.model.outcome import Mutant, MutantStatus
from harness.model.pytest_suite import GENERATED, PYTEST, Flaky, PytestSuite
from harness.model.subject import Subject
from harness.mutation.program import FunctionNode, room_for
from harness.pytest_suites.job import TypesOrder
from harness.pytest_suites.reports import TypesReport
from harness.runner.logs import report_line
from harness.runner.mutant_set import pin_mutants, pinned_set
from harness.runner.observed_types import cached_profile
from harness.runner.progress import progress_count
from harness.runner.pytest_runs.executor import fork_server
from harness.runner.pytest_runs.original import report_without_ends
from harness.runner.pytest_runs.project import Project, find_project, modules_of, write_job
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import WorkerDied


class NoMutantsError(UsageError):
    """A module has nothing that can be mutated."""


def module_mutants(subject: Subject, operators: str, types: Mapping[str, Any]) -> list[Mutant]:
    """Return the mutants by line: those to be run, and those that need not be, as their status says.

    Args:
        types: as `harness.kernel.running.type_profile.profile` returns them.

    Raises:
        NoMutantsError: there is nothing to mutate.
        UsageError: unknown operator set.
        SourceError: the target can be read by Python, but not by libcst.
    """
    from harness.mutation.algebra import without_equals  # libcst takes longer to import than a rerun takes
    from harness.mutation.filters import classify
    from harness.mutation.mutate import mutate
    from harness.mutation.operator_sets import operator_set, operators_of
    from harness.mutation.program import TypeProfile, all_definitions

    source, profile = subject.source, TypeProfile.from_json(types)
    chosen = operators_of(operator_set(operators))
    mutants: list[Mutant] = []
    for program, functions in all_definitions(source):
        new_mutants = mutate(source, functions, profile, chosen, program)
        listed = without_equals(source, classify(source, new_mutants), profile, program)
        mutants += listed
    mutants.sort(key=lambda mutant: mutant.location.line)
    if not any(mutant.status is MutantStatus.VIABLE for mutant in mutants):
        raise no_mutants(subject)
    return mutants


def no_mutants(subject: Subject) -> NoMutantsError:
    """Return the error for a module that has nothing to mutate."""
    return NoMutantsError(f"{subject.source_path}: no function of it can be mutated; choose another target")


def outer_lambdas(nodes: Iterable[ast.AST], within: bool = False) -> Iterator[int]:
    """Yield the lines of lambdas outside of functions' bodies, such as in default values, which are not mutated."""
    for node in nodes:
        if isinstance(node, FunctionNode):
            yield from outer_lambdas([node.args, *node.decorator_list])
            yield from outer_lambdas(node.body, within=True)
        elif isinstance(node, ast.Lambda) and not within:
            yield node.lineno
        else:
            yield from outer_lambdas(ast.iter_child_nodes(node), within and not isinstance(node, ast.ClassDef))


_SEED = 0
_PROFILE = ".profile.json"
_NOTHING: Mapping[str, Any] = {"functions": {}, "classes": {}}

Types = Mapping[str, Any]
"""Types as `harness.kernel.running.type_profile.profile` returns them."""


def target_mutants(project: Project, operators: str, types: Callable[[], Types]) -> list[Mutant]:
    """Return the mutants of a module: the set that is pinned for its source, otherwise all mutants with these `types`.

    Mutants that are not run are among them, each with its status.

    Raises:
        ManifestError: a set of another source is pinned.
        MutascopeError: as `module_mutants`, and any error that `types` raises.
    """
    pinned = pinned_set(project.subject, operators)
    if pinned is None:
        return module_mutants(project.subject, operators, types())
    excluded = [mutant for mutant in pinned.excluded if mutant.status is not MutantStatus.VIABLE]
    return sorted([*pinned.mutants, *excluded], key=lambda mutant: (mutant.location.line, mutant.location.column))


def project_types(project: Project, pristine: Path, digest: str, say: Callable[[str], None] = report_line) -> Types:
    """Return the types of the profile in ./mutants, or else those that are seen while all tests of the project run.

    These are kept in the cache by the content of the project. If no test can be collected, a line says why, and
    there are no types.

    Args:
        pristine: a copy of the project, with its `digest`.
        say: called with the line that says why there are no types.

    Raises:
        ManifestError: the profile in ./mutants is damaged, or of another source.
        InstrumentError: the process that runs the tests dies.
    """
    written = _written_profile(project.subject)
    if written is not None:
        return written
    name = project.subject.name
    key_parts = [digest, project.subject.content_hash, version(PYTEST), *_without_choice(project.options)]
    try:
        return cached_profile(name, key_parts, lambda: _observed(_with_all_tests(project, pristine), pristine))
    except UsageError as error:
        say(
            f"{name}: no types are observed, so mutants come from annotations and inference alone ({error}); name "
            f"tests that run: mutascope profile --target {name} --tests PATH"
        )
        return _NOTHING


def mutants_of_modules(
    suite: PytestSuite, operators: str, *, pinned: bool = False, size: int | None = None, seed: int = 0
) -> dict[str, list[Mutant]]:
    """Return the mutants of each module that a target stands for, by its name; with `pinned`, pin a sample of them.

    Args:
        suite: its tests identify the project; they are not run more than other tests of it.
        size: of the sample (default: all viable ones).

    Raises:
        MutascopeError: the mutants cannot be made, or nothing can be mutated.
    """
    mutants: dict[str, list[Mutant]] = {}
    modules = modules_of(suite)
    for module in modules:
        project = find_project(module)
        with suppress(*([NoMutantsError] if len(modules) > 1 else [])):
            mutants[module.target] = _of_project(project, operators, pinned, size, seed)
    return mutants


def _of_project(project: Project, operators: str, pinned: bool, size: int | None, seed: int) -> list[Mutant]:
    with room_for(project.subject), locked_folder() as folder:
        digest = project.copy(folder / "pristine")

        def types() -> Types:
            return project_types(project, folder / "pristine", digest)

        if not pinned:
            return target_mutants(project, operators, types)
        derived = module_mutants(project.subject, operators, types())
        manifest, _ = pin_mutants(project.subject, derived, size, seed, operators)
        return list(manifest.mutants)


def write_profiles(suite: PytestSuite) -> list[Path]:
    """Observe types while a suite runs on its target, and write them into ./mutants, where all runs take them from.

    Of a package, each module has a profile.

    Raises:
        MutascopeError: the suite cannot be collected, or a file not be written.
    """
    return [_write_profile(find_project(module)) for module in modules_of(suite)]


def _write_profile(project: Project) -> Path:
    with room_for(project.subject), locked_folder() as folder:
        project.copy(folder / "pristine")
        types = _observed(project, folder / "pristine")
    path = Path("mutants") / project.subject.pinned_name / _profile_name(project.subject)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, types)
    return path


def _written_profile(subject: Subject) -> Types | None:
    advice = f"make it again: mutascope profile --target {subject.name} --tests PATH"
    other_profiles: list[Path] = []
    for folder in resources.mutants_folders(subject):
        path = folder / _profile_name(subject)
        if path.exists():
            profile = read_whole(path)
            if profile is None:
                raise ManifestError(f"{path}: no JSON; {advice}")
            return profile
        other_profiles += sorted(folder.glob(f"*{_PROFILE}"))
    if other_profiles:
        raise ManifestError(f"{other_profiles[0]}: a profile of another {subject.source_path.name}; {advice}")
    return None


def _profile_name(subject: Subject) -> str:
    return f"{subject.source_hash[:12]}{_PROFILE}"


def _with_all_tests(project: Project, pristine: Path) -> Project:
    """Return the project with all tests that pytest finds in its folder, except for those that tools have generated."""
    generated = sorted(path.parent.relative_to(pristine) for path in pristine.rglob(GENERATED))
    ignored = tuple(f"--ignore={folder}" for folder in generated)
    return replace(project, folder=".", arguments=ignored, options=_without_choice(project.options))


def _without_choice(options: Sequence[str]) -> tuple[str, ...]:
    """Return pytest's options but those that choose tests."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    for option in ("-k", "-m", "--deselect", "--ignore", "--ignore-glob"):
        parser.add_argument(option, action="append")
    return tuple(parser.parse_known_args(options)[1])


def _observed(project: Project, pristine: Path) -> Types:
    """Run the project's tests, and return the types; tests that end their process are left out."""
    name = project.subject.name
    job = pristine.with_name("types.json")
    write_job(project, pristine, job)
    with progress_count(f"observe types of {name}"):
        readable = pristine.parent if project.is_own else project.subject.source_path.parent
        try:
            with fork_server(job, pristine.with_name("observed"), readable) as ask:
                report = report_without_ends(ask, TypesOrder(_SEED), TypesReport, {}, Flaky.EXCLUDE, name)
        except WorkerDied as death:
            raise InstrumentError(
                f"{name}: types are not observed, as the process that runs all tests of the project {death.how}; run "
                f"it again, or name other tests: mutascope profile --target {name} --tests PATH"
            ) from None
    types: Types = codec_of(ObservedTypes).to_data(report.types)
    return types
