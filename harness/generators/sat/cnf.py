"""Makes clauses of circuits by the transformations of Tseitin, and of Plaisted and Greenbaum."""

from __future__ import annotations

from enum import Enum

from harness.generators.sat.circuits import FALSE, TRUE, Circuits


class Gates(Enum):
    """The set of clauses that define a gate."""

    BOTH = "both"
    """Both directions (Tseitin)."""
    NEEDED = "needed"
    """The direction in which the gate is used (Plaisted and Greenbaum)."""


class Clauses:
    """The requirements on a circuit as clauses; variables are numbered in order of appearance."""

    def __init__(self, circuits: Circuits, gates: Gates = Gates.NEEDED) -> None:
        self.clauses: list[list[int]] = []
        self._circuits = circuits
        self._both = gates is Gates.BOTH
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
