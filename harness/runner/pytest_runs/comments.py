"""Hashes the Python files of a project without their comments, if nothing there can read the text of a file."""

from __future__ import annotations

import hashlib
import io
import os
import tokenize
from collections.abc import Mapping
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


def without_comments(folder: Path, hashes: Mapping[str, str], target: str) -> dict[str, str]:
    """Return the hashes of files, those of Python files replaced by hashes of their tokens, each with its line.

    So a comment that is edited within its lines, or spaces within a line, change no hash. Docstrings count, and lines
    that move. All hashes are returned as they are if a file names one of `READERS` or a Python file.

    Args:
        folder: has the files.
        hashes: a hash of the content of each file, by its path in `folder`.
        target: the text of the module under test, which may lie elsewhere.
    """
    paths = [name for name in hashes if name.endswith(_SUFFIX) and not (folder / name).is_symlink()]
    if sum(os.stat(folder / name).st_size for name in paths) > MOST_BYTES:
        return dict(hashes)
    tokens_of = {name: _tokens((folder / name).read_bytes()) for name in paths}
    for tokens in (_tokens(target.encode("utf-8", "surrogatepass")), *tokens_of.values()):
        if any(token in READERS or _SUFFIX in token for _, token, _ in tokens or ()):
            return dict(hashes)
    return dict(hashes) | {
        name: hashlib.sha256(repr(tokens).encode("utf-8", "surrogatepass")).hexdigest()
        for name, tokens in tokens_of.items()
        if tokens is not None
    }


def _tokens(source: bytes) -> list[tuple[int, str, int]] | None:
    """Return the kind, text and line of each token but comments; None of a text that is not Python."""
    try:
        return [
            (token.type, token.string, token.start[0])
            for token in tokenize.tokenize(io.BytesIO(source).readline)
            if token.type not in _WITHOUT_MEANING
        ]
    except (SyntaxError, tokenize.TokenError, UnicodeDecodeError):
        return None
