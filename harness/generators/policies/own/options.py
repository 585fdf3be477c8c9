"""The options after the last colon of the name of a user's generator, as in `mine.py:generate:distinct,most=5000`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.generators.named_options import GeneratorOption, NamedOptions, whole_number

MOST = 1_000_000
"""The number of inputs that a generator may make, unless its name has an option that says another one."""

_DISTINCT = "distinct"


@dataclass(frozen=True)
class Options(NamedOptions):
    """The options of a suite.

    Attributes:
        distinct: equal calls on equal states count once.
        most: the number of inputs that it may make.
    """

    distinct: bool = False
    most: int = MOST

    table: ClassVar = {
        "distinct": GeneratorOption(_DISTINCT, {_DISTINCT: True}.get, lambda is_on: _DISTINCT, is_bare=True),
        "most": GeneratorOption("most=NUMBER", whole_number(10**15 - 1, least=0)),
    }
