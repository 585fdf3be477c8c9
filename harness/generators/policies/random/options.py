"""What stands behind the colon of `random:` and `hypothesis-stateful:`: limits, and what is checked and passed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.errors import UsageError
from harness.generators.policies.random.limits import MOST, Limits

_SAID: dict[str, tuple[str, bool]] = {
    "contracts=no": ("contracts", False),
    "aliases=no": ("aliases", False),
    "none=yes": ("none", True),
}
"""How an option that is not at its default is written, in the only order."""


@dataclass(frozen=True)
class Options:
    """How a suite is made; each suite has one spelling, as its spelling is part of its name.

    Attributes:
        limits: None: those of the generator.
        contracts: whether objects are checked against `Contract`.
        aliases: whether one object may be passed for two parameters.
        none: whether None is passed where a parameter takes objects.
    """

    limits: Limits | None = None
    contracts: bool = True
    aliases: bool = True
    none: bool = False

    @classmethod
    def read(cls, text: str, generator: str) -> Options:
        """Read options such as `5000`, `calls=50000,contracts=no` or `aliases=no,none=yes`.

        Raises:
            UsageError: it is no such text.
        """
        parts = text.split(",")
        limited = [part for part in parts if part not in _SAID]
        said = parts[len(limited) :]
        limits = Limits.read(",".join(limited)) if limited else None
        if said != [option for option in _SAID if option in parts] or (limited and limits is None):
            raise UsageError(
                f"generator '{generator}:{text}': behind the colon stands the number of inputs, calls=NUMBER or "
                "seconds=NUMBER (of processor time), or several of them in this order; each is a whole number from 1 "
                f"to {MOST:,}, as in {generator}:5000 or {generator}:10000,calls=50000,seconds=20; last come "
                f"{', '.join(_SAID)}, in this order"
            )
        return cls(limits, **dict(_SAID[option] for option in said))

    def repeating(self, inputs: int) -> Options:
        """Those of a suite of `inputs` inputs that these made: the same, but for a clock."""
        if self.limits is None or self.limits.seconds is None:
            return self
        return replace(self, limits=replace(self.limits, inputs=inputs, calls=None, seconds=None))

    def named(self, generator: str) -> str:
        """The generator's name with these options."""
        parts = [] if self.limits is None else [str(self.limits)]
        parts += [option for option, (name, value) in _SAID.items() if getattr(self, name) is value]
        return f"{generator}:{','.join(parts)}" if parts else generator
