"""Parses arguments by the declared commands; wrong use is one line, like every other error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from harness import __version__
from harness.command_line.command import Command, Option, OptionValues
from harness.command_line.commands import COMMANDS, EXAMPLES, GROUPS
from harness.command_line.kinds import FLAG, REST
from harness.command_line.options import JSON
from harness.did_you_mean import suggestion
from harness.errors import UsageError

_COMMAND, _GIVEN_NAMES = "command", "given_names"
"""Attributes of the parsed arguments: the command's name, and the names of the options that were given."""


class _Value(argparse.Action):
    """Stores a value like argparse, but refuses a second one, which would replace the first without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the value.

        Raises:
            UsageError: the option was given before.
        """
        given_names: set[str] = vars(namespace).setdefault(_GIVEN_NAMES, set())
        if option and self.dest in given_names:
            parser.error(f"{option} is given twice")
        if option or values is not self.default:  # argparse calls this for positionals that are missing, too
            given_names.add(self.dest)
        setattr(namespace, self.dest, values)


class _Values(argparse.Action):
    """Stores a list; an option that is given again adds to it."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store the values after those that were given before."""
        given_names: set[str] = vars(namespace).setdefault(_GIVEN_NAMES, set())
        before = getattr(namespace, self.dest) if self.dest in given_names else ()
        given_names.add(self.dest)
        setattr(namespace, self.dest, [*before, *values])


class _Flag(argparse.Action):
    """Stores that an option without a value is given."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        """Store True."""
        vars(namespace).setdefault(_GIVEN_NAMES, set()).add(self.dest)
        setattr(namespace, self.dest, True)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors name what was meant, and where to read what there is."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(
                action, f"invalid choice: {value!r}; {suggestion(value, map(str, action.choices))}"
            )

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse like argparse, but refuse what is left over here, where the options that could be meant are known."""
        options, left = super().parse_known_args(args, namespace)
        if left:
            name = next((word.partition("=")[0] for word in left if word.startswith("--")), None)
            hint = suggestion(name, self._option_string_actions) if name else ""
            near = f"; {hint}" if hint.endswith("?") else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{near}")
        return options, left

    def error(self, message: str) -> Any:
        """Raise the message as `UsageError`."""
        pause = "" if message.endswith("?") else ";"
        raise UsageError(f"{message}{pause} '{self.prog} --help' lists what there is")


def parse(arguments: Sequence[str] | None = None) -> tuple[Command, OptionValues]:
    """Return the command that arguments name, and the values of its options.

    Args:
        arguments: by default those of the process.

    Raises:
        UsageError: arguments name no command, or are none of its options.
        SystemExit: a help text or the version was asked for, and is printed.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS.get(next(iter(words), ""))
    rest = [option.name for option in command.options if option.kind is REST] if command else []
    if rest and "--" in words:
        words[words.index("--")] = rest[0]
    options = vars(build_parser().parse_args(words))
    return COMMANDS[options[_COMMAND]], OptionValues(options, options.get(_GIVEN_NAMES, ()))


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = _Parser(
        prog="mutascope",
        description="Measure how good a test generator or a test suite is, by mutants and coverage.",
        epilog=_groups_and_examples(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mutascope {__version__}")
    commands = parser.add_subparsers(dest=_COMMAND, required=True, parser_class=_Parser, metavar="COMMAND")
    for command in COMMANDS.values():
        added = commands.add_parser(command.name, description=command.summary)
        for option in (JSON, *command.options):
            _add(added, option)
    return parser


def _groups_and_examples() -> str:
    """Return the part of the help text that lists the commands by groups, and some uses."""
    width = max(map(len, COMMANDS))
    lines: list[str] = []
    for group, names in GROUPS.items():
        lines += [f"{group}:", *(f"  {name:<{width}}  {COMMANDS[name].summary}" for name in names), ""]
    lines.append("Examples:")
    for example, purpose in EXAMPLES:
        lines.append(f"  {example:<{max(len(line) for line, _ in EXAMPLES)}}  # {purpose}")
    return "\n".join([*lines, "", "'mutascope COMMAND --help' lists the options of a command."])


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    settings: dict[str, Any] = {"help": option.help.replace("%", "%%") or None, "default": option.default}
    if option.kind is FLAG:
        parser.add_argument(option.name, dest=option.name, action=_Flag, nargs=0, **settings | {"default": False})
        return
    settings |= {"action": _Value, "type": option.kind.read, "metavar": option.value_name}
    if option.is_list:
        settings |= {"nargs": argparse.REMAINDER if option.kind is REST else "+", "action": _Values}
    if option.if_empty is not None or (option.is_positional and not option.is_required):
        settings |= {"nargs": "?", "const": option.if_empty}
    if not option.is_positional:
        settings |= {"dest": option.name, "required": option.is_required}
    parser.add_argument(option.name, **settings)
