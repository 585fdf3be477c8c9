"""The parts of a command: its options, and what its help text says."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.did_you_mean import suggestion
from harness.model.experiment import LARGEST_SCOPE, LARGEST_SEED, SMALLEST_SEED

if TYPE_CHECKING:
    from fractions import Fraction


_WHOLE = re.compile(r"-?[0-9]{1,20}")
_BUDGET = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
_WIDTH = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)(in|cm|mm)")
_UNITS = {"in": 1.0, "cm": 2.54, "mm": 25.4}
_LEAST_WIDTH, _GREATEST_WIDTH = 2, 40


@dataclass(frozen=True, eq=False)
class ValueKind:
    """A set of values that an option may take.

    Attributes:
        metavar: stands for a value in help texts.
        read: makes a value of the argument, or raises `argparse.ArgumentTypeError` with the error message.
        words: the arguments that are accepted, if there are only a few.
    """

    metavar: str
    read: Callable[[str], Any] = str
    words: tuple[str, ...] = field(default=())


def choice(meanings: Mapping[str, Any] | Sequence[str]) -> ValueKind:
    """Return the kind of options that take one of a few words; `meanings` may give the value of each word."""
    values = meanings if isinstance(meanings, Mapping) else {word: word for word in meanings}

    def read(text: str) -> Any:
        if text not in values:
            raise argparse.ArgumentTypeError(f"invalid choice: {text!r}; {suggestion(text, values)}")
        return values[text]

    words = tuple(values)
    return ValueKind(f"{{{','.join(words)}}}", read, words)


def _positive(text: str) -> int:
    number = _whole(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return number


def _seed(text: str) -> int:
    number = _whole(text)
    if number is None or not SMALLEST_SEED <= number <= LARGEST_SEED:
        raise argparse.ArgumentTypeError(f"a seed is a whole number of at most 64 bits, not {text!r}")
    return number


def _scope(text: str) -> int:
    number = _whole(text)
    if number is None or not 1 <= number <= LARGEST_SCOPE:
        raise argparse.ArgumentTypeError(f"a scope is a whole number from 1 (to {LARGEST_SCOPE}), not {text!r}")
    return number


def _scopes(text: str) -> list[int]:
    """Read a scope, or a range of scopes such as 1-5."""
    first, _, last = text.partition("-")
    if not (first and last):
        return [_scope(text)]
    numbers = list(range(_scope(first), _scope(last) + 1))
    if not numbers:
        raise argparse.ArgumentTypeError(f"{text!r} is an empty range of scopes")
    return numbers


def _width(text: str) -> float:
    """Read a width, such as 3.3in, 84mm or 8.4cm; return inches."""
    match = _WIDTH.fullmatch(text.strip())
    inches = float(match[1]) / _UNITS[match[2]] if match else 0.0
    if not _LEAST_WIDTH <= inches <= _GREATEST_WIDTH:
        raise argparse.ArgumentTypeError(
            f"a width is {_LEAST_WIDTH} to {_GREATEST_WIDTH} inches, such as 3.3in, 84mm or 8.4cm, not {text!r}"
        )
    return inches


def _budgets(text: str) -> list[Fraction]:
    """Read budgets, such as 100,1000 inputs or 0.1,1 seconds; return them in ascending order."""
    from fractions import Fraction

    numbers = set()
    for part in map(str.strip, text.split(",")):
        if not _BUDGET.fullmatch(part) or not Fraction(part):
            raise argparse.ArgumentTypeError(f"numbers from 1, or parts of a second such as 0.1, not {part!r}")
        numbers.add(Fraction(part))
    return sorted(numbers)


def _whole(text: str) -> int | None:
    """Return the number that the text is; None if it is none, or has too many digits."""
    return int(text) if _WHOLE.fullmatch(text) else None


FLAG = ValueKind("")
"""An option without a value."""
TEXT = ValueKind("NAME")
SUBJECT_NAME = ValueKind("S")
GENERATOR_NAME = ValueKind("G")
OPERATOR_SET = ValueKind("SET")
MODULE_NAME = ValueKind("MODULE")
PATHS = ValueKind("PATH")
REST = ValueKind("ARGUMENT")
"""All words up to the end of the line."""
ADDRESS = ValueKind("ADDRESS")
FILE = ValueKind("FILE", Path)
FOLDER = ValueKind("DIR", Path)
POSITIVE = ValueKind("N", _positive)
SEED = ValueKind("K", _seed)
SCOPE = ValueKind("N", _scope)
SCOPES = ValueKind("N|M-N", _scopes)
WIDTH = ValueKind("W", _width)
BUDGETS = ValueKind("N,N", _budgets)


@dataclass(frozen=True)
class Option:
    """An option, or a positional argument if the name does not begin with dashes.

    Attributes:
        about: what the option means; empty if its name says it.
        default: the value of an option that is not given.
        default_text: the default in help texts; the default itself if it is None.
        if_empty: the value of an option that is given without one.
        is_list: whether the option takes several values.
        goes_with: options of which one must be given beside this one, such as `--target`, or `--export code`.
    """

    name: str
    kind: ValueKind
    about: str = ""
    metavar: str = ""
    default: Any = None
    default_text: str | None = None
    if_empty: Any = None
    is_required: bool = False
    is_list: bool = False
    goes_with: tuple[str, ...] = ()

    @property
    def is_positional(self) -> bool:
        """Whether the value is given without the option's name."""
        return not self.name.startswith("--")

    @property
    def help(self) -> str:
        """The line of the help text: what must be given beside the option, what it means, and its default."""
        condition = f"with {' or '.join(self.goes_with)}" if self.goes_with else ""
        meaning = ": ".join(filter(None, (condition, self.about)))
        default = self.default_text if self.default_text is not None else str(self.default or "")
        if not default:
            return meaning
        return f"{meaning} (default: {default})" if meaning else f"default: {default}"


@dataclass(frozen=True)
class Command:
    """A command, declared once for the parser and the help texts; a function of `answers` does what it says.

    Attributes:
        one_of: options of which exactly one must be given.
        needed: what to give of them, for error messages and the help text.
        finding: what a result has that makes the exit status 1; empty if no result does.
        resumes: whether the same command, given again, goes on where it was interrupted.
    """

    name: str
    summary: str
    options: tuple[Option, ...] = ()
    one_of: tuple[str, ...] = ()
    needed: str = ""
    finding: str = ""
    resumes: bool = False

    @property
    def remarks(self) -> str:
        """The end of the help text."""
        needed = f"{self.needed[0].upper()}{self.needed[1:]}." if self.needed else ""
        finding = f"The exit status is 1 if {self.finding}." if self.finding else ""
        resumes = "An interrupted command continues when it is given again." if self.resumes else ""
        return " ".join(filter(None, (needed, finding, resumes)))
