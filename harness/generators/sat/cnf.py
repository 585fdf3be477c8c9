"""Clauses of circuits: the transformations of Tseitin, and of Plaisted and Greenbaum."""

from __future__ import annotations

from enum import Enum

from harness.generators.sat.circuits import FALSE, TRUE, Circuits


class Gates(Enum):
    """Which clauses define a gate."""

    BOTH = "both"
    """Both directions (Tseitin)."""
    NEEDED = "needed"
    """The direction in which the gate is used (Plaisted and Greenbaum)."""


class Clauses:
    """What is required of a circuit, as clauses over variables that are numbered as they are met."""

    def __init__(self, circuits: Circuits, gates: Gates = Gates.NEEDED) -> None:
        self.clauses: list[list[int]] = []
        self._circuits = circuits
        self._both = gates is Gates.BOTH
        self._variables: dict[int, int] = {}
        self._defined: set[int] = set()
        self._required: set[int] = set()

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return len(self._variables)

    def variable(self, literal: int) -> int:
        """The solver's literal of a circuit's literal that is no constant."""
        number = self._variables.setdefault(abs(literal), len(self._variables) + 1)
        return number if literal > 0 else -number

    def name(self, literal: int) -> None:
        """Gives an input a variable now, so that those of inputs come first."""
        if abs(literal) != TRUE:
            self.variable(literal)

    def require(self, literal: int) -> None:
        """From now on, the literal is true."""
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
        """From now on, one of the literals is true."""
        if TRUE in literals:
            return
        wanted = [each for each in literals if each != FALSE]
        self.clauses.append([self.variable(each) for each in wanted])
        self._define(wanted)

    def _define(self, literals: list[int]) -> None:
        """The clauses by which each literal, where it is true, says what its gate says."""
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
