"""The site has every page, the index names it, and the README is short and true."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.documents import ROOT, environment

PAGES = {path.name for path in (ROOT / "docs").glob("*.md")}
WITHOUT_A_PLACE = {"README.md", "rope_faults.md"}
"""The index itself, and a page of data to which its own page has links."""
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_page_has_a_place_in_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    assert set(re.findall(r"([\w/]+\.md)$", navigation, re.MULTILINE)) >= PAGES - {"rope_faults.md"}


def test_the_index_of_the_documentation_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+\.md)\)", index)) == PAGES - WITHOUT_A_PLACE


def test_the_readme_has_at_most_five_hundred_words() -> None:
    assert len(README.split()) <= 500


def test_the_readme_shows_the_run_of_iniconfig_that_is_frozen() -> None:
    folder = ROOT / "results" / "frozen" / "real_suites"
    with (folder / "trials.csv").open(encoding="utf-8") as file:
        trials = {row["subject"]: row for row in csv.DictReader(file)}
    with (folder / "results.csv").open(encoding="utf-8") as file:
        results = list(csv.DictReader(file))
    for name in ("iniconfig", "iniconfig._parse"):
        (line,) = re.findall(rf"^{name} +pytest.*$", README, re.MULTILINE)
        verdicts = [row["verdict"] for row in results if row["trial"] == trials[name]["trial"]]
        killed = verdicts.count("killed")
        assert line.split()[6] == str(killed)
        assert line.split()[8] == f"{100 * killed / int(line.split()[7]):.2f}"


@pytest.mark.slow
def test_the_figure_of_the_readme_is_what_the_demo_draws(tmp_path: Path) -> None:
    kept = (ROOT / "docs" / "images" / "demo.svg").read_text(encoding="utf-8")
    version = re.findall(r"Matplotlib v[\d.]+", kept)
    command = [sys.executable, "-m", "harness"]
    for arguments in (["run", "demo"], ["figures", "results/demo"]):
        subprocess.run([*command, *arguments], cwd=tmp_path, env=environment(tmp_path), check=True, capture_output=True)
    drawn = (tmp_path / "results" / "demo" / "scopes.svg").read_text(encoding="utf-8")
    if version != re.findall(r"Matplotlib v[\d.]+", drawn):
        pytest.skip(f"the figure of the README was drawn by {version}")
    assert drawn == kept
