"""The pages of commands and of the API are those that the help texts and docstrings give."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from benchmarks.reference import api_page, commands_page
from harness import api
from harness.command_line.commands import COMMANDS
from harness.command_line.parser import parse
from harness.tables.stored import Run

FROZEN = Path(__file__).parents[2] / "results" / "frozen"


def section(page: str, heading: str) -> str:
    return page.split(f"\n## {heading}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_a_section_with_its_help_and_an_example_that_can_be_parsed(name: str) -> None:
    command, text = COMMANDS[name], section(commands_page(), name)
    assert all(option.name in text for option in command.options)
    assert ("The exit status is 1 if" in text) == bool(command.finding)
    (example,) = re.findall(r"^(?:\$ )?(mutascope .*)$", text, flags=re.MULTILINE)
    assert parse(shlex.split(example)[1:])[0] is command


def test_the_page_of_the_api_has_each_public_member_of_a_loaded_run() -> None:
    headings = set(re.findall(r"^### run\.(\w+)$", api_page(), flags=re.MULTILINE))
    assert headings == {name for name in dir(Run) if not name.startswith("_")}


def test_the_page_of_the_api_has_the_columns_of_frames() -> None:
    frames = api.load(FROZEN / "criteria_pruning2011").frames
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section(api_page(), "Frames of a run"), flags=re.MULTILINE))
    for name in ("results", "coverage", "timings"):
        assert [*re.findall(r"`(\w+)`", rows[name]), "scope"] == list(getattr(frames, name).columns)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("load", "load(folder: Path | str) -> Run\n"),
        ("generate_tests", "\n    *,\n    seconds: int = 60,\n"),
        ("pytest_experiment", "\nArgs:\n\n* `target`: the dotted name of the module or package"),
        ("pytest_experiment", "\nRaises:\n\n* `UsageError`: there is no such operator set"),
        ("tables", "policy: ScorePolicy = ScorePolicy.ALL_VIABLE,"),
    ],
)
def test_a_function_of_the_api_has_a_section_with_its_signature_and_docstring(name: str, text: str) -> None:
    assert text in section(api_page(), name)
