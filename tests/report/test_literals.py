"""What is written as source is, built again, the same graph; witnessed by the kernel's canonical bytes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.judging.canon import concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import Token
from harness.report.literals import Literals, NoLiteral
from harness.report.templates import template

SOURCE = """
class Node:
    def __init__(self, left, right, value):
        self.left, self.right, self.value = left, right, value

class Named:
    __slots__ = ("value",)
"""
MODULE = execute(ModuleText("impl", SOURCE, "impl.py"))
FIELDS = {"Node": ("left", "right", "value")}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names of an exported file without cases."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "impl.py").write_text(SOURCE)
    (folder / "spec.py").write_text("")
    text = template("pytest_suite.py.j2").render(
        subject=SimpleNamespace(title="T", name="t", module="impl", blocked=(), source_hash="0"),
        header=SimpleNamespace(generator="g", scope=1, inputs=0, seed=0, digest="0"),
        version="0", implementation="impl.py", spec="spec.py", targets=[], functions=[], abstract=False,
        has_state=True, keywords={},
        classes={"Node": ["Node", ["left", "right", "value"]], "Named": ["Named_", []]},
    )  # fmt: skip
    names: dict[str, Any] = {"__file__": str(folder / "test_t.py")}
    exec(compile(text, str(Path("test_t.py")), "exec"), names)
    return names


plain = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=3), st.binary(max_size=2))
Choice = st.integers(0, 5)


@st.composite
def graphs(draw: st.DrawFn) -> Any:
    """A node whose graph shares, has cycles, and holds lists, tuples, dicts and slots."""
    nodes = [MODULE.Node(None, None, draw(plain)) for _ in range(4)]
    slotted = MODULE.Named()
    slotted.value = draw(plain)
    shared = [draw(plain)]
    things = [*nodes, None, slotted, shared, (shared, draw(plain)), {draw(st.text(max_size=2)): nodes[0]}]
    pick = st.sampled_from(things)
    for node in nodes:
        node.left, node.right = draw(pick), draw(pick)
    shared.append(nodes[1])
    if draw(st.booleans()):
        nodes[0].extra = draw(pick)
    return nodes[0]


@given(graphs())
@settings(derandomize=True, max_examples=150)
def test_a_graph_built_from_its_source_is_the_same_graph(written: dict[str, Any], graph: Any) -> None:
    (source,) = Literals(MODULE, FIELDS).write(graph)
    built = written["build"](eval(source, written), {})
    assert concrete(built) == concrete(graph)
    assert written["shape"](built, sharing=True) == written["shape"](graph, sharing=True)


@given(graphs(), graphs())
@settings(derandomize=True, max_examples=150)
def test_shapes_are_equal_exactly_where_canonical_bytes_are(written: dict[str, Any], one: Any, other: Any) -> None:
    equal = written["shape"](one, sharing=True) == written["shape"](other, sharing=True)
    assert equal == (concrete(one) == concrete(other))


def test_names_hold_across_the_values_written_together() -> None:
    node = MODULE.Node(None, None, 1)
    node.left = node
    assert Literals(MODULE, FIELDS).write(node, [node]) == ['Named("a", Node(Same("a"), None, 1))', '[Same("a")]']


def test_a_class_called_like_something_of_the_file_gets_another_name() -> None:
    literals = Literals(MODULE, FIELDS)
    slotted = MODULE.Named()
    slotted.value = Token("Item", 1)
    assert literals.write(slotted) == ['Named_(value=Token("Item", 1))']
    assert literals.classes == {"Named": "Named_"}


@pytest.mark.parametrize("value", [object(), print, int, 1j, ValueError(), {frozenset({object()})}])
def test_what_has_no_literal_form_is_refused(value: Any) -> None:
    with pytest.raises(NoLiteral):
        Literals(MODULE, FIELDS).write([value])


def test_a_list_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(NoLiteral, match="list that contains itself"):
        Literals(MODULE, FIELDS).write(endless)
