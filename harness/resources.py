"""Finds the files that are shipped with the package, those in the current folder, and the cache."""

from __future__ import annotations

import ast
import io
import math
import os
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.did_you_mean import suggestion
from harness.errors import SourceError, UsageError
from harness.model.subject import Subject, root_of

_PACKAGE = Path(__file__).parent
_PAGE_BREAK = re.compile(r"^[ \t\f]*\f([ \t]*)", re.MULTILINE)
_PAPER = re.compile(r"([a-z_]+\d{4})_")
_CACHE_VARIABLE = "MUTASCOPE_CACHE"

CANDIDATE_SECONDS = 10.0
CANDIDATE_SECONDS_VARIABLE = "MUTASCOPE_CANDIDATE_SECONDS"


def shipped(folder: str) -> Path:
    """Return a top-level folder (`subjects`, `mutants`, `experiments`, `results/published`) as shipped.

    In a wheel these lie within the package, in a checkout next to it.
    """
    packed = _PACKAGE / "_shipped" / folder
    return packed if packed.is_dir() else _PACKAGE.parent / folder


def cache_folder() -> Path:
    """Return the absolute path of the suite cache: $MUTASCOPE_CACHE, otherwise a folder in the user's cache folder.

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


def positive_variable(name: str, default: float, unit: str) -> float:
    """Return the number in an environment variable, or the default if it is not set.

    Args:
        unit: what is counted, as text.

    Raises:
        UsageError: the variable holds no positive number.
    """
    text = os.environ.get(name, "")
    try:
        value = float(text) if text else default
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise UsageError(f"{name} is {text!r}; set it to a positive number of {unit}")
    return value


def candidate_seconds() -> float:
    """Return the seconds of processor time for rep_ok on one candidate: of the variable, else CANDIDATE_SECONDS.

    Raises:
        UsageError: the variable holds no positive number.
    """
    return positive_variable(CANDIDATE_SECONDS_VARIABLE, CANDIDATE_SECONDS, "seconds")


def _subject_roots() -> Iterator[Path]:
    own = Path.cwd() / "subjects"
    yield own
    if shipped("subjects") != own:
        yield shipped("subjects")


def subject_folders() -> dict[str, Path]:
    """Return known subjects by name: those of ./subjects first, then the shipped ones."""
    folders: dict[str, Path] = {}
    for root in _subject_roots():
        for spec in sorted(root.glob("*/spec.py")):
            folders.setdefault(spec.parent.name, spec.parent)
    return dict(sorted(folders.items()))


def grouped_subjects() -> dict[str, Path]:
    """Return subjects in folders of several, by both names (`real/fraction`), in the order of `subject_folders`."""
    folders: dict[str, Path] = {}
    for root in _subject_roots():
        for spec in sorted(root.glob("*/*/spec.py")):
            folders.setdefault(f"{spec.parent.parent.name}/{spec.parent.name}", spec.parent)
    return dict(sorted(folders.items()))


def subject_folder(name: str) -> Path:
    """Return the folder of a subject, given its name or a path to its folder.

    Raises:
        UsageError: there is no such subject.
    """
    folders = subject_folders() | grouped_subjects()
    if name in folders:
        return folders[name]
    path = Path(name)
    if name and (path / "spec.py").is_file():
        return path.resolve()
    if name and path.is_dir():
        raise UsageError(f"{path} is no subject: it has no spec.py; write one (docs/tutorial.md shows how)")
    raise UsageError(
        f"unknown subject {name!r}; {suggestion(name, folders, 'mutascope list')}, or give the path of "
        "a subject's folder"
    )


def subject_label(name: str) -> str:
    """Return a subject's name for names of files: `containers-avl_tree` for a grouped one, otherwise its folder's name.

    Raises:
        UsageError: there is no such subject.
    """
    folder = subject_folder(name)
    return name.replace("/", "-") if name in grouped_subjects() else folder.name


def relative_name(name: str) -> str:
    """Return a name of a subject or generator: a path begins at the current folder, if it is there or both at home."""
    if not os.path.isabs(name):
        return name
    shared, here, home = Path(os.path.commonpath([name, Path.cwd()])), Path.cwd(), Path(os.path.expanduser("~"))
    return os.path.relpath(name) if shared == here or home in (shared, *shared.parents) else name


def without_folders(text: str, folders: Mapping[Path, str] | None = None) -> str:
    """Return a text whose absolute paths begin at the current folder, or with `~` at the user's home.

    Args:
        folders: more folders, with what stands for them.
    """
    for folder, name in {Path.cwd(): "", **(folders or {}), Path(os.path.expanduser("~")): "~"}.items():
        if folder != Path("/"):
            text = text.replace(f"{folder}/", name and f"{name}/")
            text = re.sub(rf"{re.escape(str(folder))}(?![\w.-])", name or ".", text)
    return text


_ENCODING = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+", re.MULTILINE)
"""The declaration of a file's encoding. Source: Python's reference, 2.1.4."""


def read_source(path: Path, advice: str) -> str:
    """Return a Python file's text as Python reads it: without byte order mark, lines ended by newlines alone.

    Form feeds in indentations, which begin pages, are left out. If the file declares another encoding than UTF-8 (PEP
    263), the text declares UTF-8 in its place.

    Raises:
        SourceError: it is no file, or no text in its encoding; `advice` says what to do if it is missing.
    """
    try:
        if path.exists() and not path.is_file():
            raise SourceError(f"{path}: not a file; {advice}")
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # a null character in the name
        raise SourceError(f"{path}: {getattr(error, 'strerror', None) or error}; {advice}") from None
    try:
        encoding, lines = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        kind = error.encoding.upper()
        raise SourceError(f"{path}: not {kind} text ({error.reason} at byte {error.start}); save it as UTF-8") from None
    except (SyntaxError, LookupError) as error:
        raise SourceError(f"{path}: not UTF-8 text ({getattr(error, 'msg', error)}); save it as UTF-8") from None
    if encoding not in ("utf-8", "utf-8-sig"):
        head = len(b"".join(lines).decode(encoding))
        text = _ENCODING.sub(r"\1utf-8", text[:head]) + text[head:]
    if "\0" in text:
        raise SourceError(f"{path}: a null character at offset {text.index(chr(0))}; it is no Python source")
    return _without_page_breaks(io.IncrementalNewlineDecoder(None, translate=True).decode(text, final=True))


def parse_source(path: Path, source: str, advice: str) -> ast.Module:
    """Parse what `read_source` has read of a file.

    Raises:
        SourceError: it is no Python, or nested so deep that Python cannot read it; `advice` says what to do about it.
    """
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise SourceError(f"{path}:{error.lineno}: {error.msg}; {advice}") from None
    except (RecursionError, MemoryError):
        raise SourceError(
            f"{path}: an expression or statement is nested too deep for Python to read; {advice}"
        ) from None


def _without_page_breaks(source: str) -> str:
    """Return the source without form feeds in indentations, which Python ignores but other readers do not."""
    changed = _PAGE_BREAK.sub(r"\1", source)
    if changed == source:
        return source
    try:
        same = ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source))
    except (SyntaxError, RecursionError, MemoryError):
        same = False  # other readers report what is wrong
    return changed if same else source


def mutants_folders(subject: Subject) -> list[Path]:
    """Return the folders that may have the subject's pinned mutants: in ./mutants, near the subject, then as shipped.

    The second is next to the folder of subjects. For a module, it is in its project, or in the folder that its name
    starts from.
    """
    name = subject.pinned_name
    if subject.is_module:
        root = root_of(subject.module, subject.source_path)
        nearby_folders = [] if subject.installed else [root, *[root.parent] * (root.name == "src")]
    else:
        nearby_folders = [subject.spec_path.parents[2 + name.count("/")]]
    folders = dict.fromkeys([Path.cwd(), *nearby_folders, shipped("mutants").parent])
    return [folder / "mutants" / name for folder in folders]


def experiment_files() -> dict[str, Path]:
    """Return known experiments by name: those of ./experiments first, then the shipped ones."""
    paths: dict[str, Path] = {}
    for root in dict.fromkeys([Path.cwd() / "experiments", shipped("experiments")]):
        for path in sorted(root.glob("*.toml")):
            paths.setdefault(path.stem, path)
    return dict(sorted(paths.items()))


def published_folder() -> Path:
    """Return the folder of the papers' printed values."""
    return shipped("results/published")


def papers() -> list[str]:
    """Return the names of the papers whose values are there: a file's name is the paper's with its year, and a part."""
    matches = (_PAPER.match(path.name) for path in published_folder().glob("*.csv"))
    return sorted({match[1] for match in matches if match})
