"""The option after the colon of `hypothesis:`; those of `hypothesis-stateful:` are the options of `random:`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from harness.generators.named_options import GeneratorOption, NamedOptions, whole_number

MOST_STATES = 1_000_000


@dataclass(frozen=True)
class Options(NamedOptions):
    """The number of states to find, as in `hypothesis:500`."""

    states: int = 100

    table: ClassVar = {
        "states": GeneratorOption(
            f"the number of states (from 1 to {MOST_STATES:,})", whole_number(MOST_STATES), is_bare=True
        ),
    }
