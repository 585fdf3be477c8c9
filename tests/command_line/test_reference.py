"""The pages of commands and of the API are those that the declarations and docstrings give."""

from __future__ import annotations

import dataclasses
import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from harness import api
from harness.command_line.commands import COMMANDS
from harness.command_line.main import main
from harness.command_line.parser import parse
from harness.command_line.reference import PAGES, api_page, commands_page
from harness.tables.stored import Run

DOCS = Path(__file__).parents[2] / "docs"
FROZEN = DOCS.parent / "results" / "frozen"


def section(page: str, heading: str) -> str:
    return page.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_each_command_has_a_section_with_its_options_and_functions() -> None:
    page = commands_page()
    for command in COMMANDS.values():
        text = section(page, command.name)
        assert command.summary in text
        assert all(f"`{option.name.replace('|', chr(92) + '|')}" in text for option in command.options)
        assert all(f"[`{name}`](api.md#{name})" in text for name in command.functions)
        assert ("The exit status is 1 if" in text) == bool(command.finding)


def test_the_shortest_use_of_each_form_is_shown() -> None:
    uses = re.findall(r"^\* `mutascope (.*)` calls", commands_page(), flags=re.MULTILINE)
    assert "generate SUBJECT --scope N" in uses
    assert "mutate SUBJECT --pin" in uses
    assert "run --target NAME --tests PATH ..." in uses
    assert "suite SUBJECT --scope N --export code" in uses


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_an_example_that_can_be_parsed(name: str) -> None:
    (example,) = re.findall(r"^(?:\$ )?(mutascope .*)$", section(commands_page(), name), flags=re.MULTILINE)
    command, _ = parse(shlex.split(example)[1:])
    assert command.name == name


def test_the_names_of_tables_are_those_that_a_wrong_one_is_answered_with(capsys: pytest.CaptureFixture[str]) -> None:
    for source, paper_or_folder in (("a run", str(FROZEN / "criteria_pruning2011")), ("`beapi2023`", "beapi2023")):
        listed = re.search(rf"^\* The tables of {source} [^:]*: ([^.]*)\.$", commands_page(), flags=re.MULTILINE)
        assert listed is not None
        assert main(["tables", paper_or_folder, "--table", "none"]) == 2
        (answer,) = re.findall(r"there are (.*)$", capsys.readouterr().err)
        assert sorted(re.findall(r"`(\w+)`", listed[1])) == sorted(answer.split(", "))


def test_the_page_of_the_api_has_each_public_member_of_a_loaded_run() -> None:
    headings = set(re.findall(r"^### run\.(\w+)$", api_page(), flags=re.MULTILINE))
    assert headings == {name for name in dir(Run) if not name.startswith("_")}


def test_the_page_of_the_api_has_each_frame_with_its_columns() -> None:
    frames = api.load(FROZEN / "criteria_pruning2011").frames
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section(api_page(), "Frames of a run"), flags=re.MULTILINE))
    assert set(rows) == {field.name for field in dataclasses.fields(frames)} - {"sessions"}
    for name in ("results", "coverage", "timings"):
        assert [*re.findall(r"`(\w+)`", rows[name]), "scope"] == list(getattr(frames, name).columns)


def test_each_function_of_the_api_has_a_section_with_its_signature() -> None:
    page = api_page()
    functions = {
        name for name, value in vars(api).items() if inspect.isfunction(value) and value.__module__ == "harness.api"
    }
    functions -= {name for name in functions if name.startswith("_")}
    for name in functions | {function for command in COMMANDS.values() for function in command.functions}:
        text = section(page, name)
        parameters = re.search(rf"{name}\((.*?)\) -> ", text, flags=re.DOTALL)
        assert parameters is not None, name
        assert all(f"{one}: " in parameters[1] for one in inspect.signature(getattr(api, name)).parameters), name


def test_sections_of_docstrings_become_lists() -> None:
    text = section(api_page(), "pytest_experiment")
    assert "\nArgs:\n\n* `target`: the dotted name of the module or package" in text
    assert "\nRaises:\n\n* `UsageError`: there is no such operator set" in text


def test_links_between_the_pages_lead_to_headings() -> None:
    pages = {f"{name}.md": page() for name, page in PAGES.items()}
    for page, text in pages.items():
        for file, anchor in re.findall(r"\]\(([a-z_]*\.?m?d?)#([a-z_-]+)\)", text):
            headings = re.findall(r"^## (.*)$", pages[file or page], flags=re.MULTILINE)
            slugs = [heading.lower().replace(" ", "-") for heading in headings]
            assert anchor in slugs, f"{page} links to {file}#{anchor}"


@pytest.mark.end_to_end
def test_an_unknown_page_is_refused_in_one_line() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "harness.command_line.reference", "nope"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert process.returncode == 2
    assert process.stderr == "mutascope: no page 'nope'; give one of commands, api\n"
