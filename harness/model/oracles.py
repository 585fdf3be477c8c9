"""The oracles there are: where each is implemented, and what a run has to know of it.

Each oracle is implemented twice, in modules that share nothing: in `harness.kernel.judging` for runs, and in
`harness.kernel.naive` for `verify`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from harness.model.outcome import OracleName


class Proof(Enum):
    """The control mutants that an oracle has to kill in each trial (law 3)."""

    STATES = "states"
    """Mutants that return something else, and mutants that leave another state."""
    RESULTS = "results"
    """Mutants that return something else."""
    NOTHING = "nothing"
    """None, as a spec may promise less than the original does."""


@dataclass(frozen=True)
class OracleKind:
    """One oracle; a place is `module:name`.

    Attributes:
        judging: the place in `harness.kernel.judging` of the subclass of `harness.kernel.judging.oracle.Oracle`.
        naive: the place in `harness.kernel.naive` of the subclass of `harness.kernel.naive.oracle.Oracle`.
        proof: the planted mutants that it has to tell.
        asks_program: whether judging calls methods of the program under test, which may be mutated themselves.
        is_weaker: whether it kills on no input on which the differential oracle, looking at the same, does not. Of
            such an oracle only inputs are run that kill there.
    """

    judging: str
    naive: str
    proof: Proof
    asks_program: bool = False
    is_weaker: bool = False


ORACLES: Mapping[OracleName, OracleKind] = {
    OracleName.DIFFERENTIAL: OracleKind(
        "oracle:Oracle",
        "oracle:Oracle",
        Proof.STATES,
    ),
    OracleName.POSTCONDITION: OracleKind(
        "postcondition:PostconditionOracle",
        "naive_contracts:PostconditionOracle",
        Proof.NOTHING,
        is_weaker=True,
    ),
    OracleName.PUBLIC: OracleKind(
        "oracle:PublicOracle",
        "oracle:PublicOracle",
        Proof.RESULTS,
        is_weaker=True,
    ),
    OracleName.OBSERVERS: OracleKind(
        "oracle:ObserversOracle",
        "oracle:ObserversOracle",
        Proof.RESULTS,
        asks_program=True,
    ),
}
"""A further oracle is a name in `OracleName`, and a row here."""
