"""Boolean circuits with shared gates, from which clauses are made."""

from __future__ import annotations

from collections.abc import Iterable

from harness.errors import UsageError

TRUE = 1
FALSE = -1

MOST_GATES = 30_000_000
"""Gates at the most: about 10 gigabytes with their clauses."""


class Circuits:
    """Gates, each a conjunction of literals; the same conjunction is made once.

    A literal is the number of a gate or input, negative where it is negated; TRUE and FALSE are the constants.
    """

    def __init__(self, most_gates: int = MOST_GATES) -> None:
        self._most_gates = most_gates
        self.gates: list[tuple[int, ...] | None] = [None, None]
        """By number: what a gate is the conjunction of; None of inputs and of TRUE."""
        self._made: dict[tuple[int, ...], int] = {}
        self._implied: dict[int, int] = {}

    def input(self) -> int:
        """A new literal that the clauses leave open."""
        self.gates.append(None)
        return len(self.gates) - 1

    def imply(self, literal: int, other: int) -> None:
        """Makes known that the formula will say `literal` implies `other`, which then need not be said beside it."""
        if literal not in (TRUE, FALSE) and other not in (TRUE, FALSE):
            self._implied[literal] = other

    def implies(self, literal: int, other: int) -> bool:
        """Whether it is known in one step."""
        return other == TRUE or literal in (FALSE, other) or self._consequence(literal) == other

    def _consequence(self, literal: int) -> int:
        """What a literal is known to imply; of a disjunction, what all its parts imply. TRUE where nothing is."""
        found = self._implied.get(literal)
        if found is None:
            parts = self.gates[-literal] if literal < 0 else None
            common = {self._implied.get(-part, TRUE) for part in parts or ()}
            found = common.pop() if len(common) == 1 else TRUE
            if parts is not None:
                self._implied[literal] = found
        return found

    def flat_any(self, literals: Iterable[int]) -> int:
        """Their disjunction, with those that are disjunctions of inputs themselves taken apart."""
        found: set[int] = set()
        for each in literals:
            parts = self.gates[-each] if each < 0 else None
            if parts is not None and all(part < 0 and self.gates[-part] is None for part in parts):
                found.update(-part for part in parts)
            else:
                found.add(each)
        return self.any(found)

    def name_any(self, literals: Iterable[int], literal: int) -> None:
        """Makes known that the formula will say `literal` is their disjunction."""
        self._made.setdefault(tuple(sorted({-each for each in literals})), -literal)

    def all(self, literals: Iterable[int]) -> int:  # noqa: C901 (a case for each simplification)
        """Their conjunction."""
        found = set(literals)
        found.discard(TRUE)
        if FALSE in found:
            return FALSE
        if len(found) == 2:
            one, other = found
            if one == -other:
                return FALSE
            if self._consequence(one) == other:
                return one
            if self._consequence(other) == one:
                return other
        elif len(found) > 2:
            if any(-each in found for each in found):
                return FALSE
            found -= {self._consequence(each) for each in found}
        if len(found) < 2:
            return found.pop() if found else TRUE
        key = tuple(sorted(found))
        made = self._made.get(key)
        if made is None:
            if len(self.gates) > self._most_gates:
                raise UsageError(
                    f"the invariant takes more than {self._most_gates} gates at this scope, "
                    "beyond 10 gigabytes of memory; choose a smaller scope"
                )
            self.gates.append(key)
            made = self._made[key] = len(self.gates) - 1
        return made

    def any(self, literals: Iterable[int]) -> int:
        """Their disjunction."""
        return -self.all([-each for each in literals])

    def both(self, one: int, other: int) -> int:
        """Whether both are true."""
        return self.all((one, other))

    def either(self, one: int, other: int) -> int:
        """Whether at least one is true."""
        return -self.all((-one, -other))

    def same(self, one: int, other: int) -> int:
        """Whether both are true, or both false."""
        return self.both(self.either(-one, other), self.either(one, -other))

    def at_most_one(self, literals: Iterable[int]) -> int:
        """Whether no two are true: each but the first excludes the disjunction of those before."""
        before, apart = FALSE, []
        for each in literals:
            apart.append(-self.both(before, each))
            before = self.either(before, each)
        return self.all(apart)

    def suffixes(self, literals: list[int]) -> list[int]:
        """For each place, the disjunction of the literals from there on; one more place, FALSE."""
        behind = [FALSE]
        for each in reversed(literals):
            behind.append(self.either(behind[-1], each))
        return behind[::-1]
