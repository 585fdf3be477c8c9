"""Suites of candidate sequence search, reports about left-out candidates, and options, as the page shows them."""

from dataclasses import fields
from pathlib import Path
from pathlib import Path as FilePath

import pytest
from support.sequence_suites import bounds_of, suite_of, suite_of_text
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.influence.candidate import PartialOrder, Switches
from harness.generators.policies.css.concolic import LeafMark
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.css.options import HeapMode, Options
from harness.generators.protocol import SequenceTask
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText
from harness.model.sequence import SequenceScope
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


def written(
    folder: FilePath, text: str, bounds: SequenceScope, scope: int = 2, options: str = ""
) -> tuple[SuiteReader, list[str]]:
    generator = CandidateSequenceSearch(Options.read("css", options) if options else None)
    return suite_of_text(folder, generator, text, bounds, scope)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("jtc_int_stack", 27),
        ("jtc_linked_list", 127),
        ("jtc_binomial_heap", 380),
        ("jtc_bin_search_tree", 631),
        ("jtc_ub_stack", 131),
        ("jtc_tree_map", 781),
        ("jtc_heap_array", 142),
        ("real/priority_queue", 25),
        ("hash_set", 8),
        ("sorted_list", 10),
    ],
)
def test_classes_have_suites_of_distinct_sequences(name, inputs, tmp_path):
    scope = 5 if name.startswith("jtc") else 2
    suite = suite_of(tmp_path / "suite", "css", name, scope)
    sequences = [tuple(suite.sequence(number)) for number in range(len(suite))]
    assert len(set(sequences)) == len(sequences) == inputs
    assert max(map(len, sequences)) == scope + 1


@pytest.mark.parametrize("result", ["repr(self)", "id(self)", "f'{object()} {value > 3}'"])
def test_a_result_that_is_another_one_each_time_is_told_and_compared_with_nothing(result, tmp_path):
    text = f"class Shy:\n    def ask(self, value):\n        return {result}\n"
    suite, notices = written(tmp_path, text, bounds_of("Shy", ask=(range(9),)), scope=1)
    assert notices == [
        "program.py: ask returns something else each time, as an address would be, so what it returns was not compared "
        f"(inputs: {len(suite) - 1}); no mutant can be run with that"
    ]


def test_a_result_that_is_no_number_is_the_same_on_plain_integers(tmp_path):
    text = "class Void:\n    def ask(self, value):\n        return float('nan') if value > 3 else value\n"
    suite, notices = written(tmp_path, text, bounds_of("Void", ask=(range(9),)), scope=1)
    assert (len(suite), notices) == (3, [])


def test_calls_of_which_not_all_paths_are_looked_at_are_told(tmp_path):
    text = "class Many:\n    def select(self, value):\n        return [value > at for at in range(3)]\n"
    suite, notices = written(tmp_path, text, bounds_of("Many", select=(range(5),)), scope=1, options="paths=2")
    assert notices == [
        "program.py: calls with more paths than the 2 that are looked at: 1; allow more by css:paths=NUMBER"
    ]
    assert len(suite) == 1 + 2


def test_paths_beyond_the_steps_of_the_solver_are_told(tmp_path):
    text = "class Odd:\n    def ask(self, one, other):\n        return one * other * one == 7 * one + 30\n"
    bounds = bounds_of("Odd", ask=(range(9), range(9)))
    _, notices = written(tmp_path, text, bounds, scope=1, options="solver=1")
    assert [notice.partition(", so")[0] for notice in notices] == [
        "program.py: the solver came to its limit (css:solver=NUMBER)"
    ]


def test_sums_products_and_divisions_go_to_z3(tmp_path):
    text = (
        "class Sums:\n"
        "    def __init__(self):\n"
        "        self.total = 0\n"
        "    def add(self, one, other):\n"
        "        if one + other > 5:\n"
        "            self.total = one * 2 + other\n"
        "        return one % 3 == 2\n"
        "    def double(self, value):\n"
        "        return value == 2 * self.total\n"
        "    def share(self, value):\n"
        "        return self.total // value\n"
    )
    bounds = bounds_of("Sums", add=(range(8), range(8)), double=(range(30),), share=(range(4),))
    suite, notices = written(tmp_path, text, bounds, scope=2)
    assert notices == []
    # Behind `add`, only its two paths that change the total influence what follows.
    assert suite.header.inputs_by_target == {"Sums": 1, "add": 4, "double": 2 + 2 * 2, "share": 2 + 2 * 2}


def test_a_hash_that_a_program_makes_of_a_symbolic_integer_is_pinned(tmp_path):
    text = (
        "class Key:\n    def __init__(self, value): self.value = value\n    def __hash__(self): return self.value + 1\n"
        "class Bag:\n    def put(self, value): return len({Key(value)})\n"
    )
    suite, notices = written(tmp_path, text, bounds_of("Bag", put=(range(5),)), scope=1)
    assert notices == ["program.py: put pinned a symbolic integer to one value, for a hash (paths: 1)"]
    assert len(suite) == 2


def test_more_paths_than_the_attempts_of_the_spec_end_the_generation(tmp_path):
    bounds = bounds_of("Box", put=(range(9),))
    bounds.attempts(2)
    text = "class Box:\n    def put(self, value):\n        self.large = value > 3 or value < 2\n"
    with pytest.raises(SpecError, match="more than 2 paths; bound the calls of a sequence"):
        written(tmp_path, text, bounds)


@pytest.mark.parametrize("name", ["jtc_heap_array", "jtc_linked_list"])
@pytest.mark.parametrize("values", ["spread", "boundary", "random"])
def test_the_same_paths_have_other_values(values, name, tmp_path):
    least = suite_of(tmp_path / "least", "css", name, 3)
    other = suite_of(tmp_path / "other", f"css:values={values}", name, 3)
    pairs = [(least.sequence(number), other.sequence(number)) for number in range(len(least))]
    assert len(other) == len(least)
    assert all([a.target for a in one] == [b.target for b in two] for one, two in pairs)
    assert any(tuple(one) != tuple(two) for one, two in pairs)
