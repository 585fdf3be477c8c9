"""Parts of a search: intervals of its candidates, told by prefixes of the candidate vector as the search reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

UNDECIDED = -1


@dataclass(frozen=True)
class Part:
    """The candidates from one on, as long as the lowest `floor` fields of the stack keep their values.

    Korat's search walks a tree whose leaves are the executions of rep_ok: at each node a field is read,
    in an order that hangs on the values of those read before. `fields` and `indices` are the stack at
    the first candidate, so a path in that tree; what is above it on the stack is read by the execution
    itself. Each leaf lies in one part only, so the parts' executions add up to those of the search.

    With `after`, the first candidate is that after all with this stack; there may be none. Where `decided`
    is no UNDECIDED, rep_ok has accepted a candidate by the lowest `decided` fields alone, so that those
    which differ from it in the other fields only are valid without an execution.
    """

    fields: tuple[int, ...]
    indices: tuple[int, ...]
    floor: int = 0
    after: bool = False
    decided: int = UNDECIDED

    def halves(self, sizes: Sequence[int]) -> tuple[Part, Part] | None:
        """Two parts that follow each other and make up this one; None where no field has a further value.

        The second begins at the lowest field that has: there the most is left to do, as a rule.

        Args:
            sizes: of the field domains, by field.
        """
        if self.after:
            return None  # where it begins is not known yet
        for level in range(self.floor, len(self.fields)):
            if self.indices[level] + 1 < sizes[self.fields[level]]:
                prefix = self.fields[: level + 1], self.indices[: level + 1]
                first = replace(self, floor=level + 1)
                return first, Part(*prefix, self.floor, after=True, decided=self.decided)
        return None

    def pieces(self, sizes: Sequence[int], most: int) -> list[Part]:
        """At most `most` parts, in order, that make up this one."""
        found: list[Part] = []
        first = self
        while len(found) + 1 < most and (halves := first.halves(sizes)):
            first, second = halves
            found.append(second)
        return [first, *reversed(found)]
