"""Options that restrict and order the enumeration of candidate sequences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PartialOrder(StrEnum):
    """The rules by which candidates are kept that differ only in the order of their calls."""

    NO = "no"
    """Keep all of them."""
    YES = "yes"
    """Keep exactly one of those that differ by swaps of commuting neighbours, and all others."""
    PRINTED = "printed"
    """Keep the candidates that the rule of section 4.3.4 keeps. A call precedes one that it does not influence only if
    its number is no higher. The rule tests influence in one direction only, so it may lose candidates without an
    equivalent one.
    """


@dataclass(frozen=True, slots=True)
class Switches:
    """Options that restrict and order the enumeration (jtestcraft2010, sections 4.3.3, 4.3.4 and 4.4.3).

    Attributes:
        data_flow: leave out candidates whose calls are not all linked by objects, or by variables of the module.
        partial_order: which candidates are kept of those that differ only in the order of their calls.
        grouped: yield candidates of one length that begin with the same calls one after the other.
    """

    data_flow: bool = True
    partial_order: PartialOrder = PartialOrder.YES
    grouped: bool = True
