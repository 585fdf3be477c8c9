"""Candidate vectors become the object graphs that they describe."""

from types import ModuleType

import pytest

from harness.errors import SpecError
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.tokens import Token
from harness.model.finitization import Finitization

SOURCE = """
class Tree:
    def __init__(self):
        raise AssertionError("decoding calls no __init__")
    class Node:
        __slots__ = ("left", "right", "info")
"""


def tree_space(scope: int) -> StateSpace:
    f = Finitization("Tree")
    nodes = f.objects("Tree.Node", scope)
    f.set("Tree.root", None, nodes)
    f.set("Tree.Node.left", None, nodes)
    f.set("Tree.Node.right", None, nodes)
    f.set("Tree.Node.info", range(1, scope + 1))
    f.method("add", range(scope))
    return StateSpace(f)


def module(source: str = SOURCE) -> ModuleType:
    return execute(ModuleText("impl", source, "impl.py"))


def test_tokens_are_shared_within_a_state_and_equal_only_to_themselves():
    f = Finitization("Pair")
    tokens = f.tokens("element", 2)
    f.set("Pair.a", None, tokens)
    f.set("Pair.b", None, tokens)
    f.method("swap")
    pair = Decoder(StateSpace(f), module("class Pair: pass")).decode((1, 1)).root
    assert isinstance(pair.a, Token)
    assert pair.a is pair.b
    assert pair.a != Decoder(StateSpace(f), module("class Pair: pass")).decode((2, 1)).root.a


def test_a_class_that_the_implementation_lacks_is_named():
    f = Finitization("Missing")
    f.method("m")
    with pytest.raises(SpecError, match="'Missing'"):
        Decoder(StateSpace(f), module())


def test_the_size_of_the_space_is_the_papers():
    """exhaustive2003, section 3.3: (n+1)^(2(n+1)) n^n states; here without the size field, so n+1 fewer."""
    n = 3
    assert tree_space(n).size * (n + 1) == (n + 1) ** (2 * (n + 1)) * n**n == 1_769_472


def test_true_and_one_are_different_values_of_a_field():
    f = Finitization("Flags")
    f.set("Flags.a", False, True)
    f.set("Flags.b", range(2))
    f.method("m")
    flags = Decoder(StateSpace(f), module("class Flags: pass")).decode((1, 1)).root
    assert flags.a is True
    assert type(flags.b) is int
