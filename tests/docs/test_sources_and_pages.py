"""Versions, pinned packages, architecture.md and the pages of commands and of the API agree with the sources."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.documents import ROOT, rows_of

from benchmarks import structure
from benchmarks.reference import api_page, commands_page
from harness import __version__, api
from harness.command_line.commands import COMMANDS
from harness.command_line.parser import parse
from harness.tables.stored import Run

RELEASES = dict(
    re.findall(r"^## (\S+)[^\n]*\n(.*?)(?=^## |\Z)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M | re.S)
)


def test_the_newest_release_in_the_changelog_is_the_version_of_the_package():
    assert list(RELEASES)[:2] == ["Unreleased", __version__]


def test_the_citation_names_the_version_of_the_package():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.parametrize("release", RELEASES)
def test_the_changelog_has_at_most_sixty_lines_for_each_release(release):
    assert len(RELEASES[release].strip().splitlines()) <= 60


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
DECLARED = [Requirement(line) for line in [*PROJECT["dependencies"], *EXTRAS["dev"], *EXTRAS["docs"]]]
PINS = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
VERSIONS = {canonicalize_name(name): version for name, _, version in (pin.partition("==") for pin in PINS)}


def test_each_constraint_is_one_exact_version():
    assert len(VERSIONS) == len(PINS)
    assert [pin for pin in PINS if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []


@pytest.mark.parametrize("declared", DECLARED, ids=str)
def test_the_project_allows_the_constraint_of_each_package_that_it_declares(declared):
    assert declared.specifier.contains(VERSIONS[canonicalize_name(declared.name)], prereleases=True)


HARNESS = ROOT / "harness"
ROWS = [" | ".join(row) for row in rows_of("docs/architecture.md", "| to change |")]
_FILE = r"`([\w/*]+(?:\.py|/))`"
_NAMES_IN_FILE = re.compile(rf"`(\w+)`(?: and `(\w+)`)?,? in {_FILE}")


def test_each_row_has_one_file_to_open_first():
    assert len(ROWS) > 20
    assert [row for row in ROWS if len(re.findall(rf"\*\*{_FILE}\*\*", row)) != 1] == []


def test_the_files_to_change_are_there():
    files = {file for row in ROWS for file in re.findall(_FILE, row)}
    assert len(files) > 60
    assert sorted(file for file in files if not any(HARNESS.glob(file))) == []


def test_the_names_to_change_are_in_their_files():
    places = [(name, found[-1]) for row in ROWS for found in _NAMES_IN_FILE.findall(row) for name in found[:-1] if name]
    assert len(places) > 10
    texts = {file: (HARNESS / file).read_text(encoding="utf-8") for _, file in places}
    assert [(name, file) for name, file in places if not re.search(rf"\b{name}\b", texts[file])] == []


def test_the_picture_in_the_architecture_is_that_of_the_sources():
    drawn = structure.picture(structure.sources_of_work_tree())
    assert structure.PICTURE.read_text(encoding="utf-8") == drawn, "run `python -m benchmarks.structure`"


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
