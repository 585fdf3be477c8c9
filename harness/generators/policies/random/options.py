"""The limits and other options after the colon of `random:` and `hypothesis-stateful:`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from harness.generators.named_options import GeneratorOption, NamedOptions, switch, whole_number

MOST = 100_000_000
"""The largest value of a limit; also the number of inputs if the name limits only calls or time."""
_NUMBER = whole_number(MOST)


@dataclass(frozen=True)
class Options(NamedOptions):
    """The options of a suite. `harness.model.stop_reason` reads the number of inputs in its name.

    Limits of inputs and calls end a suite at the same input on every machine; seconds of processor time do not.

    Attributes:
        inputs: the number of inputs; if no option is a limit, that of the generator, and otherwise MOST.
        calls: the number of executed calls.
        seconds: the seconds of processor time.
        contracts: whether objects are checked against `Contract`.
        aliases: whether one object may be passed for two parameters.
        none: whether None is passed where a parameter takes objects.
    """

    inputs: int | None = None
    calls: int | None = None
    seconds: int | None = None
    contracts: bool = True
    aliases: bool = True
    none: bool = False

    has_one_spelling: ClassVar = True
    table: ClassVar = {
        "inputs": GeneratorOption(f"the number of inputs (each number is from 1 to {MOST:,})", _NUMBER, is_bare=True),
        "calls": GeneratorOption("calls=NUMBER", _NUMBER),
        "seconds": GeneratorOption("seconds=NUMBER (of processor time)", _NUMBER),
        "contracts": switch("contracts=no"),
        "aliases": switch("aliases=no"),
        "none": switch("none=yes"),
    }

    def most_inputs(self, default: int) -> int:
        """Return the number of found inputs after which no further sequence begins; `default` if there is no limit."""
        if self.inputs is None:
            return default if self.calls is None and self.seconds is None else MOST
        return self.inputs

    def repeating(self, inputs: int) -> Options:
        """Return the options that repeat a suite of `inputs` inputs made with these, without a limit of time."""
        return self if self.seconds is None else replace(self, inputs=inputs, calls=None, seconds=None)
