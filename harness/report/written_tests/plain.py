"""Writes plain values as source, formatted like a formatter does; other values have no source."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping
from typing import Any

from harness.kernel.specs.tokens import Token
from harness.model.literals import value_source

_ATOMS = (type(None), bool, int, float, str, bytes, complex)


def plain_source(value: Any, tokens: Mapping[Token, str]) -> str | None:
    """Return the source of an atom, a named token, or a collection of these; None for other values, including nan.

    Equal values have the same source, since members of sets are ordered by their sources.
    """
    kind = type(value)
    if kind in _ATOMS:
        return None if value != value else quoted(value_source(value))
    if isinstance(value, Token):
        return tokens.get(value)
    if kind is dict:
        pairs = [(plain_source(key, tokens), plain_source(item, tokens)) for key, item in value.items()]
        return None if any(None in pair for pair in pairs) else f"{{{', '.join(f'{k}: {v}' for k, v in pairs)}}}"
    if kind not in (list, tuple, set, frozenset):
        return None
    items = [source for item in value if (source := plain_source(item, tokens)) is not None]
    return _collection(kind, items) if len(items) == len(value) else None


def _collection(kind: type, items: list[str]) -> str:
    if kind is list:
        return f"[{', '.join(items)}]"
    if kind is tuple:
        return f"({', '.join(items)}{',' * (len(items) == 1)})"
    if not items:
        return f"{kind.__name__}()"
    members = f"{{{', '.join(sorted(items))}}}"
    return members if kind is set else f"frozenset({members})"


def quoted(source: str) -> str:
    """Return the same source with double quotes around strings, except where that takes more backslashes."""
    if "'" not in source:
        return source
    parts = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = _double_quoted(token.string) if token.type == tokenize.STRING else token.string
        parts.append((token.start, token.end, text))
    written, at = "", 0
    for (_, start), (_, end), text in parts:
        written += source[at:start] + text
        at = max(at, end)
    return written


def _double_quoted(literal: str) -> str:
    prefix, quote, body = literal.partition("'")
    if not quote or '"' in prefix:
        return literal
    body = body[:-1]
    if body.count('"') > body.count("'"):
        return literal
    return prefix + '"' + body.replace("\\'", "'").replace('"', '\\"') + '"'
