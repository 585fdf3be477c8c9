"""Trees of attribute-value pairs: the names and queries of the Intentional Naming System (Adjie-Winoto et al. 1999).

A name describes a service by attributes with values, each further described by the pairs below it,
such as [city=washington [building=whitehouse]] [service=camera]. A name tree superposes the names of
many records; a query has the same form.
"""

from __future__ import annotations

from collections.abc import Hashable

WILDCARD = "*"


class AVTree:
    """Attribute-value pairs side by side."""

    def __init__(self) -> None:
        self.children: list[Pair] = []

    def lookup(self, query: AVTree) -> set[Hashable]:
        """The records below whose names have what `query` asks for.

        An attribute that a query omits may have any value; so may one that a name omits.
        """
        found = self.extract()
        for asked in query.children:
            matched: set[Hashable] = set()
            silent = self.extract()
            for child in self.children:
                if child.attribute == asked.attribute:
                    records = child.extract()
                    silent -= records
                    if asked.value == WILDCARD:
                        matched |= records
                    elif child.value == asked.value:
                        if child.is_leaf() or asked.is_leaf():
                            matched |= records
                        else:
                            matched |= child.lookup(asked)
            found &= matched | silent
        return found

    def extract(self) -> set[Hashable]:
        """All records below."""
        records: set[Hashable] = set()
        for child in self.children:
            records |= child.extract()
        return records


class Pair(AVTree):
    """An attribute with a value, and the pairs that describe it further; or the record that it describes."""

    def __init__(self, attribute: str, value: str, record: Hashable | None = None) -> None:
        super().__init__()
        self.attribute: str = attribute
        self.value: str = value
        self.record: Hashable | None = record

    def is_leaf(self) -> bool:
        """Whether nothing describes this pair further."""
        return len(self.children) == 0

    def extract(self) -> set[Hashable]:
        """The records of this pair and below."""
        records = super().extract()
        if self.record is not None:
            records.add(self.record)
        return records
