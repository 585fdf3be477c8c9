"""A metamutant at k behaves as the separate module k; ways through trees, and how deep they may be."""

from __future__ import annotations

import ast
import random
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.subjects import load_subject
from support.sweeps import examples

from harness.errors import SourceError
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.program.loader import MARK, SELECTOR, ModuleText, StepLimit, execute_with_ticks, step_counter
from harness.kernel.program.splice import mutated_source
from harness.model.outcome import Location, Mutant, MutantStatus
from harness.model.subject import Subject
from harness.mutation.filters import classify
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import operator_set, operators_of
from harness.mutation.program import DEEPEST, TypeProfile, deepest, room_for
from harness.mutation.purity import Purity
from harness.mutation.schemata import metamutant
from harness.mutation.trees import below, children, copied

PROFILE = TypeProfile(variables={"Machine.run": {"x": frozenset({"int"}), "y": frozenset({"int"})}})


def behaviour(source: str, number: int, inputs: tuple[int, int, int]) -> object:
    """Return the observable behaviour of one call: outcome, post-state, steps."""
    counter = step_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = execute_with_ticks(ModuleText("impl", source, "impl.py"), counter, selector=number)
    counter.start(1000)
    machine, nodes = module.Machine(inputs[0], inputs[1]), [module.Node() for _ in range(3)]
    nodes[0].left, nodes[0].right, nodes[1].left = nodes[1], nodes[2], nodes[2]
    items = list(range(inputs[2]))
    counter.start(15)
    try:
        outcome: object = machine.run(inputs[1], inputs[2], items, nodes[0])
    except StepLimit:
        outcome = "step limit"
    except Exception as error:
        outcome = type(error).__name__
    try:
        state: object = concrete(machine, nodes, items)
    except NotCanonical:
        state = "not canonical"
    return outcome, state, counter.spent()


@pytest.mark.slow
@settings(max_examples=examples(24), deadline=None, derandomize=True)
@given(st.sampled_from(["extended", "mujava"]), programs, st.tuples(*[st.integers(0, 4)] * 3), st.integers(0, 99))
def test_metamutant_and_separate_modules_agree(operators, source, inputs, seed):
    derived = mutate(source, RUNS, PROFILE, operators_of(operator_set(operators)))
    mutants = [m for m in classify(source, derived) if m.status is not MutantStatus.STILLBORN]
    text, numbers = metamutant(source, mutants)
    assert sorted(numbers.values()) == list(range(1, len(mutants) + 1))
    assert behaviour(text, 0, inputs) == behaviour(source, 0, inputs)
    for mutant in random.Random(seed).sample(mutants, min(len(mutants), 12)):
        separate = mutated_source(source, mutant)
        assert behaviour(text, numbers[mutant.id], inputs) == behaviour(separate, 0, inputs), mutant


def test_the_original_passes_a_nest_of_sites_with_one_comparison():
    source = "def f(a: int, b: int):\n    return a + b < 3 * a\n"
    mutants = mutate(source, ["f"], TypeProfile())
    text, numbers = metamutant(source, mutants)

    class Selector(int):
        comparisons = 0

        def __ge__(self, other: int) -> bool:
            Selector.comparisons += 1
            return int(self) >= other

    names: dict[str, object] = {SELECTOR: Selector(0)}
    exec(text, names)
    assert names["f"](1, 1)  # type: ignore[operator]
    assert len(numbers) > 10
    assert Selector.comparisons == 1


@pytest.mark.parametrize(
    ("location", "replacement", "message"),
    [(Location(2, 11, 2, 12), "1 1", "does not parse"), (Location(9, 0, 9, 1), "0", "lies in no expression")],
)
def test_what_cannot_be_a_choice_is_refused(location, replacement, message):
    mutant = Mutant("X:1", "X", "f", location, "0", replacement, "")
    with pytest.raises(SourceError, match=message):
        metamutant("def f():\n    return 0\n", [mutant])


SOURCE = """\
def chosen(left: int, right: int) -> int:
    if left > 10:
        return left + right * 2
    return left
"""


def test_a_mutant_calls_the_mark_where_its_own_code_is_executed_and_nowhere_else():
    mutants = mutate(SOURCE, ["chosen"], TypeProfile())
    text, numbers = metamutant(SOURCE, mutants, marked=True)
    for mutant in mutants:
        calls: list[int] = []
        module = {SELECTOR: 0, MARK: lambda calls=calls: calls.append(1) or True}
        exec(text, module)
        module["chosen"](11, 5)
        module["chosen"](1, 5)
        assert calls == []
        module[SELECTOR] = numbers[mutant.id]
        for values, lines in (((11, 5), (2, 3)), ((-9, -9), (2, 4))):
            calls.clear()
            module["chosen"](*values)
            assert bool(calls) == (mutant.location.line in lines), mutant.id


def test_a_marked_metamutant_does_what_the_plain_one_does():
    mutants = mutate(SOURCE, ["chosen"], TypeProfile())
    texts = [metamutant(SOURCE, mutants, marked=marked) for marked in (False, True)]
    for number in (0, *texts[0][1].values()):
        results = []
        for text, _ in texts:
            module = {SELECTOR: number, MARK: lambda: True}
            exec(text, module)
            results.append([module["chosen"](*values) for values in ((11, 5), (1, 5), (10, 0))])
        assert results[0] == results[1]


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


def subject(source: str) -> Subject:
    return Subject("deep", "Deep", "impl", Path("impl.py"), source, Path("spec.py"), "")


def test_the_deepest_statement_is_named():
    assert deepest("x = 1\ny = -(-\n-1)\n") == (2, 5)
    assert deepest("x = (") == (1, 0)


@pytest.mark.parametrize("expression", ["-" * 60 + "x", "[" * 90 + "x" + "][0]" * 90, "1 + x" + ".y" * 180])
def test_what_is_not_too_deep_is_mutated(expression):
    source = f"def f(x):\n    return {expression}\n"
    with room_for(subject(source)):
        assert mutate(source, {"f"}, TypeProfile())


def test_what_is_too_deep_is_refused():
    source = "\ndef f(x):\n    return " + "not " * DEEPEST + "x\n"
    with (
        pytest.raises(SourceError, match=r"impl\.py:3: expressions or statements are nested"),
        room_for(subject(source)),
    ):
        pass


PLAIN = "class Node:\n    def __init__(self):\n        self.left = None\n"


def is_pure(expression: str, module: str = PLAIN, blocked: tuple[str, ...] = ()) -> bool:
    return Purity(ast.parse(module), blocked).pure(ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    "expression",
    ["n", "1", "n.left.left", "a[i + 1]", "a < b <= c", "a or b", "len(a)", "max(a, b)", "b if a else c", "x in a"],
)
def test_operations_on_plain_objects_are_pure(expression):
    assert is_pure(expression)


@pytest.mark.parametrize(
    "expression",
    ["f(n)", "n.f()", "(n := 1)", "[a]", "[x for x in a]", "lambda: a", "a[1:]", "f()", "max(a, key=f)", "f'{a}'"],
)
def test_what_may_run_code_or_make_an_object_is_not(expression):
    assert not is_pure(expression)


@pytest.mark.parametrize(
    "surprise",
    [
        "class C:\n    def __getattr__(self, name): ...",
        "class C:\n    @property\n    def left(self): ...",
        "class C:\n    left = property(f)",
        "class C:\n    __add__ = f",
        "C.__lt__ = f",
        "setattr(C, '__lt__', f)",
        "class C(metaclass=M): ...",
        "C = type('C', (), {'__lt__': f})",
        "import numpy",
        "from collections import defaultdict",
        "def len(a): ...",
        "def f(max): ...",
        "from typing import List as abs",
        "try: ...\nexcept E as min: ...",
        "match x:\n    case [*len]: ...",
        "if __name__ == '__main__': ...\nelse:\n    import numpy",
    ],
)
def test_where_objects_may_do_anything_only_names_and_constants_are_pure(surprise):
    assert not is_pure("a + b", f"{PLAIN}\n{surprise}\n")
    assert is_pure("a", f"{PLAIN}\n{surprise}\n")


@pytest.mark.parametrize(
    "harmless",
    [
        "from __future__ import annotations",
        "from collections.abc import Iterator",
        "class C:\n    __slots__ = ('a',)\n    @staticmethod\n    def f(): ...",
        "__about__ = 'text'",
        "def f(a):\n    return type(a)",
        "if __name__ == '__main__':\n    import doctest",
    ],
)
def test_what_gives_operations_no_meaning_does_not_count(harmless):
    assert is_pure("a + b", f"{harmless}\n{PLAIN}\n")


def test_a_blocked_import_brings_nothing():
    source = "try:\n    from _heapq import *\nexcept ImportError:\n    pass\n"
    assert not is_pure("a + b", source)
    assert is_pure("a + b", source, blocked=("_heapq",))


def test_iterators_are_taken_from_by_in_and_by_the_least_of_them():
    source = "def f(a):\n    yield from a\n"
    assert [is_pure(e, source) for e in ("x in a", "min(a)", "min(a, b)", "a < b")] == [False, False, True, True]


def test_a_string_shows_values_by_their_own_code():
    source = "class C:\n    def __str__(self): ...\n"
    assert not is_pure("'%s' % a", source)
    assert is_pure("'%s' % a")
