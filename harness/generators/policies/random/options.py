"""The options after the colon of `random:` and `hypothesis-stateful:`: limits, checks and arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from harness.generators.named_options import GeneratorOption, NamedOptions, switch, whole_number
from harness.generators.policies.random.limits import MOST, RandomLimits

_NUMBER = whole_number(MOST)


@dataclass(frozen=True)
class Options(NamedOptions):
    """The options of a suite. `harness.model.stop_reason` reads the number of inputs in its name.

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

    @property
    def limits(self) -> RandomLimits | None:
        """The limits; None for the default limits of the generator."""
        if self.inputs is None and self.calls is None and self.seconds is None:
            return None
        return RandomLimits(MOST if self.inputs is None else self.inputs, self.calls, self.seconds)

    def repeating(self, inputs: int) -> Options:
        """Return the options that repeat a suite of `inputs` inputs made with these, without a limit of time."""
        return self if self.seconds is None else replace(self, inputs=inputs, calls=None, seconds=None)
