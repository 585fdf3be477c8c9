"""One suite as the tables look at it: its size and seconds, what it kills under each oracle, and what it covers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from harness.model.outcome import OracleName

POSTCONDITION, DIFFERENTIAL = OracleName.POSTCONDITION.value, OracleName.DIFFERENTIAL.value
"""The oracles: that of the paper (section 6), and comparison with the original."""

FirstKills = Mapping[str, int | None]
"""By counted mutant, the number of the first input that kills it, from 0; None where none does."""


@dataclass(frozen=True)
class MeasuredSuite:
    """The suite of one trial.

    `generating` and `testing` are processor seconds, of making the suite and of running the original with its oracles
    on all inputs; `elapsed` are seconds of the clock, of making it on a machine that may be busy; `first_kills` are by
    oracle, of those under which the mutants were run; `extension` is the sum of the pairs that are feasible for the
    fields, known of field-exhaustive suites; `ended` is what its generator says that ended the suite. None: not known.
    """

    subject: str
    generator: str
    scope: int
    seed: int
    inputs: int
    states: int
    generating: float | None = None
    testing: float | None = None
    first_kills: Mapping[str, FirstKills] = field(default_factory=dict)
    branches: Fraction | None = None
    extension: int | None = None
    elapsed: float | None = None
    ended: str | None = None

    def mutants(self, oracle: str) -> int | None:
        """How many mutants count; None where they were not run under the oracle."""
        kills = self.first_kills.get(oracle)
        return None if kills is None else len(kills)

    def killed(self, oracle: str, beginning: int | None = None) -> int | None:
        """How many mutants the suite kills, or so many inputs at its beginning."""
        kills = self.first_kills.get(oracle)
        if kills is None:
            return None
        size = self.inputs if beginning is None else beginning
        return sum(first is not None and first < size for first in kills.values())

    def score(self, oracle: str, beginning: int | None = None) -> Fraction | None:
        """The part of the counted mutants that die; None where they were not run, or none counts."""
        killed, mutants = self.killed(oracle, beginning), self.mutants(oracle)
        return Fraction(killed, mutants) if killed is not None and mutants else None

    def beginning_that_kills(self, oracle: str, wanted: int) -> int | None:
        """How many inputs from the first one on kill so many mutants; None where the whole suite does not."""
        kills = self.first_kills.get(oracle, {})
        firsts = sorted(first for first in kills.values() if first is not None)
        if wanted == 0:
            return 0
        return firsts[wanted - 1] + 1 if len(firsts) >= wanted else None
