"""The version is the same in the package, the changelog and the citation, and the changelog stays short."""

import re
from pathlib import Path

import pytest

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
