"""Mutants: an identity (operator, site, replacement) valid for one source hash, re-made where it runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, order=True)
class Location:
    """A half-open span of source text: lines from 1, columns from 0, counted in characters."""

    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True)
class OperatorSet:
    """A named set of mutation operators; its name is recorded with every score."""

    name: str
    operators: tuple[str, ...]
    """Codes, in the order in which their mutants stand where they begin at one place."""
    about: str


class MutantStatus(Enum):
    """The status of a mutant before any run."""

    VIABLE = "viable"
    STILLBORN = "stillborn"
    """Does not compile."""
    EQUIVALENT = "equivalent"
    """Compiles to the original's code objects (names and constants included), or equals it by `Mutant.rule`."""
    DUPLICATE = "duplicate"
    """Compiles to the code objects of an earlier mutant, named in `Mutant.same_as`, or equals it by `Mutant.rule`."""


@dataclass(frozen=True)
class Mutant:
    """One syntactic change: the text at `location` (`original`) becomes `replacement`.

    `id` is `operator:line:column:replacement` (shortened by a digest where long), so adding an
    operator renumbers nothing. `source_hash` is the sha256 of the implementation's source text;
    the mutant means nothing for any other source.
    """

    id: str
    operator: str
    function: str
    """Qualified name of the mutated function, as in `SearchTree.remove`."""
    location: Location
    original: str
    replacement: str
    source_hash: str
    status: MutantStatus = MutantStatus.VIABLE
    same_as: str | None = None
    rule: str | None = None
    """The rule by which it is EQUIVALENT or a DUPLICATE; None if the code objects show it."""


class Equivalence(Enum):
    """Whether a mutant is semantically equivalent: a property of the mutant, never set by a run."""

    UNKNOWN = "unknown"
    SUSPECTED = "suspected"
    PROVEN = "proven"


@dataclass(frozen=True)
class EquivalenceArgument:
    """The argument why a mutant is held to be equivalent, written by hand in `mutants/<name>/equivalence.toml`."""

    mutant: str
    equivalence: Equivalence
    argument: str
