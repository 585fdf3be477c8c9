"""The kinds of options: which values they take, and how a wrong value is refused."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.command_line import numbers
from harness.did_you_mean import suggestion
from harness.model.experiment import LARGEST_SCOPE


@dataclass(frozen=True, eq=False)
class ValueKind:
    """A set of values that an option may take.

    Attributes:
        values: the values in words, for the reference.
        metavar: stands for a value in help texts.
        read: makes a value of the argument, or raises `argparse.ArgumentTypeError` with the error message.
        words: the arguments that are accepted, if there are only a few.
    """

    values: str
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
    return ValueKind(f"one of {', '.join(words)}", f"{{{','.join(words)}}}", read, words)


FLAG = ValueKind("none", "")
"""An option without a value."""
TEXT = ValueKind("text", "NAME")
SUBJECT_NAME = ValueKind("the name of a subject, or its folder", "S")
GENERATOR_NAME = ValueKind("the name of a generator, with options after a colon", "G")
OPERATOR_SET = ValueKind("the name of an operator set", "SET")
MODULE_NAME = ValueKind("the name of a module or package, as it is imported", "NAME")
MODULE_NAMES = ValueKind("names of modules, as they are imported", "MODULE")
PATHS = ValueKind("files, folders or node ids", "PATH")
REST = ValueKind("all words up to the end of the line", "ARGUMENT")
ADDRESS = ValueKind("a host and a port, such as tcp://10.0.0.1:8786", "ADDRESS")
FILE = ValueKind("a file", "FILE", Path)
FILES = ValueKind("files", "FILE")
FOLDER = ValueKind("a folder", "DIR", Path)
POSITIVE = ValueKind("a whole number from 1", "N", numbers.positive)
SEED = ValueKind("a whole number of at most 64 bits", "K", numbers.seed)
SCOPE = ValueKind(f"a whole number from 1 to {LARGEST_SCOPE}", "N", numbers.scope)
SCOPES = ValueKind(f"a whole number from 1 to {LARGEST_SCOPE}, or a range such as 1-5", "N|M-N", numbers.scopes)
WIDTH = ValueKind("a width in in, cm or mm, such as 3.3in", "W", numbers.width)
BUDGETS = ValueKind("whole numbers with commas between them, or parts of a second such as 0.1", "N,N", numbers.budgets)
