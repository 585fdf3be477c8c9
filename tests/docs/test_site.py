"""The site has every page, the index names it, and the README is short and true."""

import csv
import re
import subprocess
import sys

import pytest
from support.documents import GENERATED, ROOT, environment

from harness import api

MADE = {name.removeprefix("docs/") for name in GENERATED}
PAGES = {path.name for path in (ROOT / "docs").glob("*.md")} | MADE
WITHOUT_A_PLACE = {"README.md"}
"""The index itself."""
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_page_has_a_place_in_the_site():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    assert set(re.findall(r"([\w/]+\.md)$", navigation, re.MULTILINE)) >= PAGES


def test_the_index_of_the_documentation_names_every_page():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+\.md)\)", index)) == PAGES - WITHOUT_A_PLACE


@pytest.mark.parametrize("page", sorted(PAGES - WITHOUT_A_PLACE - MADE))
def test_each_page_says_for_whom_it_is_and_what_one_can_do_afterwards(page):
    _, first, *_ = (ROOT / "docs" / page).read_text(encoding="utf-8").split("\n\n")
    assert re.match(r"\*For [^*]*\. Afterwards [^*]*\.\*", first), first


def test_the_readme_has_at_most_five_hundred_words():
    assert len(README.split()) <= 500


def test_the_readme_shows_the_run_of_iniconfig_that_is_frozen():
    folder = ROOT / "results" / "frozen" / "real_suites"
    with (folder / "trials.csv").open(encoding="utf-8") as file:
        trials = {row["subject"]: row for row in csv.DictReader(file)}
    with (folder / "results.csv").open(encoding="utf-8") as file:
        results = list(csv.DictReader(file))
    for name in ("iniconfig", "iniconfig._parse"):
        (line,) = re.findall(rf"^{name} +pytest.*$", README, re.MULTILINE)
        verdicts = [row["verdict"] for row in results if row["trial"] == trials[name]["trial"]]
        killed = verdicts.count("killed")
        assert line.split()[5] == str(killed)
        assert line.split()[7] == f"{100 * killed / int(line.split()[6]):.2f}"


def test_the_readme_counts_the_frozen_verdicts_that_rest_on_the_clock():
    (number,) = re.findall(r"not on the clock; of\s+those frozen here, (\d+) do", README)
    frozen = (ROOT / "results" / "frozen").glob("*/results.csv")
    assert int(number) == sum(path.read_text(encoding="utf-8").count(",wall_limit,") for path in frozen)


def test_the_readme_says_how_many_conclusions_agree():
    rows = api.tables("exhaustive2003", table="hypotheses")["hypotheses"].rows
    pairs = [(row.cells[0].measured, row.cells[0].published.printed) for row in rows if row.labels[0] == "randomness"]
    decided = [(ours, printed) for ours, printed in pairs if "NOT DECIDABLE" not in (ours, printed)]
    agree = sum(ours == printed for ours, printed in decided)
    assert (
        f"of {len(pairs)} conclusions on random selections, {agree} agree, {len(decided) - agree} are opposite and "
        f"{len(pairs) - len(decided)} undecided"
    ) in README


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder of the demo, whose figures are drawn, and its table."""
    folder = tmp_path_factory.mktemp("demo")
    table, _ = (
        subprocess.run(
            [sys.executable, "-m", "harness", *words], cwd=folder, env=environment(folder), check=True,
            capture_output=True, text=True,
        ).stdout
        for words in (["run", "demo"], ["figures", "results/demo"])
    )  # fmt: skip
    return folder / "results" / "demo", table


@pytest.mark.slow
def test_numbers_and_figure_of_the_demo_in_the_readme_are_those_of_its_run(demo):
    ((killed, counted, score),) = re.findall(
        r"covered at scope 5, with (\d+) of (\d+)\s+mutants killed \((\S+) %", README
    )
    assert re.search(
        rf"^SearchTree +korat +5 +\S+ +100.00 +100.00 +{killed} +{counted} +{score}$", demo[1], re.MULTILINE
    )
    stored = (ROOT / "docs" / "images" / "demo.svg").read_text(encoding="utf-8")
    drawn = (demo[0] / "scopes.svg").read_text(encoding="utf-8")
    version = re.findall(r"Matplotlib v[\d.]+", stored)
    if version != re.findall(r"Matplotlib v[\d.]+", drawn):
        pytest.skip(f"the figure of the README was drawn by {version}")
    assert drawn == stored
