"""The declarations of commands fit together, and the help text shows them."""

from __future__ import annotations

import pytest

from harness.command_line.commands import COMMANDS, EXAMPLES, GROUPS, JSON
from harness.command_line.parser import parse


def test_no_command_has_two_options_of_one_name() -> None:
    for command in COMMANDS.values():
        names = [option.name for option in (JSON, *command.options)]
        assert len(set(names)) == len(names), command.name


def test_options_go_with_options_of_their_command() -> None:
    for command in COMMANDS.values():
        needed = [word.partition(" ")[0] for option in command.options for word in option.goes_with]
        assert {*needed, *command.one_of} <= {option.name for option in command.options}, command.name
        assert bool(command.one_of) == bool(command.needed), command.name


def test_everything_that_a_command_takes_has_a_line_of_help_or_a_name_that_says_it() -> None:
    for command in COMMANDS.values():
        for option in command.options:
            assert option.help or option.is_positional or option.kind.words, f"{command.name} {option.name}"


def test_the_help_text_has_each_command_in_one_group() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)


def test_the_help_text_lists_groups_and_examples_that_can_be_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    text = capsys.readouterr().out
    assert all(f"{group}:\n  {names[0]}" in text for group, names in GROUPS.items())
    for example, _ in EXAMPLES:
        assert example in text
        _, name, *arguments = example.split()
        command, _ = parse([name, *arguments])
        assert command.name == name


def test_a_list_may_be_given_in_parts() -> None:
    words = "run --subject a b --generator korat --subject c --scope 1 --generator random:5,seconds=1"
    _, values = parse(words.split())
    assert values["--subject"] == ["a", "b", "c"]
    assert values["--generator"] == ["korat", "random:5,seconds=1"]
