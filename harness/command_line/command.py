"""The parts of a command: its options, its forms, and the values that options have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.command_line.kinds import ValueKind
from harness.command_line.output import Output


class OptionValues:
    """The values of a command's options by the names of the options, such as `--scope`."""

    def __init__(self, values: Mapping[str, Any], given_names: Collection[str]) -> None:
        self._values = dict(values)
        self._given_names = frozenset(given_names)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def is_given(self, words: str) -> bool:
        """Return whether an option was given, as in `--target`, or has a value, as in `--export code`."""
        name, _, value = words.partition(" ")
        return self._values[name] == value if value else name in self._given_names

    def replaced(self, values: Mapping[str, Any]) -> OptionValues:
        """Return the values with some of them replaced."""
        return OptionValues(self._values | dict(values), self._given_names)


@dataclass(frozen=True)
class Requirement:
    """The options of which one must be given together with another option.

    Attributes:
        options: such as `--target`, or `--export code` if a value is required.
        refusal: the error message (default: that of the form). It may name `{option}` and `{form}`, which are both
            given.
    """

    options: tuple[str, ...]
    refusal: str = ""

    def __str__(self) -> str:
        return " or ".join(self.options)


@dataclass(frozen=True)
class Option:
    """An option, or a positional argument if the name does not begin with dashes.

    Attributes:
        parameter: the parameter of functions of `harness.api` that the value is passed for. Without one, the option
            only decides what is printed.
        about: what the option means; empty if its name says it.
        default: the value of an option that is not given; a text is read as if it was given.
        default_text: the default in help texts; the default itself if it is None.
        if_empty: the value of an option that is given without one.
        is_list: whether the option takes several values.
        requirement: what must be given beside the option.
    """

    name: str
    kind: ValueKind
    parameter: str = ""
    about: str = ""
    metavar: str = ""
    default: Any = None
    default_text: str | None = None
    if_empty: Any = None
    is_required: bool = False
    is_list: bool = False
    requirement: Requirement | None = None

    @property
    def is_positional(self) -> bool:
        """Whether the value is given without the option's name."""
        return not self.name.startswith("--")

    @property
    def value_name(self) -> str:
        """The word that stands for a value in help texts."""
        return self.name if self.is_positional else self.metavar or self.kind.metavar

    @property
    def default_in_words(self) -> str:
        """The default in words; empty if there is none to show."""
        if self.default_text is not None:
            return self.default_text
        return "" if self.default is None or self.default is False else str(self.default)

    @property
    def help(self) -> str:
        """The line of the help text: what must be given beside the option, what it means, and its default."""
        condition = f"with {self.requirement}" if self.requirement and not self.about.startswith("with ") else ""
        meaning = ": ".join(filter(None, (condition, self.about)))
        if not self.default_in_words:
            return meaning
        return f"{meaning} (default: {self.default_in_words})" if meaning else f"default: {self.default_in_words}"


@dataclass(frozen=True)
class CommandForm:
    """One use of a command, which calls one function of `harness.api`.

    Attributes:
        option: the option that chooses this form, such as `--target` or `--export code`; empty for any other use.
        needs: the options that this form needs, each with the error message if it is not given.
        refusal: the error message for an option whose requirement is not met in this form; it may name `{requirement}`.
    """

    function: str
    option: str = ""
    needs: Mapping[str, str] = field(default_factory=dict)
    refusal: str = "{option} does not go with {form}; leave one of them out"


@dataclass(frozen=True)
class NextCall:
    """A further function of `harness.api`, and the options that are passed to it instead of the form's function."""

    function: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Alternatives:
    """Options of which exactly one must be given, and the error message otherwise."""

    options: tuple[str, ...]
    refusal: str


@dataclass(frozen=True)
class Command:
    """A command, declared once for the parser, the help texts, the reference and the call.

    Attributes:
        forms: the uses of the command; the first one whose option is given is called.
        call: calls the function of the form, and returns its result.
        output: what is printed of the result.
        then: the call that takes the result of the form's function as its first argument.
        finding: what a result has that makes the exit status 1; empty if no result does.
        resumes: whether the same command, given again, goes on where it was interrupted.
    """

    name: str
    summary: str
    options: tuple[Option, ...]
    forms: tuple[CommandForm, ...]
    call: Callable[[Command, OptionValues], Any]
    output: Callable[[Any, OptionValues], Output]
    then: NextCall | None = None
    alternatives: Alternatives | None = None
    finding: str = ""
    resumes: bool = False

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of `harness.api` that the command calls."""
        names = dict.fromkeys(form.function for form in self.forms)
        return (*names, self.then.function) if self.then else tuple(names)

    def options_of(self, function: str) -> tuple[Option, ...]:
        """Return the options that may be passed to a function, if it has such parameters."""
        later = self.then.options if self.then else ()
        is_later = self.then is not None and function == self.then.function
        return tuple(option for option in self.options if option.parameter and (option.name in later) == is_later)
