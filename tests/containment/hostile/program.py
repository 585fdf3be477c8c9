"""A hostile program: what it tries, and how a mutant that tries it may end."""

from collections.abc import Iterable
from dataclasses import dataclass

SURVIVED = "survived"
"""It did as the original, and its act came to nothing."""

HARMLESS = (SURVIVED, "crash")
"""An act that is refused, or that ends its own process."""

STOPPED = ("wall_limit", "step_limit", "memory_limit", "crash", "exception")
"""An act that takes what is limited."""

ANYHOW = (SURVIVED, "output", *STOPPED, "rep_invariant", "state")
"""A program that writes into the pipes of its own process is judged somehow, and harms nobody else."""


@dataclass(frozen=True)
class Program:
    """`source` is run once in each process, instead of an expression; `tries` says what it is after.

    `ends`: reasons of a kill, or SURVIVED, that are right. `at_load`: it acts at module level.
    `waits`: it costs the ten seconds that a waiting program is given; `dear`: seconds of work. `alone`: where it gets out, other programs
    of the same run suffer as well.
    """

    name: str
    family: str
    tries: str
    source: str
    ends: tuple[str, ...] = HARMLESS
    at_load: bool = False
    waits: bool = False
    dear: bool = False
    alone: bool = False

    @property
    def id(self) -> str:
        """The id of the mutant that contains the program."""
        return f"ACT:{self.name}"


Row = tuple[str, str, str]


def family(name: str, rows: Iterable[Row], ends: tuple[str, ...] = HARMLESS, **fields: bool) -> tuple[Program, ...]:
    """Programs that share a family and how they may end: rows of name, what is tried, and source."""
    return tuple(Program(row[0], name, row[1], row[2].strip("\n") + "\n", ends, **fields) for row in rows)
