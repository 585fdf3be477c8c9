"""The file constraints.txt has one exact version of each package that the tests and the site need."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
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
