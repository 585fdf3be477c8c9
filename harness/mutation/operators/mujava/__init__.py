"""The table of muJava's method-level operators, and those of its mutations that have no counterpart in Python."""

from __future__ import annotations

from dataclasses import dataclass

from harness.mutation.operators.mujava.arithmetic import AODU, AOIS, AOIU, AORB, AORS, ASRS
from harness.mutation.operators.mujava.conditional import COD, COI, COR, LOD, LOI, LOR, ROR, SOR
from harness.mutation.operators.mujava.deletions import CDL, ODL, SDL, VDL
from harness.mutation.operators.operator import MutationOperator

MUJAVA_OPERATORS: tuple[MutationOperator, ...] = (
    AORB,  # arithmetic, binary     a + b    -> a - b
    AORS,  # increment              n += 1   -> n -= 1
    AOIU,  # minus put in           a        -> -a
    AOIS,  # increment put in       n        -> (n := n + 1)
    AODU,  # minus left out         -a       -> a
    ROR,  #  relational             a < b    -> a <= b, True
    COR,  #  conditional            a and b  -> a or b
    COD,  #  negation left out      not a    -> a
    COI,  #  negation put in        a < b    -> not a < b
    SOR,  #  shift                  a << b   -> a >> b
    LOR,  #  bitwise                a & b    -> a | b
    LOI,  #  complement put in      a        -> ~a
    LOD,  #  complement left out    ~a       -> a
    ASRS,  # augmented assignment   n += k   -> n -= k
    SDL,  #  statement left out     n = k    -> pass
    VDL,  #  variable left out      a + 1    -> 1
    CDL,  #  constant left out      a + 1    -> a
    ODL,  #  operator left out      a() + b  -> a()
)


@dataclass(frozen=True)
class NoCounterpart:
    """Something that an operator does in Java, and the reason why it has no counterpart in Python."""

    code: str
    change: str
    reason: str


WITHOUT_COUNTERPART = (
    NoCounterpart(
        "AODS",
        "`++` or `--` left out, as in `a = n++` to `a = n`",
        "An increment is a statement in Python, so it has no value that could be left. Nor does Java compile `n;` for "
        "`n++;`. SDL leaves out the whole statement.",
    ),
    NoCounterpart(
        "AORS",
        "`n++` to `++n`",
        "The two differ in their value, and `n += 1` has none.",
    ),
    NoCounterpart(
        "AOIS",
        "`++` and `--` put before and behind a field or an array's element",
        "Python's only assignment within an expression, `:=`, takes nothing but the name of a variable.",
    ),
    NoCounterpart(
        "SOR, ASRS",
        "`>>>` and `>>>=`",
        "Python's integers have no width, so there is no shift that fills up with zeros from the left.",
    ),
    NoCounterpart(
        "SDL",
        "the condition and the increment of a `for` left out",
        "Python's `for` goes through the elements of an iterable; it has neither.",
    ),
)

__all__ = ["MUJAVA_OPERATORS", "WITHOUT_COUNTERPART", "NoCounterpart"]
