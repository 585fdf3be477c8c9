"""Programs as heap structures are trees whose forms have their parts; oracles tell where behaviour changed."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import SpecError
from harness.kernel.specs.programs import MOST_STEPS
from harness.programs import Cause, Fault, Grammar, behaviour, expression_forms, failure_of, fault_of, statement_forms

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


BEFORE = (("one", "def run(out):\n    out(1)\n"),)


def changed(text: str) -> tuple[str, object, object]:
    return "changed", BEFORE, (("one", text),)


@pytest.mark.parametrize(
    ("text", "oracle", "signature"),
    [
        ("def run(out):\n    out(1\n", "parse", "'(' was never closed"),
        ("def run(out, out):\n    out(1)\n", "compile", "duplicate argument 'out' in function definition"),
        ("def run(out):\n    out(2)\n", "behaviour", "a value, then a value"),
        ("def run(out):\n    pass\n", "behaviour", "a value, then nothing more"),
        ("def run(out):\n    out(x)\n", "behaviour", "a value, then raises NameError"),
    ],
)
def test_each_oracle_tells_its_failure(text, oracle, signature):
    failure = failure_of(changed(text), None, "rope")
    assert (failure.oracle, failure.signature) == (oracle, signature)


def test_the_same_behaviour_and_a_refusal_are_no_failures():
    assert failure_of(changed("def run(out):\n    out(2 - 1)\n"), None, "rope") is None
    assert failure_of(("refused", BEFORE, "not here"), None, "rope") is None


def test_a_crash_is_told_by_the_innermost_function_of_the_package():
    try:
        fault_of(None, ("changed",), None, [], "harness")
    except ValueError as error:
        raised = error
    failure = failure_of(None, raised, "harness")
    assert (failure.oracle, failure.signature) == ("crash", "ValueError in programs.failure_of")
    assert "its caller" in failure_of(None, raised, "rope").signature


def test_a_program_that_does_not_compile_is_no_fault_of_the_tool():
    broken = (("one", "def run(out:\n"),)
    with pytest.raises(SpecError, match="does not compile"):
        failure_of(("changed", broken, BEFORE), None, "rope")


def test_a_fault_has_its_only_cause_or_all_that_may_be():
    result = changed("def run(out):\n    out(2)\n")
    odd = Cause("odd", lambda program, failure: program % 2 == 1)
    small = Cause("small", lambda program, failure: program < 3 and failure.oracle == "behaviour")
    faults = [fault_of(program, result, None, [odd, small], "rope") for program in (1, 2, 3, 4)]
    assert [fault.causes for fault in faults if fault is not None] == [
        ("odd", "small"), ("small",), ("odd",), ("behaviour: a value, then a value",),
    ]  # fmt: skip
    assert faults[0] is not None
    assert faults[0].name == "odd or small"


def test_a_name_with_or_in_it_is_one_cause():
    result = changed("def run(out):\n    out(2)\n")
    fault = fault_of(None, result, None, [Cause("this or that", lambda program, failure: True)], "rope")
    assert fault.causes == ("this or that",)


@pytest.mark.parametrize("causes", ["deletion", ()])
def test_a_fault_whose_causes_are_no_tuple_of_names_is_refused(causes):
    with pytest.raises(SpecError, match="give a tuple of names"):
        Fault(causes, "shown")


def test_a_fault_shows_the_program_before_and_after():
    fault = fault_of(None, changed("def run(out):\n    out(2)\n"), None, [], "rope")
    assert fault.shown.splitlines()[0] == "it gave (1,), and now (2,)"
    assert "    out(1)\n" in fault.shown.partition("becomes")[0]
    assert "    out(2)\n" in fault.shown.partition("becomes")[2]


def seen(body: str) -> tuple[str, ...]:
    return behaviour([("one", f"def run(out):\n    {body}\n")])


ENDS = ("KeyboardInterrupt", "GeneratorExit", "SystemExit", "BaseException")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "out(1, 'a', [2.5, (None, True)], {3: b'c'}, object())",
            ("(1, 'a', [2.5, (None, True)], {3: b'c'}, <object>)",),
        ),
        ("out({'b', 10, 'a', (2,)}, frozenset({4}))", ("({'a', 'b', (2,), 10}, frozenset({4}))",)),
        ("out(set(), frozenset(), {})", ("(set(), frozenset(), {})",)),
        ("out(1); out(1 // 0); out(2)", ("(1,)", "raises ZeroDivisionError")),
        *((f"out(1); raise {name}", ("(1,)", f"raises {name}")) for name in ENDS),
        ("while True: pass", ("endless",)),
        ("f = lambda: f(); f()", ("raises RecursionError",)),
    ],
)
def test_values_are_seen_as_texts_up_to_an_exception_or_the_last_step(body, expected):
    assert seen(body) == expected


@pytest.mark.parametrize("then", ["out(1)", "1 // 0", "raise KeyboardInterrupt"])
def test_a_program_that_catches_what_ends_it_is_endless_nevertheless(then):
    lines = ["try:", "    while True: pass", "except BaseException: pass", then]
    assert seen("\n    ".join(lines))[-1] == "endless"


def test_a_program_that_spends_its_last_step_is_not_endless():
    steps = MOST_STEPS - 1  # one is the function's
    assert seen(f"for _ in range({steps}): pass") == ()
    assert seen(f"for _ in range({steps + 1}): pass") == ("endless",)


def test_modules_import_those_before_them_and_leave_no_trace():
    before = dict(sys.modules)
    assert behaviour([("one", "A = 7\n"), ("two", "from one import A\n\ndef run(out):\n    out(A)\n")]) == ("(7,)",)
    assert sys.modules == before
