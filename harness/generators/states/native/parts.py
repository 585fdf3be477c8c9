"""Parts of a search: intervals of its candidates, identified by prefixes of the candidate vector.

The fields of a prefix are in the order in which the search reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

UNDECIDED = -1


@dataclass(frozen=True)
class SearchPart:
    """The candidates from one on, as long as the lowest `floor` fields of the stack keep their values.

    Korat's search walks a tree whose leaves are the executions of rep_ok. At each node a field is read, in an order
    that depends on the values of those read before. `fields` and `indices` are the stack at the first candidate, which
    is a path in that tree. The execution itself reads the fields above it on the stack. Each leaf lies in one part
    only, so the parts' executions add up to those of the search.

    With `after`, the first candidate is the one after all candidates with this stack; there may be none. If `decided`
    is not UNDECIDED, rep_ok has accepted a candidate by the lowest `decided` fields only. Candidates that differ from
    it only in the other fields are then valid without an execution.
    """

    fields: tuple[int, ...]
    indices: tuple[int, ...]
    floor: int = 0
    after: bool = False
    decided: int = UNDECIDED

    def halves(self, sizes: Sequence[int]) -> tuple[SearchPart, SearchPart] | None:
        """Return two parts that follow each other and make up this one, or None if no field has a further value.

        The second begins at the lowest field that has one, because most of the search is usually left there.

        Args:
            sizes: the sizes of the field domains, by field.
        """
        if self.after:
            return None  # where it begins is not known yet
        for level in range(self.floor, len(self.fields)):
            if self.indices[level] + 1 < sizes[self.fields[level]]:
                prefix = self.fields[: level + 1], self.indices[: level + 1]
                first = replace(self, floor=level + 1)
                return first, SearchPart(*prefix, self.floor, after=True, decided=self.decided)
        return None

    def pieces(self, sizes: Sequence[int], most: int) -> list[SearchPart]:
        """Return at most `most` parts, in order, that make up this one."""
        later_parts: list[SearchPart] = []
        first = self
        while len(later_parts) + 1 < most and (halves := first.halves(sizes)):
            first, second = halves
            later_parts.append(second)
        return [first, *reversed(later_parts)]
