"""Parses arguments by the declared commands; wrong use is one line, like every other error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from harness import __version__
from harness.command_line.command import FLAG, REST, Command, Option
from harness.command_line.commands import COMMANDS, EXAMPLES, GROUPS, JSON
from harness.did_you_mean import suggestion
from harness.errors import UsageError

_COMMAND = "command"
"""The attribute of the parsed arguments that is the command's name."""


class _Value(argparse.Action):
    """Stores a value like argparse, but refuses a second one, which would replace the first without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        if option and getattr(namespace, self.dest) is not None:
            parser.error(f"{option} is given twice")
        setattr(namespace, self.dest, values)


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


def parse(arguments: Sequence[str] | None = None) -> tuple[Command, dict[str, Any]]:
    """Return the command that arguments name, and the values of its options by their names.

    Args:
        arguments: by default those of the process.

    Raises:
        UsageError: arguments name no command, are none of its options, or do not go together.
        SystemExit: a help text or the version was asked for, and is printed.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    command = COMMANDS.get(next(iter(words), ""))
    rest = [option.name for option in command.options if option.kind is REST] if command else []
    if rest and "--" in words:
        words[words.index("--")] = rest[0]
    given = {name: value for name, value in vars(build_parser().parse_args(words)).items() if value is not None}
    command = COMMANDS[given[_COMMAND]]
    _check(command, given)
    defaults = {option.name: False if option.kind is FLAG else option.default for option in (JSON, *command.options)}
    return command, defaults | given


def _check(command: Command, given: Mapping[str, Any]) -> None:
    """Check that the options that are given go together.

    Raises:
        UsageError: not exactly one of the command's alternatives is given, or an option without one it goes with.
    """
    chosen = [name for name in command.one_of if name in given]
    if command.one_of and len(chosen) != 1:
        raise UsageError(command.needed)
    for option in command.options:
        if option.name not in given or not option.goes_with or any(_is_given(one, given) for one in option.goes_with):
            continue
        needed = " or ".join(option.goes_with)
        advice = f"give {needed} as well, or leave {option.name} out"
        if option.goes_with[0] in command.one_of:  # which excludes the one that is given
            is_file = chosen == ["EXPERIMENT"]
            reason = "an experiment's file says it for each trial" if is_file else f"{chosen[0]} is given"
            advice = f"{reason}, so leave {option.name} out"
        raise UsageError(f"{option.name} goes with {needed}; {advice}")


def _is_given(words: str, given: Mapping[str, Any]) -> bool:
    """Return whether an option was given, as in `--target`, or with a value, as in `--export code`."""
    name, _, value = words.partition(" ")
    return given.get(name) == value if value else name in given


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
        added = commands.add_parser(command.name, description=command.summary, epilog=command.remarks)
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
    settings: dict[str, Any] = {"help": option.help.replace("%", "%%") or None, "default": None}
    if option.kind is FLAG:
        parser.add_argument(option.name, dest=option.name, action="store_true", **settings)
        return
    settings |= {"action": _Value, "type": option.kind.read, "metavar": option.metavar or option.kind.metavar}
    if option.is_list:
        settings |= {"nargs": argparse.REMAINDER if option.kind is REST else "+", "action": "extend"}
    if option.if_empty is not None or (option.is_positional and not option.is_required):
        settings |= {"nargs": "?", "const": option.if_empty}
    if option.is_positional:
        settings |= {"metavar": option.name}
    else:
        settings |= {"dest": option.name, "required": option.is_required}
    parser.add_argument(option.name, **settings)
