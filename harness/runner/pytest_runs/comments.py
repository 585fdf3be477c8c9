"""Hashes the Python files of a project without their comments, if nothing there can read the text of a file."""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MOST_BYTES = 1 << 19
"""Projects with more Python text are hashed with their comments: reading the tokens of so much takes seconds."""

READERS = frozenset(
    [
        "__cached__",
        "__file__",
        "__loader__",
        "__spec__",
        "_getframe",
        "ast",
        "co_filename",
        "compileall",
        "currentframe",
        "doctest",
        "executing",
        "f_code",
        "getcomments",
        "getsource",
        "getsourcefile",
        "getsourcelines",
        "glob",
        "iglob",
        "inspect",
        "iterdir",
        "linecache",
        "listdir",
        "makepyfile",
        "pkgutil",
        "py_compile",
        "pytester",
        "resources",
        "rglob",
        "runpy",
        "runpytest",
        "scandir",
        "stack",
        "subprocess",
        "symtable",
        "testdir",
        "tokenize",
        "traceback",
        "walk",
    ]
)
"""Names by which Python code finds source files, or the text of its own. A project that has one is hashed with its
comments.
"""

_SUFFIX = ".py"
_WITHOUT_MEANING = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING)
_WITH_CODE = re.compile(r"[rR]?[fFtT][rR]?[\"']")
"""The beginning of an f-string, or of a t-string."""
_STARTS, _ENDS = (
    tuple(getattr(tokenize, f"{kind}_{end}") for kind in ("FSTRING", "TSTRING") if hasattr(tokenize, f"{kind}_{end}"))
    for end in ("START", "END")
)
"""The tokens that f-strings begin and end with from Python 3.12 on, and t-strings from 3.14 on."""


def without_comments(folder: Path, hashes: Mapping[str, str], target: str) -> dict[str, str]:
    """Return the hashes of files, those of Python files replaced by hashes of their tokens, each with its line.

    So a comment that is edited within its lines, or spaces between tokens, change no hash. Docstrings count, and lines
    that move. All hashes are returned as they are if a file names one of `READERS` or a Python file.

    Args:
        folder: has the files.
        hashes: a hash of the content of each file, by its path in `folder`.
        target: the text of the module under test, which may lie elsewhere.
    """
    paths = [name for name in hashes if name.endswith(_SUFFIX) and not (folder / name).is_symlink()]
    if sum(os.stat(folder / name).st_size for name in paths) > MOST_BYTES:
        return dict(hashes)
    read = {name: _without_comments((folder / name).read_bytes()) for name in paths}
    texts = [_without_comments(target.encode("utf-8", "surrogatepass")), *read.values()]
    if any(text is not None and text.finds_sources for text in texts):
        return dict(hashes)
    return dict(hashes) | {name: text.hash for name, text in read.items() if text is not None}


@dataclass(frozen=True)
class _TextWithoutComments:
    """The hash of the tokens of a file, and whether they name one of `READERS` or a Python file."""

    hash: str
    finds_sources: bool


@lru_cache(maxsize=1024)  # each module of a target asks for the files of the same project
def _without_comments(source: bytes) -> _TextWithoutComments | None:
    """Read the tokens but comments; None of a text that is not Python."""
    try:
        tokens = list(_tokens(source.removeprefix(codecs.BOM_UTF8)))
    except (SyntaxError, tokenize.TokenError, UnicodeDecodeError):
        return None
    digest = hashlib.sha256(repr(tokens).encode("utf-8", "surrogatepass")).hexdigest()
    return _TextWithoutComments(digest, any(_finds_sources(text) for _, text, _ in tokens))


def _tokens(source: bytes) -> Iterator[tuple[int, str, int]]:
    """Yield the kind, text and line of each token but comments.

    An f-string is one token, as it was before Python 3.12: with the spaces in it, which `f"{x = }"` shows.
    """
    lines: list[str] = []
    starts: list[tuple[int, int]] = []
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.ENCODING:
            lines = source.decode(token.string).split("\n")
        elif token.type in _STARTS:
            starts.append(token.start)
        elif token.type in _ENDS:
            start = starts.pop()
            if not starts:
                yield tokenize.STRING, _between(lines, start, token.end), start[0]
        elif not starts and token.type not in _WITHOUT_MEANING:
            yield token.type, token.string, token.start[0]


def _between(lines: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the text from one position to another; positions are as in tokens: a line from 1, and a column from 0."""
    *whole, last = lines[start[0] - 1 : end[0]]
    return "\n".join([*whole, last[: end[1]]])[start[1] :]


def _finds_sources(text: str) -> bool:
    names = re.findall(r"\w+", text) if _WITH_CODE.match(text) else [text]
    return _SUFFIX in text or not READERS.isdisjoint(names)
