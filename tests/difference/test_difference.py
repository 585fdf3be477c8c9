"""An API and an invariant are compared by canonical form; differences have witnesses, printed flaws are found."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.documents import rows_of

from harness.command_line.main import main
from harness.difference.difference import difference
from harness.difference.flaws import FLAWS, measured
from harness.difference.result import Difference, LargerScope, StructureRelation
from harness.errors import SpecError
from harness.runner.subjects import load_subject

BAG = """
class Cell:
    def __init__(self, item, next):
        self.item, self.next = item, next

class Bag:
    def __init__(self):
        self.first = None

    def add(self, item):
        self.first = Cell(item, self.first)
"""
SPEC = """
from harness.spec import Finitization, SequenceScope

def rep_ok(bag):
    met, cell = set(), bag.first
    while cell is not None:
        if cell in met{condition}:
            return False
        met.add(cell)
        cell = cell.next
    return True

def finitization(scope):
    f = Finitization("Bag")
    cells = f.objects("Cell", scope)
    f.set("Bag.first", None, cells)
    f.set("Cell.item", range({items}))
    f.set("Cell.next", None, cells)
    f.method("add", range(scope))
    return f
"""


def compared(tmp_path, scope: int = 2, condition: str = "", items: str = "scope", code: str = BAG) -> Difference:
    (tmp_path / "impl.py").write_text(code)
    (tmp_path / "spec.py").write_text(SPEC.format(condition=condition, items=items))
    return difference(load_subject(str(tmp_path)), scope)


def test_an_exact_invariant_is_equal_to_what_calls_make(tmp_path):
    result = compared(tmp_path)
    assert (result.api, result.rep_ok, result.api_only, result.rep_ok_only) == (7, 7, 0, 0)
    assert result.relation is StructureRelation.EQUAL
    assert (result.larger, result.of_api, result.of_rep_ok) == ((), (), ())


def test_structures_of_two_classes_are_not_compared(tmp_path):
    (tmp_path / "impl.py").write_text(BAG)
    sequences = "\ndef sequences(scope):\n    s = SequenceScope('Cell')\n    s.constructor([1], [None])\n"
    spec = SPEC.format(condition="", items="scope") + f"{sequences}    s.method('__repr__')\n    return s\n"
    (tmp_path / "spec.py").write_text(spec)
    with pytest.raises(SpecError, match=r"finitization is about Bag, and sequences about Cell, so there is nothing to"):
        difference(load_subject(str(tmp_path)), 2)


def test_equal_numbers_of_other_structures_are_told_apart(tmp_path):
    result = compared(tmp_path, scope=1, items="-1, 0")
    assert (result.api, result.rep_ok, result.api_only, result.rep_ok_only) == (2, 2, 1, 1)
    assert result.relation is StructureRelation.ERROR


def test_a_weak_invariant_is_under_specified_and_its_smallest_structures_are_witnesses(tmp_path):
    result = compared(tmp_path, items="-1, 2")
    assert result.relation is StructureRelation.UNDER
    assert (result.api_only, result.rep_ok_only) == (0, 3 + 9 - 2 - 4)
    assert result.unexplained == result.rep_ok_only
    assert [one.objects for one in result.of_rep_ok] == [2, 3, 3]
    assert [larger.scope for larger in result.larger] == [3, 4]


def test_a_strong_invariant_is_over_specified_and_the_shortest_sequences_are_witnesses(tmp_path):
    result = compared(tmp_path, condition=" or cell.item == 1")
    assert result.relation is StructureRelation.OVER
    assert (result.api, result.rep_ok, result.api_only, result.rep_ok_only) == (7, 3, 4, 0)
    assert result.of_api[0].sequence == "bag = Bag(); bag.add(1)"
    assert result.of_api[0].objects == 2


def test_what_a_larger_scope_of_the_api_makes_is_explained(tmp_path):
    result = compared(tmp_path, items="scope + 1")
    assert result.relation is StructureRelation.SCOPE
    assert (result.rep_ok_only, result.unexplained) == (6, 0)
    assert [(larger.scope, larger.missing, larger.whole) for larger in result.larger] == [(3, 0, True)]
    assert not result.is_finding


def test_fields_that_one_side_lacks_are_named(tmp_path):
    code = BAG.replace("self.first = None", "self.first = None\n        self.count = 0")
    result = compared(tmp_path, code=code)
    assert result.only_set_by_api == ("Bag.count",)
    assert result.only_in_finitization == ()
    assert "fields that calls set and the finitization does not: Bag.count" in result.as_text()


def test_tokens_are_interchangeable_on_both_sides():
    result = difference(load_subject("linked_list"), 2)
    assert (result.api, result.rep_ok, result.relation) == (8, 8, StructureRelation.EQUAL)


def test_of_fibonacci_heaps_calls_make_those_whose_least_node_is_the_first_of_equal_ones():
    result = difference(load_subject("fibonacci_heap"), 2)
    assert (result.api, result.rep_ok, result.api_only, result.rep_ok_only) == (7, 12, 0, 5)
    assert [(larger.scope, larger.structures, larger.missing) for larger in result.larger] == [(3, 64, 2), (4, 751, 2)]
    assert result.relation is StructureRelation.UNDER


@pytest.mark.parametrize(("name", "structures"), [("fraction", 3), ("normal_dist", 9), ("priority_queue", 12)])
def test_classes_of_the_standard_library_make_what_their_invariants_describe(name, structures):
    result = difference(load_subject(f"real/{name}"), 1)
    assert (result.api, result.rep_ok, result.relation) == (structures, structures, StructureRelation.EQUAL)


def test_leaves_of_a_vector_are_lists_of_their_own_and_one_list_in_its_finitization():
    result = difference(load_subject("real/pvector"), 1)
    assert (result.api, result.rep_ok, result.api_only, result.rep_ok_only) == (7, 8, 1, 2)
    assert result.of_api[0].sequence == f"python_p_vector = python_pvector({[0] * 64})"
    assert result.relation is StructureRelation.ERROR


def test_a_spec_without_an_invariant_is_told_in_one_line(tmp_path):
    (tmp_path / "impl.py").write_text(BAG)
    (tmp_path / "spec.py").write_text(
        "from harness.spec import SequenceScope\n\ndef sequences(scope):\n    s = SequenceScope('Bag')\n"
        "    s.method('add', range(scope))\n    s.objects(scope)\n    return s\n"
    )
    with pytest.raises(SpecError, match="has no function rep_ok, with which calls could be compared") as caught:
        difference(load_subject(str(tmp_path)), 2)
    assert "\n" not in str(caught.value)


def test_a_call_that_fails_is_told_with_its_sequence(tmp_path):
    code = BAG.replace("        self.first = Cell", "        1 / item\n        self.first = Cell")
    with pytest.raises(SpecError, match=r"bag = Bag\(\); bag.add\(0\) raised ZeroDivisionError"):
        compared(tmp_path, code=code)


def test_where_larger_scopes_were_ended_it_is_open_what_calls_make_there():
    result = difference(load_subject("red_black_tree"), 3, attempts=30)
    assert [larger.whole for larger in result.larger] == [False, False]
    assert result.relation is StructureRelation.OPEN
    assert not result.is_finding
    assert "where it was ended" in result.as_text()
    assert "open, as larger scopes were ended" in result.as_text()


def test_a_witness_that_another_call_gave_than_the_first_is_measured_itself(tmp_path):
    code = f"""{BAG}
    def two(self):
        made = type(self)()
        made.first = Cell(-1, Cell(-1, None))
        return made
"""
    (tmp_path / "impl.py").write_text(code)
    spec = SPEC.format(condition="", items="scope").replace("    return f\n", '    f.method("two")\n    return f\n')
    (tmp_path / "spec.py").write_text(spec)
    result = difference(load_subject(str(tmp_path)), 2)
    assert [(one.sequence, one.objects) for one in result.of_api] == [("bag = Bag(); bag.two()", 3)]


def test_the_relation_follows_from_what_is_left_of_either_side():
    whole, cut_off = LargerScope(4, 0, 0, 0, True), LargerScope(4, 0, 0, 2, False)
    base = Difference("x", 3, 5, 5, 0, 0, 0, 0, (), (), (), (), ())
    assert base.relation is StructureRelation.EQUAL
    assert replace(base, rep_ok_only=2).relation is StructureRelation.UNDER
    assert replace(base, rep_ok_only=2, larger=(whole,)).relation is StructureRelation.SCOPE
    assert replace(base, rep_ok_only=2, larger=(cut_off,)).relation is StructureRelation.OPEN
    assert replace(base, rep_ok_only=2, larger=(replace(whole, missing=2), cut_off)).relation is StructureRelation.UNDER
    over = replace(base, api_only=1, rep_ok_only=2, larger=(cut_off,))
    assert over.relation is StructureRelation.OVER
    assert "whether the API lacks some of rep_ok's is open" in over.as_text()
    assert replace(base, api_only=1).relation is StructureRelation.OVER
    assert replace(base, api_only=1, rep_ok_only=2).relation is StructureRelation.ERROR
    assert replace(base, api_only=1, rep_ok_only=2, larger=(whole,)).relation is StructureRelation.OVER


@pytest.mark.slow
def test_the_command_draws_what_rep_ok_alone_has_and_says_no_by_its_status(tmp_path, capsys):
    subject = tmp_path / "bag"
    subject.mkdir()
    assert compared(subject, items="-1, 2").relation is StructureRelation.UNDER
    status = main(["difference", str(subject), "--scope", "1", "--figure", str(tmp_path / "figures")])
    output = capsys.readouterr().out
    assert status == 1
    assert "rep_ok is under-specified" in output
    assert "item=-1" in output
    assert [path.suffix for path in (tmp_path / "figures").iterdir()] == [".svg"]


PRINTED = Path(__file__).parents[2] / "results" / "published" / "beapi2023_table3.csv"


def printed() -> dict[tuple[str, str, str], str]:
    with PRINTED.open() as file:
        return {(row["benchmark"], row["class"], row["flaw"]): row["type"] for row in csv.DictReader(file)}


def test_the_flaws_are_those_of_the_table():
    assert [(one.benchmark, one.class_name, one.flaw) for one in FLAWS] == list(printed())
    assert len(FLAWS) == 16


@pytest.mark.slow
def test_every_flaw_is_found_and_classified_as_printed():
    types = printed()
    documented = {row[1]: row[2:] for row in rows_of("docs/difference.md", "| benchmark, class | flaw |")}
    assert documented.keys() == {flaw.flaw for flaw in FLAWS}
    for flaw, result in measured():
        explained = result.rep_ok_only - result.larger[-1].missing if result.larger else 0
        counts_of_rep_ok = [result.rep_ok_only, *([explained] if explained else [])]
        counts = [str(number) for number in (result.api, result.rep_ok, result.api_only)]
        *first_cells, last_cell = documented[flaw.flaw]
        assert first_cells == [types[flaw.benchmark, flaw.class_name, flaw.flaw], result.relation.value, *counts]
        assert [int(count) for count in re.findall("[0-9]+", last_cell)] == counts_of_rep_ok
        assert result.relation.value == types[flaw.benchmark, flaw.class_name, flaw.flaw], flaw
        assert result.of_rep_ok or result.relation.value == "over"
        assert result.of_api or result.relation.value == "under"
