"""Programs as heap structures: well-formed ones are trees whose forms have their parts."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import SpecError
from harness.programs import Grammar, expression_forms, statement_forms

GRAMMAR = Grammar({"both": "value body", "body": "body"}, {"skip": False, "set": True}, {"one": 0, "not": 1, "add": 2})


@dataclass(eq=False)
class Node:
    """A program, a statement or an expression."""

    shape: str = ""
    form: str = ""
    value: Any = None
    first: Any = None
    next: Any = None
    left: Any = None
    right: Any = None


def expressions() -> st.SearchStrategy[Node]:
    leaf = st.builds(Node, form=st.just("one"))
    return st.recursive(
        leaf,
        lambda inner: (
            st.builds(Node, form=st.just("not"), left=inner)
            | st.builds(Node, form=st.just("add"), left=inner, right=inner)
        ),
        max_leaves=4,
    )


@st.composite
def programs(draw: st.DrawFn) -> Node:
    shape = draw(st.sampled_from(["both", "body"]))
    first = None
    for form in draw(st.lists(st.sampled_from(["skip", "set"]), min_size=1, max_size=3)):
        first = Node(form=form, value=draw(expressions()) if form == "set" else None, next=first)
    return Node(shape=shape, value=draw(expressions()) if shape == "both" else None, first=first)


def objects(node: Node | None) -> list[Node]:
    if node is None:
        return []
    return [node, *(o for part in (node.value, node.first, node.next, node.left, node.right) for o in objects(part))]


@settings(max_examples=25)
@given(programs())
def test_a_program_with_all_its_parts_is_well_formed(program):
    assert GRAMMAR.accepts(program)
    assert statement_forms(program) | expression_forms(program) == {o.form for o in objects(program)} - {""}


@settings(max_examples=40)
@given(programs(), st.data())
def test_a_program_with_a_part_taken_shared_or_closed_is_not(program, data):
    links = [
        (o, name)
        for o in objects(program)
        for name in ("value", "first", "left", "right")
        if getattr(o, name) is not None
    ]
    owner, name = data.draw(st.sampled_from(links))
    before = getattr(owner, name)
    below = objects(before)
    other_objects = [o for o in objects(program)[1:] if not any(o is other for other in below)]
    setattr(owner, name, None)
    assert not GRAMMAR.accepts(program)
    kind = [o for o in other_objects if (o.form in GRAMMAR.statements) == (before.form in GRAMMAR.statements)]
    if kind and name != "first":
        setattr(owner, name, data.draw(st.sampled_from(kind)))
        assert not GRAMMAR.accepts(program)


def test_the_bounds_hold_half_as_many_statements_as_expressions():
    sizes = {domain.class_name: domain.size for domain in GRAMMAR.finitization(3).domains}
    assert sizes == {"Program": 1, "Expression": 3, "Statement": 2}


def test_a_form_with_impossible_parts_is_refused():
    with pytest.raises(SpecError, match="'ternary'"):
        Grammar({"body": "body"}, {}, {"ternary": 3})
