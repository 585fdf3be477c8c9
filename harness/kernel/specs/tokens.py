"""The objects of a domain of tokens."""

from __future__ import annotations


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
