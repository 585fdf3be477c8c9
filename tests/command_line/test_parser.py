"""Commands are declared as they fit together, and arguments become the values of their options."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from harness import __version__
from harness.command_line.commands import COMMANDS, EXAMPLES, GROUPS, JSON
from harness.command_line.main import main
from harness.command_line.parser import parse


@pytest.mark.parametrize(
    ("arguments", "option", "value"),
    [
        ("generate tree --scope 3", "--scope", 3),
        ("generate tree --scope 3", "SUBJECT", "tree"),
        ("generate tree --scope 3", "--generator", "korat"),
        ("generate tree --scope 3", "--seed", 0),
        ("generate tree --scope 3 --seed=-9223372036854775808", "--seed", -(2**63)),
        ("generate tree --scope 3", "--show", None),
        ("generate tree --scope 3 --show", "--show", 10),
        ("generate tree --scope 3 --show 4", "--show", 4),
        ("generate tree --scope 3 --figure a.svg", "--figure", Path("a.svg")),
        ("generate tree --scope 3", "--json", False),
        ("generate tree --scope 3 --json --json", "--json", True),
        ("generate tree --scope 65535", "--scope", 65535),
        ("run --subject tree --scope 2-4", "--scope", [2, 3, 4]),
        ("run --target till --tests a b", "--tests", ["a", "b"]),
        ("run --subject tree --oracles public observers", "--oracles", ["public", "observers"]),
        ("compare", "DIR", None),
        ("compare here --sizes 10,0.5,10", "--sizes", [Fraction(1, 2), Fraction(10)]),
        ("tables", "--format", "md"),
    ],
)
def test_each_value_is_read_by_its_kind_and_else_is_the_default(arguments: str, option: str, value: Any) -> None:
    _, values = parse(arguments.split())
    assert values[option] == value


def test_what_stands_after_two_dashes_is_for_pytest() -> None:
    values = parse(["run", "--target", "shop", "--tests", "a", "b", "--", "-p", "no:sugar", "--deselect", "a::b"])[1]
    assert values["--tests"] == ["a", "b"]
    assert values["--arguments"] == ["-p", "no:sugar", "--deselect", "a::b"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("", "the following arguments are required: COMMAND; 'mutascope --help' lists what there is"),
        ("generate", "the following arguments are required: --scope, SUBJECT; 'mutascope generate --help' lists what"),
        ("generate tree --scope 0", "argument --scope: a scope is a whole number from 1 (to 65535), not '0'; "),
        ("generate tree --scope 65536", "argument --scope: a scope is a whole number from 1 (to 65535), not '65536'"),
        ("generate tree --scope 3 --seed 9223372036854775808", "a seed is a whole number of at most 64 bits, not"),
        ("generate tree --scope 3 --show 0", "argument --show: a whole number from 1, not '0'"),
        ("run --subject tree --scope 3-1", "argument --scope: '3-1' is an empty range of scopes"),
        ("compare here --sizes 1,,2", "argument --sizes: numbers from 1, or parts of a second such as 0.1, not ''"),
        ("compare here --sizes 0", "numbers from 1, or parts of a second such as 0.1, not '0'"),
        ("tables --format pdf", "argument --format: invalid choice: 'pdf'; there are md, csv, latex, html; "),
        ("run --oracles public nope", "argument --oracles: invalid choice: 'nope'; there are differential, "),
        ("run demo --jobs 1 --jobs 1", "--jobs is given twice; 'mutascope run --help' lists what there is"),
        ("generate tree --scope 1 --json=yes", "argument --json: ignored explicit argument 'yes'"),
        ("verify results --from x", "unrecognized arguments: --from x; 'mutascope verify --help' lists what there is"),
    ],
)
def test_what_is_no_value_is_refused_in_one_line(arguments: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(["--version"])
    assert (exit_info.value.code, capsys.readouterr().out) == (0, f"mutascope {__version__}\n")


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
