"""Extensions of fields are listed by object and value, and drawn as grids."""

import json

import numpy as np
import pytest

from harness.command_line.main import main
from harness.generators.sat.extension import PAIRS, details, read, size, written
from harness.generators.sat.pairs import Pair
from harness.kernel.inputs.suites import SuiteHeader
from harness.model.finitization import Finitization
from harness.report.states.figure import draw_grids
from harness.report.states.suite_summary import extension_line, extension_text, grids


def links() -> Finitization:
    f = Finitization("Chain")
    nodes = f.objects("Link", 3)
    f.set("Chain.first", None, nodes)
    f.set("Link.next", None, nodes)
    f.set("Link.item", ["a", 1])
    f.method("pop")
    return f


FEASIBLE = [Pair("Chain.first", 0, at) for at in (0, 1)] + [Pair("Link.next", 0, at) for at in (0, 1, 2)]
COVERED = [*FEASIBLE[1:2], *FEASIBLE[3:], Pair("Link.item", 0, 1), Pair("Link.item", 2, 0)]


def header(**solving) -> SuiteHeader:
    suite_header = SuiteHeader("chain", "0", "field-exhaustive", "1", 3, 0, 9, 1, ["pop"])
    solver_facts = {"solver": "cadical195", "version": "python-sat 1", "variables": 1000, "clauses": 2, "calls": 4}
    pairs = written(FEASIBLE, {"Chain.first", "Link.next"}, COVERED)
    suite_header.details = details(pairs, solver_facts | {"instances": 3, "kept": 2} | solving)
    return suite_header


def test_a_header_keeps_extensions_as_ranges_that_are_read_back():
    ranges = json.loads(json.dumps(header().details[PAIRS]))
    assert ranges["Link.next"] == {"feasible": ["0-2"], "covered": ["1-2"]}
    assert ranges["Link.item"] == {"covered": ["1", "", "0"]}
    assert size(ranges) == 5
    by_field = {one.field: one for one in read(ranges)}
    assert by_field["Link.next"].feasible == ((0, 1, 2),)
    assert (by_field["Link.next"].size, by_field["Link.next"].covered_size) == (3, 2)
    assert (by_field["Link.item"].size, by_field["Link.item"].covered) == (None, ((1,), (), (0,)))


def test_pairs_are_told_by_object_and_value_with_what_the_suite_lacks_in_brackets():
    assert extension_text(grids(header(), links())) == (
        "In brackets: feasible, but not in the suite.\n"
        "Chain.first: 1 of 2 pairs\n"
        "  Chain: [None], Link0\n"
        "Link.next: 2 of 3 pairs\n"
        "  Link0: [None], Link0, Link1\n"
        "Link.item: 2 pairs in the suite (what is feasible was not asked)\n"
        "  Link0: 1\n"
        "  Link2: 'a'"
    )


@pytest.mark.parametrize(
    ("proven", "phrase"),
    [
        (None, "2 of 3 instances have 3 of 5 pairs; cadical195 (python-sat 1), 1,000 variables, 2 clauses, 4 calls"),
        (True, "2 of 3 instances, as few as possible, have"),
        (False, "2 of 3 instances, perhaps not as few as possible, have"),
    ],
)
def test_one_line_tells_pairs_instances_and_solver(proven, phrase):
    suite_header = header() if proven is None else header(proven_minimal=proven)
    assert phrase in extension_line(suite_header)


def test_each_field_is_a_grid_of_objects_and_values():
    figure = draw_grids(grids(header(), links()), "a title")
    first, following, item = figure.axes
    assert following.get_title() == "Link.next: 2 of 3 pairs"
    cells = [np.asarray(axes.collections[0].get_array()).tolist() for axes in (first, following, item)]
    assert cells == [[[1, 2, 0, 0]], [[1, 2, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[0, 2], [0, 0], [2, 0]]]
    assert [label.get_text() for label in following.get_xticklabels()] == ["None", "Link0", "Link1", "Link2"]
    assert [label.get_text() for label in following.get_yticklabels()] == ["Link0", "Link1", "Link2"]


@pytest.mark.slow
def test_generate_shows_and_draws_the_extension_beside_the_states(tmp_path, capsys):
    drawn = tmp_path / "tree.svg"
    arguments = ["--generator", "field-exhaustive", "--scope", "2", "--show", "1", "--figure", str(drawn)]
    assert main(["generate", "field_search_tree", *arguments]) == 0
    output = capsys.readouterr().out
    assert "Node.left: 3 of 3 pairs\n  Node0: None, Node1\n  Node1: None\n" in output
    assert "Node.left" in (tmp_path / "tree-extension.svg").read_text()
    assert drawn.is_file()
    assert main(["generate", "field_search_tree", *arguments, "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["extension"]["Node.left"] == {"feasible": ["0,2", "0"], "covered": ["0,2", "0"]}
    assert output["solving"]["solver"] == "cadical195"
    assert output["extension_figure"].endswith("tree-extension.svg")
