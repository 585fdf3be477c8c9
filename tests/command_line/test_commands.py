"""The declarations of commands fit the functions of `harness.api` that they call."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from harness import api
from harness.command_line.command import Command, CommandForm, Option
from harness.command_line.commands import COMMANDS, EXAMPLES, GROUPS
from harness.command_line.kinds import FLAG
from harness.command_line.options import JSON
from harness.command_line.parser import parse

FORMS = [(command, form) for command in COMMANDS.values() for form in command.forms]


def parameters_of(name: str) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(getattr(api, name)).parameters)


def options_with_defaults() -> Iterator[tuple[Option, Any, str]]:
    """Yield each option, each default that a function has for its parameter, and where that is."""
    for command in COMMANDS.values():
        for function in command.functions:
            parameters = parameters_of(function)
            for option in command.options_of(function):
                if option.parameter in parameters:
                    default = parameters[option.parameter].default
                    yield option, default, f"{command.name} {option.name}, {function}"


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_each_option_with_a_parameter_is_passed_to_a_function_that_has_it(command: Command) -> None:
    for option in command.options:
        takers = [name for name in command.functions if option in command.options_of(name)]
        has_it = any(option.parameter in parameters_of(name) for name in takers)
        assert has_it == bool(option.parameter), option.name


@pytest.mark.parametrize(("command", "form"), FORMS, ids=[f"{one.name} {form.function}" for one, form in FORMS])
def test_each_parameter_without_a_default_is_of_an_option_with_a_value(command: Command, form: CommandForm) -> None:
    alternatives = command.alternatives.options if command.alternatives else ()
    with_value = {
        option.parameter
        for option in command.options_of(form.function)
        if option.is_required or option.default is not None or option.name in (form.option, *form.needs, *alternatives)
    }
    for name, parameter in parameters_of(form.function).items():
        assert parameter.default is not parameter.empty or name in with_value, name


def test_an_option_and_the_parameter_that_it_is_passed_for_have_the_same_default() -> None:
    for option, default, place in options_with_defaults():
        if option.default is not None and default is not inspect.Parameter.empty:
            value = option.kind.read(option.default) if isinstance(option.default, str) else option.default
            assert value == default, place


def test_a_default_that_only_the_function_has_is_told_in_words() -> None:
    for option, default, place in options_with_defaults():
        is_empty = default in (inspect.Parameter.empty, None, False, ())
        if option.default is None and not is_empty and not option.is_required and option.kind is not FLAG:
            assert option.default_text, place


def test_no_command_has_two_options_of_one_name() -> None:
    for command in COMMANDS.values():
        names = [option.name for option in (JSON, *command.options)]
        assert len(set(names)) == len(names), command.name


def test_requirements_needs_and_forms_name_options_of_their_command() -> None:
    for command in COMMANDS.values():
        names = {option.name for option in command.options} | {""}
        required = [word for option in command.options if option.requirement for word in option.requirement.options]
        formed = [word for form in command.forms for word in (form.option, *form.needs)]
        later = command.then.options if command.then else ()
        alternatives = command.alternatives.options if command.alternatives else ()
        assert {word.partition(" ")[0] for word in (*required, *formed, *later, *alternatives)} <= names, command.name


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


def test_a_list_that_is_not_given_has_its_default() -> None:
    _, values = parse(["run", "--subject", "a", "--scope", "1"])
    assert (values["--generator"], values["--suite"]) == ((), ())
