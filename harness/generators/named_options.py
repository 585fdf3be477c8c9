"""Reads and writes the options after the colon of a generator's name, such as `css:grouped=no` or `random:500`.

Which options a generator has stands in its folder, `policies/*/options.py`, and in `sat/options.py`.
"""

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
        is_bare: whether the value is written alone, without `name=` before it; one option of a generator may be.
    """

    about: str
    read: Callable[[str], Any]
    written: Callable[[Any], str] = str
    is_bare: bool = False


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
        has_one_spelling: whether options are only valid in the order of the fields and without defaults, because others
            read the generator's name.
    """

    table: ClassVar[Mapping[str, GeneratorOption]]
    has_one_spelling: ClassVar[bool] = False

    @classmethod
    def read(cls, generator: str, text: str, allowed: Collection[str] | None = None) -> Self:
        """Return the options in a generator's name, which may come in any order unless they have one spelling.

        Args:
            generator: the name before the colon.
            text: the text after the colon.
            allowed: the names of the options that this generator has (default: all of the table).

        Raises:
            UsageError: the text is not valid; the message shows the existing options.
        """
        names = [name for name in cls.table if allowed is None or name in allowed]
        try:
            options = cls(**cls._values(text, names))
            if cls.has_one_spelling and str(options) != text:
                raise ValueError(f"write {options.named(generator)!r}")
        except ValueError as problem:
            about = ", ".join(cls.table[name].about for name in names)
            order = "this" if cls.has_one_spelling else "any"
            reason = f"generator '{generator}:{text}': {problem}"
            raise UsageError(f"{reason}; behind the colon stand, in {order} order, {about}") from None
        return options

    @classmethod
    def _values(cls, text: str, names: Collection[str]) -> dict[str, Any]:
        """Return the values in a text by the names of their options.

        Raises:
            ValueError: the text is not valid.
        """
        bare = next((name for name in names if cls.table[name].is_bare), "")
        values: dict[str, Any] = {}
        for part in text.split(","):
            name, equals, written = part.partition("=") if "=" in part else (bare, "", part)
            option = cls.table[name] if name in names else None
            if option is None or option.is_bare == bool(equals):
                raise ValueError(f"{part!r} is none of its options")
            value = option.read(written)
            if value is None:
                none_of = f"no value of {name}" if equals else "none of its options"
                raise ValueError(f"{written!r} is {none_of}")
            if name in values:
                raise ValueError(f"{name} is said twice")
            values[name] = value
        if problem := cls.conflict(values):
            raise ValueError(problem)
        return values

    @classmethod
    def conflict(cls, names: Collection[str]) -> str | None:
        """Return the reason why options exclude each other; None if they do not."""
        return None

    def __str__(self) -> str:
        """Return the options that differ from their defaults, in the order of the fields."""
        differing = [field.name for field in fields(self) if getattr(self, field.name) != field.default]  # type: ignore[arg-type]
        return ",".join(self._written(name) for name in differing)

    def _written(self, name: str) -> str:
        option = self.table[name]
        text = option.written(getattr(self, name))
        return text if option.is_bare else f"{name}={text}"

    def named(self, generator: str) -> str:
        """Return the generator's name with these options."""
        text = str(self)
        return f"{generator}:{text}" if text else generator
