"""The options after the colon of `random:` and `hypothesis-stateful:`: limits, checks and arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.errors import UsageError
from harness.generators.policies.random.limits import MOST, RandomLimits

_SWITCHES: dict[str, tuple[str, bool]] = {
    "contracts=no": ("contracts", False),
    "aliases=no": ("aliases", False),
    "none=yes": ("none", True),
}
"""The attribute and value that each written option sets, in the only valid order of options."""


@dataclass(frozen=True)
class Options:
    """The options of a suite; they have only one spelling, because the spelling is part of the suite's name.

    Attributes:
        limits: the limits; None for the default limits of the generator.
        contracts: whether objects are checked against `Contract`.
        aliases: whether one object may be passed for two parameters.
        none: whether None is passed where a parameter takes objects.
    """

    limits: RandomLimits | None = None
    contracts: bool = True
    aliases: bool = True
    none: bool = False

    @classmethod
    def read(cls, text: str, generator: str) -> Options:
        """Read options such as `5000`, `calls=50000,contracts=no` or `aliases=no,none=yes`.

        Raises:
            UsageError: the text is not valid.
        """
        parts = text.split(",")
        limited = [part for part in parts if part not in _SWITCHES]
        switches = parts[len(limited) :]
        limits = RandomLimits.read(",".join(limited)) if limited else None
        if switches != [option for option in _SWITCHES if option in parts] or (limited and limits is None):
            raise UsageError(
                f"generator '{generator}:{text}': behind the colon stands the number of inputs, calls=NUMBER or "
                "seconds=NUMBER (of processor time), or several of them in this order; each is a whole number from 1 "
                f"to {MOST:,}, as in {generator}:5000 or {generator}:10000,calls=50000,seconds=20; last come "
                f"{', '.join(_SWITCHES)}, in this order"
            )
        return cls(limits, **dict(_SWITCHES[option] for option in switches))

    def repeating(self, inputs: int) -> Options:
        """Return the options that repeat a suite of `inputs` inputs made with these, without a limit of time."""
        if self.limits is None or self.limits.seconds is None:
            return self
        return replace(self, limits=replace(self.limits, inputs=inputs, calls=None, seconds=None))

    def named(self, generator: str) -> str:
        """Return the generator's name with these options."""
        parts = [] if self.limits is None else [str(self.limits)]
        parts += [option for option, (name, value) in _SWITCHES.items() if getattr(self, name) is value]
        return f"{generator}:{','.join(parts)}" if parts else generator
