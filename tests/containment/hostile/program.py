"""A hostile program: what it tries, and how a mutant that tries it may end."""

import re
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


_HEADING = re.compile(r"^## (\S+): (.*)\n", re.MULTILINE)


def family(
    name: str, text: str, ends: tuple[str, ...] = HARMLESS, before: str = "", **fields: bool
) -> tuple[Program, ...]:
    """Programs that share a family and how they may end: in the text, each follows its name and what it tries.

    Args:
        before: what every program begins with.
    """
    _, *parts = _HEADING.split(text.strip("\n") + "\n")
    rows = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return tuple(
        Program(own, name, tries, (before + source).lstrip("\n"), ends, **fields) for own, tries, source in rows
    )
