"""What may stand behind the colon of `field-exhaustive:` and `sat-exhaustive:`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from harness.errors import UsageError
from harness.generators.sat.solver import DEFAULT, SOLVERS

REFERENCES = "references"
"""Instead of names of fields: all that can refer to an object, so the shape alone."""


class Reduce(StrEnum):
    """What becomes of a suite that covers its pairs already."""

    NOTHING = "nothing"
    IRREDUNDANT = "irredundant"
    """No instance can be left out."""
    MINIMAL = "minimal"
    """As few of the instances found as cover the same pairs."""


class Prefer(StrEnum):
    """What the solver guesses first of a pair."""

    NEW = "new"
    """That it is there, if no earlier instance has it, and else that it is not: fewer instances cover all pairs."""
    NOTHING = "nothing"
    """What the solver's own rules say."""


@dataclass(frozen=True)
class Options:
    """How a suite is made by the solver; the defaults stand for what its generator's name does not say.

    Attributes:
        fields: whose pairs are to be covered, by name (`left`, `Node.left`, `references`), sorted; none: all.
        part: how many per cent of the pairs, at least, from 1 to 100.
        instances: how many are found at the most, whatever they cover; None: as many as there are to find.
    """

    fields: tuple[str, ...] = ()
    part: int = 100
    reduce: Reduce = Reduce.NOTHING
    prefer: Prefer = Prefer.NEW
    solver: str = DEFAULT
    instances: int | None = None

    @classmethod
    def read(cls, generator: str, text: str, allowed: tuple[str, ...]) -> Options:
        """Options as they stand in a generator's name, in any order: `fields=left+right,reduce=minimal`.

        Args:
            allowed: names of the options that the generator has.

        Raises:
            UsageError: it is no such text; the message tells what there is.
        """
        made: dict[str, object] = {}
        for option in text.split(","):
            name, equals, value = option.partition("=")
            if name not in allowed or not equals:
                raise _wrong(generator, text, f"{option!r} is none of its options", allowed)
            if name in made:
                raise _wrong(generator, text, f"{name} is said twice", allowed)
            made[name] = _READ[name](value)
            if made[name] is None:
                raise _wrong(generator, text, f"{value!r} is no value of {name}", allowed)
        if "instances" in made and "part" in made:
            raise _wrong(generator, text, "part is of the whole extension, which instances leaves unknown", allowed)
        return cls(**made)  # type: ignore[arg-type]

    def __str__(self) -> str:
        """What `read` reads, in one order and without what is the default."""
        shown = {
            "fields": "+".join(self.fields),
            "part": str(self.part),
            "reduce": self.reduce.value,
            "prefer": self.prefer.value,
            "solver": self.solver,
            "instances": str(self.instances),
        }
        said = [field.name for field in fields(self) if getattr(self, field.name) != field.default]
        return ",".join(f"{name}={shown[name]}" for name in said)

    def named(self, generator: str) -> str:
        """The generator's name with these options."""
        return f"{generator}:{self}" if str(self) else generator


def _fields(text: str) -> tuple[str, ...] | None:
    names = text.split("+")
    return tuple(sorted(set(names))) if all(name.strip() == name != "" for name in names) else None


def _part(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 and 1 <= int(text) <= 100 else None


def _reduce(text: str) -> Reduce | None:
    return Reduce(text) if text in list(Reduce) else None


def _prefer(text: str) -> Prefer | None:
    return Prefer(text) if text in list(Prefer) else None


def _solver(text: str) -> str | None:
    return text if text in SOLVERS else None


def _instances(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 and int(text) else None


_READ = {
    "fields": _fields,
    "part": _part,
    "reduce": _reduce,
    "prefer": _prefer,
    "solver": _solver,
    "instances": _instances,
}

_ABOUT = {
    "fields": f"fields=NAME+NAME (or fields={REFERENCES})",
    "part": "part=PERCENT (from 1 to 100)",
    "reduce": f"reduce={'|'.join(Reduce)}",
    "prefer": f"prefer={'|'.join(Prefer)}",
    "solver": f"solver={'|'.join(SOLVERS)}",
    "instances": "instances=NUMBER (the first so many, and no part)",
}


def _wrong(generator: str, text: str, what: str, allowed: tuple[str, ...]) -> UsageError:
    there_is = ", ".join(_ABOUT[name] for name in allowed)
    return UsageError(f"generator '{generator}:{text}': {what}; behind the colon stand, in any order, {there_is}")
