"""Reads and writes the options after the colon of a generator's name, such as `css:grouped=no,paths=50`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, Self

from harness.errors import UsageError

_ANSWERS = {"yes": True, "no": False}


@dataclass(frozen=True)
class GeneratorOption:
    """One option.

    Attributes:
        about: the option with its values, for messages.
        read: returns the value of a text; None if the text is not valid.
        written: returns the text of a value.
    """

    about: str
    read: Callable[[str], Any]
    written: Callable[[Any], str] = str


def whole_number(most: int, least: int = 1) -> Callable[[str], int | None]:
    """Return the reader of a whole number between bounds, in the digits 0 to 9."""

    def read(text: str) -> int | None:
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        return int(text) if is_number and least <= int(text) <= most else None

    return read


def member_of(kind: type[StrEnum]) -> Callable[[str], StrEnum | None]:
    """Return the reader of the members of an enumeration, by their values."""
    return lambda text: kind(text) if text in list(kind) else None


def switch(about: str) -> GeneratorOption:
    """Return an option that is "yes" or "no"."""
    return GeneratorOption(about, _ANSWERS.get, lambda is_on: "yes" if is_on else "no")


class NamedOptions:
    """The base of a frozen dataclass of options; an option that a name leaves out has the default of its field.

    Attributes:
        table: how each field is read and written, by its name.
    """

    table: ClassVar[Mapping[str, GeneratorOption]]

    @classmethod
    def read(cls, generator: str, text: str, allowed: Collection[str] | None = None) -> Self:
        """Return the options in a generator's name, which may come in any order.

        Args:
            generator: the name before the colon.
            text: the text after the colon.
            allowed: the names of the options that this generator has (default: all of the table).

        Raises:
            UsageError: the text is not valid; the message shows the existing options.
        """
        names = [name for name in cls.table if allowed is None or name in allowed]
        values: dict[str, Any] = {}
        problem = None
        for part in text.split(","):
            name, equals, written = part.partition("=")
            if name not in names or not equals:
                problem = f"{part!r} is none of its options"
            elif name in values:
                problem = f"{name} is said twice"
            elif (value := cls.table[name].read(written)) is None:
                problem = f"{written!r} is no value of {name}"
            else:
                values[name] = value
                continue
            break
        problem = problem or cls.conflict(values)
        if problem:
            about = ", ".join(cls.table[name].about for name in names)
            reason = f"generator '{generator}:{text}': {problem}"
            raise UsageError(f"{reason}; behind the colon stand, in any order, {about}")
        return cls(**values)

    @classmethod
    def conflict(cls, names: Collection[str]) -> str | None:
        """Return the reason why options exclude each other; None if they do not."""
        return None

    def __str__(self) -> str:
        """Return the options that differ from their defaults, in the order of the fields."""
        differing = [field.name for field in fields(self) if getattr(self, field.name) != field.default]  # type: ignore[arg-type]
        return ",".join(f"{name}={self.table[name].written(getattr(self, name))}" for name in differing)

    def named(self, generator: str) -> str:
        """Return the generator's name with these options."""
        text = str(self)
        return f"{generator}:{text}" if text else generator
