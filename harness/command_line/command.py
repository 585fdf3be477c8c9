"""The parts of a command: its options, and what its help text says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.command_line.kinds import ValueKind


@dataclass(frozen=True)
class Option:
    """An option, or a positional argument if the name does not begin with dashes.

    Attributes:
        about: what the option means; empty if its name says it.
        default: the value of an option that is not given.
        default_text: the default in help texts; the default itself if it is None.
        if_empty: the value of an option that is given without one.
        is_list: whether the option takes several values.
        goes_with: options of which one must be given beside this one, such as `--target`, or `--export code`.
    """

    name: str
    kind: ValueKind
    about: str = ""
    metavar: str = ""
    default: Any = None
    default_text: str | None = None
    if_empty: Any = None
    is_required: bool = False
    is_list: bool = False
    goes_with: tuple[str, ...] = ()

    @property
    def is_positional(self) -> bool:
        """Whether the value is given without the option's name."""
        return not self.name.startswith("--")

    @property
    def help(self) -> str:
        """The line of the help text: what must be given beside the option, what it means, and its default."""
        condition = f"with {' or '.join(self.goes_with)}" if self.goes_with else ""
        meaning = ": ".join(filter(None, (condition, self.about)))
        default = self.default_text if self.default_text is not None else str(self.default or "")
        if not default:
            return meaning
        return f"{meaning} (default: {default})" if meaning else f"default: {default}"


@dataclass(frozen=True)
class Command:
    """A command, declared once for the parser and the help texts; a function of `answers` does what it says.

    Attributes:
        one_of: options of which exactly one must be given.
        needed: what to give of them, for error messages and the help text.
        finding: what a result has that makes the exit status 1; empty if no result does.
        resumes: whether the same command, given again, goes on where it was interrupted.
    """

    name: str
    summary: str
    options: tuple[Option, ...] = ()
    one_of: tuple[str, ...] = ()
    needed: str = ""
    finding: str = ""
    resumes: bool = False

    @property
    def remarks(self) -> str:
        """The end of the help text."""
        needed = f"{self.needed[0].upper()}{self.needed[1:]}." if self.needed else ""
        finding = f"The exit status is 1 if {self.finding}." if self.finding else ""
        resumes = "An interrupted command continues when it is given again." if self.resumes else ""
        return " ".join(filter(None, (needed, finding, resumes)))
