"""Candidate vectors become the object graphs that they describe: decoded, told and compared alike on both paths."""

from __future__ import annotations

import json
import threading
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from support.generations import generation
from support.random_classes import random_classes
from support.sweeps import examples

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.generators.generate import generate
from harness.generators.policies.korat.generator import Korat
from harness.kernel.inputs.describe import show
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.inputs import SuiteContents, case
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.described import DescribedBounds
from harness.kernel.specs.spec import Spec, load_spec
from harness.kernel.specs.tokens import Token
from harness.model.finitization import Finitization

MODULE = execute(
    ModuleText(
        "impl",
        "from collections import OrderedDict\nclass R: pass\nclass Stack(list): pass\nclass Bag(dict): pass\n"
        "class Ordered(OrderedDict):\n    def __init__(self, size): pass\n"
        "class Pair:\n    def __new__(cls, left): raise NotImplementedError\n",
        "impl.py",
    )
)


def suite_of(spec: Spec, module: ModuleType, source: str, folder: Path) -> None:
    options = {"subject": "own", "subject_hash": "", "scope": 2, "seed": 0, "folder": folder}
    generate(Korat(), generation(spec, module, ModuleText("impl", source, "impl.py"), **options))


@given(random_classes())
@settings(max_examples=examples(60), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_both_paths_make_the_same_inputs_of_random_classes(tmp_path_factory, random_class):
    folder = tmp_path_factory.mktemp("suite") / "suite"
    module = execute(ModuleText("impl", random_class.implementation, "impl.py"))
    spec = load_spec(random_class.spec, "spec.py")
    finitization = spec.finitization(2)
    space = StateSpace(finitization)
    if space.size > 20_000:
        return
    suite_of(spec, module, random_class.implementation, folder)
    reader, naive = SuiteReader(folder), SuiteContents(folder)
    fast = StateInputs(module, spec, space, reader)
    for number in islice(range(len(reader)), 0, None, max(1, len(reader) // 50)):
        prepared, plain = fast.prepare(number), case(naive, number, finitization, module)
        values = [prepared.root, *prepared.arguments]
        assert concrete(values) == concrete([plain.root, *plain.arguments])
        assert equal_values(values, [plain.root, *plain.arguments], by_identity=True)
    codec, described = codec_of(DescribedBounds), DescribedBounds.of(finitization)
    received = codec.of_data(json.loads(json.dumps(codec.to_data(described)))).bounds()
    assert DescribedBounds.of(received) == described
    assert StateSpace(received).size == space.size


def state(build: Any, name: str = "R") -> Any:
    f = Finitization(name)
    build(f)
    space = StateSpace(f)
    return Decoder(space, MODULE).decode([0] * space.width)


def test_a_lock_is_made_anew_for_each_state_and_place_and_not_compared():
    def build(f: Finitization) -> None:
        lock = f.opaque(threading.Lock)
        f.set("R.a", lock)
        f.set("R.b", lock)

    one, other = state(build).root, state(build).root
    assert len({id(lock) for lock in (one.a, one.b, other.a, other.b)}) == 4
    one.a.acquire()
    assert concrete(one) == concrete(other)
    one.b = None
    assert concrete(one) != concrete(other)
    one.b = one.a
    assert concrete(one) != concrete(other)
    assert show(other) == "R(a=<lock>, b=<lock>)"


def test_a_fixed_collection_is_a_copy_each_time_and_compared():
    given_list = [[1], 2]

    def build(f: Finitization) -> None:
        f.set("R.a", f.fixed(given_list))

    one, other = state(build).root, state(build).root
    one.a[0].append(3)
    assert other.a == given_list == [[1], 2]
    assert concrete(one) != concrete(other)


def test_a_fixed_object_is_made_with_the_implementation_at_hand():
    stack = state(lambda f: f.set("R.a", f.fixed(lambda program: program.Stack([1])))).root.a
    assert type(stack) is MODULE.Stack
    assert stack == [1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda f: f.opaque(list), r"opaque\(list\) of the finitization makes a list, which is to be compared"),
        (lambda f: f.opaque(lambda: 1 // 0), "opaque.* of the finitization raised ZeroDivisionError"),
        (lambda f: f.fixed(lambda program: program.Nothing()), "fixed.* of the finitization raised AttributeError"),
    ],
)
def test_what_a_function_of_the_spec_cannot_make_is_told_in_one_line(make, message):
    with pytest.raises(SpecError, match=message):
        _ = state(lambda f: f.set("R.a", make(f))).root


def test_contents_are_compared_with_the_attributes_beside_them():
    def build(f: Finitization) -> None:
        f.contents("Stack", lengths=[2], elements=[5])
        f.set("Stack.size", 1)

    one, other = state(build, "Stack").root, state(build, "Stack").root
    assert list(one) == [5, 5]
    assert concrete(one) == concrete(other)
    one.size = 2
    assert concrete(one) != concrete(other)
    assert canonical(one) != canonical(other)
    assert not equal_values(one, other, by_identity=True)
    assert show(one) == "Stack([5, 5], size=2)"


def test_a_tuple_of_true_is_not_one_of_1():
    f = Finitization("R")
    f.set("R.a", [(1,), (True,), (1.0,)])
    tuples = [Decoder(StateSpace(f), MODULE).decode([index]).root.a for index in range(3)]
    assert [type(value[0]) for value in tuples] == [int, bool, float]


class Shy:
    __slots__ = ("left", "right")

    def __repr__(self):
        return f"Shy{self.right.reverse()}"


def test_a_state_whose_repr_raises_is_shown_by_its_fields():
    shy = Shy()
    shy.left, shy.right = shy, None
    assert show([shy]) == "[Shy(left=<Shy 2>, right=None)]"


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
