"""What may stand behind the colon of `symstra:`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from harness.errors import UsageError
from harness.generators.symbolic.concretisation import Values


class Keep(StrEnum):
    """Which states are gone on from."""

    MAXIMAL = "maximal"
    """Those that no other one subsumes, of a level or of those before it."""
    FIRST = "first"
    """Those that no earlier one subsumes, so that the result hangs on the order of trying."""
    UNEQUAL = "unequal"
    """Those that no earlier one is equal to."""
    ALL = "all"
    """All."""


@dataclass(frozen=True)
class Options:
    """How a suite is made; the defaults stand for what the generator's name does not say.

    Attributes:
        calls: of a sequence at the most, the constructor's apart; None: as the spec and the scope tell.
    """

    keep: Keep = Keep.MAXIMAL
    values: Values = Values.ADJACENT
    calls: int | None = None

    @classmethod
    def read(cls, generator: str, text: str) -> Options:
        """Options as they stand in a generator's name, in any order: `values=spread,keep=all`.

        Raises:
            UsageError: it is no such text; the message tells what there is.
        """
        made: dict[str, object] = {}
        for option in text.split(","):
            name, equals, value = option.partition("=")
            if name not in _READ or not equals:
                raise _wrong(generator, text, f"{option!r} is none of its options")
            if name in made:
                raise _wrong(generator, text, f"{name} is said twice")
            made[name] = _READ[name](value)
            if made[name] is None:
                raise _wrong(generator, text, f"{value!r} is no value of {name}")
        return cls(**made)  # type: ignore[arg-type]

    def named(self, generator: str) -> str:
        """The generator's name with these options, in one order and without what is the default."""
        said = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        text = ",".join(f"{name}={getattr(self, name)}" for name in said)
        return f"{generator}:{text}" if text else generator


def _keep(text: str) -> Keep | None:
    return Keep(text) if text in list(Keep) else None


def _values(text: str) -> Values | None:
    return Values(text) if text in list(Values) else None


def _calls(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 and int(text) else None


_READ = {"keep": _keep, "values": _values, "calls": _calls}
_ABOUT = f"keep={'|'.join(Keep)}, values={'|'.join(Values)}, calls=NUMBER (from 1)"


def _wrong(generator: str, text: str, what: str) -> UsageError:
    return UsageError(f"generator '{generator}:{text}': {what}; behind the colon stand, in any order, {_ABOUT}")
