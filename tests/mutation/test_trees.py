"""Ways through trees beside those of the standard library."""

import ast

import pytest
from support.subjects import load_subject

from harness.mutation.trees import below, children, copied

WITHOUT = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
MORE = """
@decorated(1)
async def f(a, /, b: int = -1, *c, d=(yield), **e) -> {1: 2, **{}}:
    async with a as b, c: pass
    x, *y = [z for z in a if not z async for w in z]
    try:
        a[1:2, ...] += f"{a!r:>{b}}"
    except* (E, F) as e:
        raise e from None
    match a:
        case [1, *_] | {"k": A(b=2), **r} if a < b <= c in d: del a
    return lambda: (await a) if a and b or c else ~a
"""


def trees() -> list[ast.Module]:
    return [
        ast.parse(MORE),
        ast.parse(load_subject("search_tree")[0].source),
        ast.parse(load_subject("heapq")[0].source),
    ]


@pytest.mark.parametrize("tree", trees())
def test_children_and_nodes_below_are_those_of_the_standard_library(tree):
    for node in ast.walk(tree):
        expected = [child for child in ast.iter_child_nodes(node) if not isinstance(child, WITHOUT)]
        assert children(node) == expected
    nodes = list(below(tree))
    assert len(set(nodes)) == len(nodes)
    assert set(nodes) == {node for node in ast.walk(tree) if not isinstance(node, WITHOUT)}


@pytest.mark.parametrize("tree", trees())
def test_a_copy_is_equal_and_shares_no_node(tree):
    copy = copied(tree, {})
    assert ast.dump(copy, include_attributes=True) == ast.dump(tree, include_attributes=True)
    assert set(below(copy)).isdisjoint(below(tree))


def test_a_copy_has_another_tree_in_the_place_of_a_node():
    around = ast.parse("a + (b - c) * d", mode="eval").body
    assert isinstance(around, ast.BinOp)
    assert isinstance(around.right, ast.BinOp)
    copy = copied(around, {id(around.right.left): ast.Name("z", ast.Load())})
    assert (ast.unparse(copy), ast.unparse(around)) == ("a + z * d", "a + (b - c) * d")
