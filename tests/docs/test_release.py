"""The version is the same everywhere, the changelog stays short, and constraints.txt has a version of each package."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from harness import __version__

ROOT = Path(__file__).parents[2]
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
