"""Subjects as the orchestrator knows them: their specs are executed in a sandboxed process, which describes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import resources
from harness.codec.codec import codec_of
from harness.errors import EndlessSpecError, SourceError, SpecError
from harness.kernel.program.loader import DRIVER
from harness.kernel.specs.constructors import with_constructor
from harness.kernel.specs.described import SPECS, DescribedBounds, SpecConstants, SpecToDescribe
from harness.model.finitization import Finitization
from harness.model.interface import Interface
from harness.model.sequence import SequenceScope
from harness.model.subject import SourceFile, Subject
from harness.resources import candidate_seconds
from harness.runner.local_imports import LocalModule, imported_files, module_of_file, module_of_name, package_hash
from harness.sandbox.folders import locked_folder
from harness.sandbox.process import NoProgress, SandboxedProcess, WorkerDied

LOADING_FACTOR = 6.0
"""Seconds of processor time for loading a spec, its imports included, for each one that a finitization may take."""

_Source = tuple[str, str]
"""Path and text of a spec, on which its description depends."""

_NO_SCOPES: Mapping[Any, list[int]] = {}

_constants: dict[_Source, SpecConstants] = {}
_bounds: dict[tuple[_Source, int], Finitization | Interface] = {}
"""An interface of a spec that has sequences only."""
_sequences: dict[tuple[_Source, int], SequenceScope | SpecError] = {}
"""The bounds of sequences, or the error that makes them unusable."""


def load_subject(name: str) -> Subject:
    """Return a subject, by name or path. Neither its implementation nor its spec is executed in this process.

    Raises:
        UsageError: no such subject.
        SpecError: its spec is unusable.
        SourceError: its implementation cannot be read.
    """
    return load_subjects({name: ()})[name]


def load_subjects(
    scopes_by_name: Mapping[str, Iterable[int]],
    mutated: bool = False,
    sequences: Mapping[str, Iterable[int]] = _NO_SCOPES,
) -> dict[str, Subject]:
    """Return several subjects, by name or path; the bounds at the scopes given with them are described on the way.

    Args:
        mutated: they are described at the scopes whose targets are mutated, too.
        sequences: scopes of subjects at which the bounds of sequences are described, too.

    Raises:
        MutascopeError: as `load_subject` and `finitization_of`, of the first one that cannot be used.
    """
    specs = {name: _spec_of(name) for name in scopes_by_name}
    of_sequences = {specs[name]: list(scopes) for name, scopes in sequences.items()}
    _describe({specs[name]: list(scopes) for name, scopes in scopes_by_name.items()}, mutated, of_sequences)
    return {name: _subject(source) for name, source in specs.items()}


def finitization_of(subject: Subject, scope: int) -> Finitization:
    """Return the subject's finitization at `scope`; it has `NotHere` instead of functions.

    Raises:
        SpecError: it raises, does not return, or returns something else; or the spec has sequences only.
    """
    bounds = _bounds_of(subject, scope)
    if isinstance(bounds, Interface):
        raise SpecError(f"{subject.spec_path} has no function finitization; define it, to bound states of test inputs")
    return bounds


def has_finitization(subject: Subject) -> bool:
    """Return whether the spec bounds states; otherwise it has sequences only."""
    source = str(subject.spec_path), subject.spec_source
    _describe({source: []})
    return _constants[source].has_finitization


def interface_of(subject: Subject, scope: int) -> Interface:
    """Return the routines that inputs call: the targets of the finitization, or the routines of sequences if there is
    none.

    Raises:
        SpecError: finitization or sequences raise, do not return, or return something else.
    """
    bounds = _bounds_of(subject, scope)
    return bounds if isinstance(bounds, Interface) else Interface.of_finitization(bounds)


def sequence_interface_of(subject: Subject, scope: int) -> Interface:
    """Return the routines that sequences of the subject call, whether or not the spec also bounds states.

    Raises:
        SpecError: as `sequences_of`.
    """
    return Interface.of_sequences(sequences_of(subject, scope))


def _bounds_of(subject: Subject, scope: int) -> Finitization | Interface:
    source = str(subject.spec_path), subject.spec_source
    _describe({source: [scope]})
    return _bounds[source, scope]


def sequences_of(subject: Subject, scope: int) -> SequenceScope:
    """Return the bounds of the subject's sequences at `scope`; they have `NotHere` instead of functions.

    Raises:
        SpecError: they raise, do not return, or are something else.
    """
    source = str(subject.spec_path), subject.spec_source
    _describe({source: []}, sequences={source: [scope]})
    bounds = _sequences[source, scope]
    if isinstance(bounds, SpecError):
        raise type(bounds)(str(bounds))
    return with_constructor(bounds, scope, subject.source)


def _spec_of(name: str) -> _Source:
    path = resources.subject_folder(name) / "spec.py"
    return str(path), resources.read_source(path, "put the spec there")


def _subject(source: _Source) -> Subject:
    filename, text = source
    spec, path = _constants[source], Path(filename)
    is_file = spec.implementation.endswith(".py")
    own = None if is_file else module_of_name(spec.implementation)
    if own is not None:
        source_path = own.path
    elif is_file:
        source_path = path.parent / spec.implementation
    elif spec.origin is not None:
        source_path = Path(spec.origin)
    else:
        raise SourceError(
            f"{path}: module {spec.implementation!r} is not installed as Python source, nor in the folder you are in "
            "or on PYTHONPATH; install it or correct the name"
        )
    implementation = resources.read_source(source_path, "put the file there or correct `implementation` in spec.py")
    if is_file:
        own = module_of_file(source_path, implementation)
    if spec.driver is not None and own is not None:
        raise SpecError(f"{path}: driver is for an installed module alone; call {spec.implementation} as it is")
    if spec.driver is not None and spec.helpers is None:
        raise SpecError(f"{path}: with a driver, the targets are none of the implementation's functions; name helpers")
    imports = () if own is None else imported_files(own, implementation)
    return Subject(
        name=path.parent.name,
        title=spec.title or path.parent.name,
        module=spec.implementation if own is None else own.name,
        source_path=source_path,
        source=implementation,
        spec_path=path,
        spec_source=text,
        blocked=spec.blocked,
        installed=own is None,
        helpers=spec.helpers,
        companions=imports if spec.driver is None else _driver(path.parent / spec.driver),
        is_driven=spec.driver is not None,
        profile_scope=spec.profile_scope,
        package_hash="" if own is not None else package_hash(spec.implementation, source_path),
    )


def _driver(path: Path) -> tuple[SourceFile, ...]:
    """Return the file through which an installed module is called, and the user's own files that it imports."""
    source = resources.read_source(path, "put the file there or correct `driver` in spec.py")
    module = LocalModule(path, DRIVER, path.parent)
    return (SourceFile(DRIVER, str(path), source), *imported_files(module, source))


def _describe(
    scopes_by_spec: Mapping[_Source, list[int]],
    mutated: bool = False,
    sequences: Mapping[_Source, list[int]] = _NO_SCOPES,
) -> None:
    """Describe, in one process, the specs and scopes that are not known yet.

    Args:
        mutated: unknown specs are also described at the scopes whose targets are mutated.
        sequences: scopes at which the bounds of sequences are described, too. An error there is kept for those who
            need them. If it ends the process, another one describes the rest.

    Raises:
        SpecError: a spec, or its finitization, is unusable or endless, or ends the process.
    """
    while missing := _missing(scopes_by_spec, mutated, sequences):
        _ask(missing)


def _missing(
    scopes_by_spec: Mapping[_Source, list[int]], mutated: bool, sequences: Mapping[_Source, list[int]]
) -> list[SpecToDescribe]:
    missing: list[SpecToDescribe] = []
    for source, scopes in scopes_by_spec.items():
        bounds = _unknown(source, scopes, _bounds)
        of_sequences = _unknown(source, sequences.get(source, []), _sequences)
        if bounds or of_sequences or source not in _constants:
            missing.append(SpecToDescribe(*source, bounds, of_sequences, mutated and source not in _constants))
    return missing


def _unknown(
    source: _Source, scopes: Iterable[int], descriptions: Mapping[tuple[_Source, int], object]
) -> tuple[int, ...]:
    return tuple(scope for scope in dict.fromkeys(scopes) if (source, scope) not in descriptions)


def _ask(specs: Sequence[SpecToDescribe]) -> None:
    """Describe specs in one process, up to the first one whose sequences end it.

    Raises:
        SpecError: as `_describe`.
    """
    with locked_folder() as folder:
        job = folder / "job.json"
        job.write_text(SPECS.to_json(tuple(specs)), encoding="utf-8")
        with SandboxedProcess("harness.kernel.specs.process", str(job), readable=[job]) as child:
            for spec in specs:
                _listen(child, spec)
                if not _listen_for_sequences(child, spec):
                    break


def _listen(child: SandboxedProcess, spec: SpecToDescribe) -> None:
    """Receive the constants and the bounds of one spec."""
    source, path, seconds = (spec.filename, spec.source), spec.filename, candidate_seconds()
    with _explained(path, "its module"):
        constants = _constants[source] = child.word(codec_of(SpecConstants), LOADING_FACTOR * seconds)
    for scope in spec.scopes_with(constants.profile_scope):
        if constants.has_finitization:
            with _explained(path, f"finitization({scope})"):
                _bounds[source, scope] = child.word(codec_of(DescribedBounds), seconds).bounds()
        else:
            with _explained(path, f"sequences({scope})"):
                _bounds[source, scope] = child.word(codec_of(Interface), seconds)


def _listen_for_sequences(child: SandboxedProcess, spec: SpecToDescribe) -> bool:
    """Receive the bounds of sequences of one spec, or their errors. Return whether the process can go on."""
    source, seconds = (spec.filename, spec.source), candidate_seconds()
    for scope in spec.sequences:
        try:
            with _explained(spec.filename, f"sequences({scope})"):
                try:
                    _sequences[source, scope] = child.word(codec_of(DescribedBounds), seconds).bounds()
                except SpecError as error:  # which the process has told
                    _sequences[source, scope] = error.with_traceback(None)
        except SpecError as error:
            _sequences[source, scope] = error.with_traceback(None)
            return False
    return True


@contextmanager
def _explained(path: str, described: str) -> Iterator[None]:
    """Raise a SpecError that names a part of a spec if the process that describes it fails."""
    try:
        yield
    except NoProgress as silent:
        within = silent.how.removeprefix("no word ")
        raise EndlessSpecError(f"{path}: {described} did not return {within}; make it end (an endless loop?)") from None
    except WorkerDied as death:
        raise SpecError(
            f"{path}: {described} ended the process that executes it ({' '.join(death.how.split())}); "
            "remove what ends it (os._exit, a signal, a crash in C code)"
        ) from None
