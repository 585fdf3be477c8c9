"""Where things are: what ships with the package, what lies in the folder one stands in, and what is cached."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from harness.errors import SourceError, UsageError
from harness.kernel.specs import Spec, load_spec
from harness.model.subject import Subject

_PACKAGE = Path(__file__).parent
_CACHE_VARIABLE = "MUTASCOPE_CACHE"


def shipped(folder: str) -> Path:
    """A top-level folder (`subjects`, `mutants`, `experiments`, `results/published`) as shipped.

    In a wheel these lie within the package, in a checkout beside it.
    """
    packed = _PACKAGE / "_shipped" / folder
    return packed if packed.is_dir() else _PACKAGE.parent / folder


def cache_folder() -> Path:
    """Where suites are kept between runs: $MUTASCOPE_CACHE, else the user's cache folder; an absolute path.

    Raises:
        UsageError: the user has no home.
    """
    if chosen := os.environ.get(_CACHE_VARIABLE):
        return Path(chosen).absolute()  # sandboxes stand elsewhere
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base).absolute() / "mutascope"
    try:
        home = Path.home()
    except (RuntimeError, KeyError):
        raise UsageError(f"suites are kept in the user's home, and there is none; set {_CACHE_VARIABLE}") from None
    return home.absolute() / ".cache" / "mutascope"


def _subject_roots() -> Iterator[Path]:
    own = Path.cwd() / "subjects"
    yield own
    if shipped("subjects") != own:
        yield shipped("subjects")


def subject_folders() -> dict[str, Path]:
    """Known subjects by name: those of ./subjects first, then the shipped ones."""
    found: dict[str, Path] = {}
    for root in _subject_roots():
        for spec in sorted(root.glob("*/spec.py")):
            found.setdefault(spec.parent.name, spec.parent)
    return dict(sorted(found.items()))


def subject_folder(name: str) -> Path:
    """The folder of a subject named by its name or by a path to its folder.

    Raises:
        UsageError: there is no such subject.
    """
    known = subject_folders()
    if name in known:
        return known[name]
    path = Path(name)
    if (path / "spec.py").is_file():
        return path.resolve()
    if path.is_dir():
        raise UsageError(f"{path} is no subject: it has no spec.py; write one (docs/tutorial.md shows how)")
    raise UsageError(f"unknown subject {name!r}; known are {', '.join(known)}, or give the path of a subject's folder")


def load_subject(name: str) -> tuple[Subject, Spec]:
    """A subject and its spec, by name or path. Its implementation is read, not imported.

    Raises:
        UsageError: no such subject.
        SpecError: its spec is unusable.
        SourceError: its implementation cannot be read.
    """
    folder = subject_folder(name)
    spec_path = folder / "spec.py"
    spec_source = _read(spec_path)
    spec = load_spec(spec_source, str(spec_path))
    beside = spec.implementation.endswith(".py")
    source_path = folder / spec.implementation if beside else _installed(spec.implementation, spec_path)
    subject = Subject(
        name=folder.name,
        title=spec.title or folder.name,
        module="impl" if beside else spec.implementation,
        source_path=source_path,
        source=_read(source_path),
        spec_path=spec_path,
        spec_source=spec_source,
        blocked=spec.blocked,
        installed=not beside,
        helpers=spec.helpers,
    )
    return subject, spec


def _installed(module: str, spec_path: Path) -> Path:
    """The source file of an installed module, found without executing it (its parent packages are)."""
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        found = None
    if found is None or not found.origin or not found.origin.endswith(".py"):
        raise SourceError(
            f"{spec_path}: module {module!r} is not installed as Python source; install it or correct the name"
        )
    return Path(found.origin)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise SourceError(
            f"{path}: {error.strerror}; put the file there or correct `implementation` in spec.py"
        ) from None
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8") from None


def mutants_folders(subject: Subject) -> list[Path]:
    """Where the subject's pinned mutants may lie: ./mutants first, beside the subjects folder, then shipped."""
    folders = [Path.cwd() / "mutants", subject.spec_path.parent.parent.parent / "mutants", shipped("mutants")]
    return [folder / subject.name for folder in dict.fromkeys(folders)]


def experiment_files() -> dict[str, Path]:
    """Known experiments by name: those of ./experiments first, then the shipped ones."""
    found: dict[str, Path] = {}
    for root in dict.fromkeys([Path.cwd() / "experiments", shipped("experiments")]):
        for path in sorted(root.glob("*.toml")):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def published_folder() -> Path:
    """The papers' printed values."""
    return shipped("results/published")
