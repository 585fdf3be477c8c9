"""Defines the objects of a domain of tokens."""

from __future__ import annotations

from functools import cache


class Token:
    """An interchangeable value without fields, equal only to itself."""

    __slots__ = ("domain", "index")

    def __init__(self, domain: str, index: int) -> None:
        self.domain = domain
        self.index = index

    def __repr__(self) -> str:
        return f"<{self.domain} {self.index}>"

    def __deepcopy__(self, memo: object) -> Token:
        return self


@cache
def the_token(domain: str, index: int) -> Token:
    """Return the one object that stands for token `index` of a domain in sequences, and in states that result."""
    return Token(domain, index)
