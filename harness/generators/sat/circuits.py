"""Boolean circuits with shared gates, and their clauses by Tseitin's transformation or Plaisted and Greenbaum's."""

from __future__ import annotations

from collections.abc import Iterable

from harness.errors import UsageError

TRUE = 1
FALSE = -1

MOST_GATES = 30_000_000
"""The largest number of gates: about 10 gigabytes with their clauses."""


class Circuits:
    """Gates, each a conjunction of literals; the same conjunction is made once.

    A literal is the number of a gate or input, negative where it is negated; TRUE and FALSE are the constants.
    """

    def __init__(self) -> None:
        self.gates: list[tuple[int, ...] | None] = [None, None]
        """By number of a gate, the literals of its conjunction; None for inputs and TRUE."""
        self._gates_by_literals: dict[tuple[int, ...], int] = {}
        self._implied: dict[int, int] = {}

    def input(self) -> int:
        """Return a new literal that the clauses leave open."""
        self.gates.append(None)
        return len(self.gates) - 1

    def imply(self, literal: int, other: int) -> None:
        """Record that the formula will make `literal` imply `other`, so that `other` can be dropped next to it."""
        if literal not in (TRUE, FALSE) and other not in (TRUE, FALSE):
            self._implied[literal] = other

    def implies(self, literal: int, other: int) -> bool:
        """Return whether `literal` is known to imply `other` in one step."""
        return other == TRUE or literal in (FALSE, other) or self._consequence(literal) == other

    def _consequence(self, literal: int) -> int:
        """Return the known consequence of a literal, or of all parts of a disjunction; TRUE if there is none."""
        consequence = self._implied.get(literal)
        if consequence is None:
            parts = self.gates[-literal] if literal < 0 else None
            common = {self._implied.get(-part, TRUE) for part in parts or ()}
            consequence = common.pop() if len(common) == 1 else TRUE
            if parts is not None:
                self._implied[literal] = consequence
        return consequence

    def flat_any(self, literals: Iterable[int]) -> int:
        """Return the disjunction of literals, flattening those that are disjunctions of inputs."""
        flat: set[int] = set()
        for each in literals:
            parts = self.gates[-each] if each < 0 else None
            if parts is not None and all(part < 0 and self.gates[-part] is None for part in parts):
                flat.update(-part for part in parts)
            else:
                flat.add(each)
        return self.any(flat)

    def name_any(self, literals: Iterable[int], literal: int) -> None:
        """Record that the formula will make `literal` equal to the disjunction of literals."""
        self._gates_by_literals.setdefault(tuple(sorted({-each for each in literals})), -literal)

    def all(self, literals: Iterable[int]) -> int:  # noqa: C901 (a case for each simplification)
        """Return the conjunction of literals."""
        conjunction = set(literals)
        conjunction.discard(TRUE)
        if FALSE in conjunction:
            return FALSE
        if len(conjunction) == 2:
            one, other = conjunction
            if one == -other:
                return FALSE
            if self._consequence(one) == other:
                return one
            if self._consequence(other) == one:
                return other
        elif len(conjunction) > 2:
            if any(-each in conjunction for each in conjunction):
                return FALSE
            conjunction -= {self._consequence(each) for each in conjunction}
        if len(conjunction) < 2:
            return conjunction.pop() if conjunction else TRUE
        key = tuple(sorted(conjunction))
        gate = self._gates_by_literals.get(key)
        if gate is None:
            if len(self.gates) > MOST_GATES:
                raise UsageError(
                    f"the invariant takes more than {MOST_GATES} gates at this scope, "
                    "beyond 10 gigabytes of memory; choose a smaller scope"
                )
            self.gates.append(key)
            gate = self._gates_by_literals[key] = len(self.gates) - 1
        return gate

    def any(self, literals: Iterable[int]) -> int:
        """Return the disjunction of literals."""
        return -self.all([-each for each in literals])

    def both(self, one: int, other: int) -> int:
        """Return a literal that is true if both are true."""
        return self.all((one, other))

    def either(self, one: int, other: int) -> int:
        """Return a literal that is true if at least one is true."""
        return -self.all((-one, -other))

    def same(self, one: int, other: int) -> int:
        """Return a literal that is true if both are true, or both false."""
        return self.both(self.either(-one, other), self.either(one, -other))

    def at_most_one(self, literals: Iterable[int]) -> int:
        """Return a literal that is true if no two are true: each excludes the disjunction of those before it."""
        before, exclusions = FALSE, []
        for each in literals:
            exclusions.append(-self.both(before, each))
            before = self.either(before, each)
        return self.all(exclusions)

    def suffixes(self, literals: list[int]) -> list[int]:
        """Return, for each place, the disjunction of the literals from there on, and FALSE for one more place."""
        behind = [FALSE]
        for each in reversed(literals):
            behind.append(self.either(behind[-1], each))
        return behind[::-1]


class Clauses:
    """The requirements on a circuit as clauses; variables are numbered in order of appearance.

    A gate is defined in the direction in which it is used (Plaisted and Greenbaum), or in both (Tseitin).
    """

    def __init__(self, circuits: Circuits, defines_both_ways: bool = False) -> None:
        self.clauses: list[list[int]] = []
        self._circuits = circuits
        self._both = defines_both_ways
        self._variables: dict[int, int] = {}
        self._defined: set[int] = set()
        self._required: set[int] = set()

    @property
    def variables(self) -> int:
        """The number of variables."""
        return len(self._variables)

    def variable(self, literal: int) -> int:
        """Return the solver's literal for a circuit's literal that is no constant."""
        number = self._variables.setdefault(abs(literal), len(self._variables) + 1)
        return number if literal > 0 else -number

    def name(self, literal: int) -> None:
        """Give an input a variable now, so that the variables of inputs come first."""
        if abs(literal) != TRUE:
            self.variable(literal)

    def require(self, literal: int) -> None:
        """Require that the literal is true."""
        agenda = [literal]
        while agenda:
            each = agenda.pop()
            if each in self._required or each == TRUE:
                continue
            self._required.add(each)
            parts = None if each == FALSE else self._circuits.gates[abs(each)]
            if each == FALSE:
                self.clauses.append([])
            elif parts is None:
                self.clauses.append([self.variable(each)])
            elif each > 0:
                agenda.extend(parts)
            else:
                self.any([-part for part in parts])

    def any(self, literals: list[int]) -> None:
        """Require that at least one of the literals is true."""
        if TRUE in literals:
            return
        open_literals = [each for each in literals if each != FALSE]
        self.clauses.append([self.variable(each) for each in open_literals])
        self._define(open_literals)

    def _define(self, literals: list[int]) -> None:
        """Add the clauses by which each literal, if it is true, implies its gate's definition."""
        agenda = list(literals)
        while agenda:
            each = agenda.pop()
            parts = self._circuits.gates[abs(each)]
            if each in self._defined or parts is None:
                continue
            self._defined.add(each)
            here = self.variable(each)
            if each > 0:
                self.clauses.extend([-here, self.variable(part)] for part in parts)
                agenda.extend(parts)
            else:
                self.clauses.append([-here, *(self.variable(-part) for part in parts)])
                agenda.extend(-part for part in parts)
            if self._both:
                agenda.append(-each)
