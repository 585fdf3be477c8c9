"""Options of candidate sequence search are read and told as they stand in its name, and the page shows what they do."""

from dataclasses import fields
from pathlib import Path

import pytest
from support.subjects import loaded

from harness.generators.influence.candidate import PartialOrder, Switches
from harness.generators.policies.css.concolic import LeafMark
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import HeapMode, Options
from harness.generators.protocol import SequenceTask
from harness.kernel.program.loader import ModuleText
from harness.runner.subjects import load_subject


@pytest.mark.parametrize(
    "text",
    [
        "",
        "values=spread",
        "data_flow=no",
        "partial_order=printed,grouped=no",
        "influence=no,heap=reasoning,paths=5,solver=9,length=4",
    ],
)
def test_options_are_told_as_they_are_read(text):
    options = Options.read("css", text) if text else Options()
    assert str(options) == text


def test_each_option_is_what_it_says():
    options = Options.read(
        "css", "length=3,solver=8,paths=7,heap=reasoning,influence=no,grouped=no,partial_order=no,data_flow=no"
    )
    assert options == Options(False, PartialOrder.NO, False, False, HeapMode.REASONING, 7, 8, 3)
    assert options.switches() == Switches(False, PartialOrder.NO, False)
    assert Options.read("css", "influence=yes") == Options()


PAGE = (Path(__file__).parents[4] / "docs" / "candidate_sequences.md").read_text()
SUBJECTS = ["jtc_ub_stack", "jtc_bin_search_tree", "jtc_linked_list", "jtc_binomial_heap"]
SWITCHES = ["influence=no", "partial_order=no", "grouped=no", "data_flow=no"]
ROWS = {"as it is": "", **{f"`{one}`": one for one in SWITCHES}, "none of the four": ",".join(SWITCHES)}


def counted(name: str, options: str) -> str:
    subject = load_subject(name)
    spec, module = loaded(name)
    task = SequenceTask(spec, module, spec.sequences(4, subject.source), 4, 0, text=ModuleText.of(subject))
    production = CandidateSequenceSearch(Options.read("css", options) if options else None).explore(task)
    inputs = sum(1 for _ in production.paths())
    return f"{inputs} of {production.explored}"


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS)
def test_the_page_shows_what_each_reduction_saves(row):
    assert f"| {row} | {' | '.join(counted(name, ROWS[row]) for name in SUBJECTS)} |" in PAGE


def test_the_page_names_all_leaves_and_options():
    assert all(f"*{mark.value}*" in PAGE for mark in LeafMark)
    assert all(f"`{field.name}=" in PAGE for field in fields(Options))
