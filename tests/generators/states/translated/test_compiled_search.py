"""The compiled engine explores and finds exactly what the reference engine does."""

import os

import pytest
from generator_samples import shared_objects
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.compiled_samples import (
    by_reference,
    compiled,
    finitization,
    module,
    of_several,
    predicate,
    several,
)
from support.subjects import AT_SCOPES, NESTED, UNLIKE, loaded
from support.sweeps import WHOLE, examples

from harness.generators.states.native import build
from harness.generators.states.translated.search import CompiledSearch, classes_of
from harness.generators.states.translated.translate import translate
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.runner.subjects import load_subjects

DECLINED = ("disj_set_fast", "fib_heap")
"""Subjects whose rep_ok is beyond what is translated to C."""


@pytest.mark.parametrize(
    ("name", "scope"),
    [one for one in AT_SCOPES if one[0] not in DECLINED and (WHOLE or one[0] in UNLIKE)],
)
def test_every_subjects_states_come_in_the_same_order_from_as_many_candidates(name, scope):
    spec, code = loaded(name)
    code.rep_ok = spec.rep_ok
    space = StateSpace(spec.finitization(scope))
    expected = by_reference(code, space)
    assert compiled(code, space) == expected
    pruned = compiled(code, space, outcomes=True)
    assert pruned.vectors == expected.vectors
    assert pruned.explored <= expected.explored


@pytest.mark.slow
def test_every_subject_is_translated():
    load_subjects(dict.fromkeys(NESTED, ()))  # in one process; from here on they are known
    for name in NESTED:
        if name not in DECLINED:
            spec, code = loaded(name)
            assert translate(spec.rep_ok, classes_of(StateSpace(spec.finitization(1)), code)).text


CONSTRUCTS = {
    "floor division and modulo as Python has them": "return (root.size - 2) // 2 == -1 and (root.size - 2) % 3 == 2",
    "booleans are numbers": "return root.tag == (root.size == 1) and (root.tag is True) + 1 == 2",
    "sets of tuples": "seen = {(root.head, 1), (None, True)}\nreturn len(seen) == 1 and (root.head, 1) in seen",
    "dicts": "d = {}\nfor i in range(3):\n    d[i % 2] = d.get(i % 2, 0) + root.size\n"
    "return sum(v for k, v in d.items() if k == 0) == 2 and 1 in d and len(d) == 2",
    "a setdefault and a pop": "d = {}\nreturn d.setdefault(root.head, root.size) == d.pop(root.head) and not d",
    "while with else": "i = 0\nwhile i < root.size:\n    i += 1\n    if i == 2:\n        break\n"
    "else:\n    return False\nreturn True",
    "a walrus": "return (n := root.size) > 0 and n + n == 2",
    "starred lists": "parts = [0, *root.cells, 3]\nreturn parts[1:-1] == [0] and parts[-1] == 3",
    "nested comprehensions": "return sum(a * b for a in root.cells for b in root.cells if a != b) == 0",
    "set comprehension": "return len({c for c in root.cells}) == len(root.cells)",
    "a list that grows while it is walked": "work = [root.size]\nfor n in work:\n    if n:\n"
    "        work.append(n - 1)\nreturn len(work) == 3",
    "list methods": "xs = [2, 1]\nxs.insert(0, root.size)\nxs.sort()\nxs.reverse()\nxs.remove(1)\n"
    "return xs.index(2) == 0 and xs.count(2) == 2",
    "identities": "return id(root.head) != id(None) and id(root.head) in {id(root.head.next)} if root.head else False",
    "class attributes": "return root.head is not None and root.head.KIND == 'node' and root.LIMIT == root.size",
    "hasattr": "return root.head is not None and hasattr(root.head, 'next')",
    "a local tuple of names": "for name in ('size', 'head'):\n    if getattr(root, name):\n        return False\n"
    "return True",
    "early returns from nested loops": "for a in root.cells:\n    for b in root.cells:\n        if a > b:\n"
    "            return False\nreturn True",
    "a value of and and or": "return (root.size and root.cells or [1])[0] == 1",
    "a local that may be absent": "if root.size == 1:\n    x = 1\nreturn root.size == 1 and x == 1",
    "a generator in place": "return root.head is not None and sum(p is None for p in root.head.pair()) == 1",
    "a recursive generator": "return root.head is not None and len(list(root.head.below(3))) == 3",
    "methods of all kinds": "n = root.head\nreturn n is not None and n.above(1, strictly=False) and not n.above(1) "
    "and A.half(n.double) == 1 and root.total(start=3) == root.total() + 3",
    "operators on bits": "return (root.size & 1) << 2 >> 1 == (root.size | 2) ^ 1 or ~root.size == -3",
    "ranges backwards and in steps": "xs = list(reversed(range(0, 4, 2))) + list(range(2, -1, -1))\n"
    "for i in reversed(range(5, 0, -2)):\n    xs.append(i + root.size)\nreturn xs == [2, 0, 2, 1, 0, 3, 5, 7]",
    "numbers of what is walked backwards": "for i, c in enumerate(reversed(root.cells), 1):\n    if c:\n"
    "        continue\n    if i + root.size == 3:\n        break\nelse:\n    return False\nreturn True",
    "a queue": "work, seen = deque([root.head]), set()\nwhile work:\n    n = work.popleft()\n"
    "    if n is None or n in seen:\n        continue\n    seen.add(n)\n    work.append(n.next)\n"
    "    work.append(n.other)\nreturn len(seen) == root.size",
    "an exchange": "a, b = root.size, 1\na, b = b, a\na *= 2\nb -= 1\nreturn (a, b) == (2, root.size - 1)",
}


EXCEPTIONS = {
    "of an attribute": "try:\n    return root.head.value > 0\nexcept AttributeError:\n    return root.size == 1",
    "of one of several types": "try:\n    return root.cells[1] > root.size\n"
    "except (IndexError, TypeError):\n    return False",
    "of a base": "try:\n    return 3 // root.size == 1\nexcept ArithmeticError:\n    return root.tag is None",
    "of a key": "try:\n    return {1: 2}[root.size] == 2\nexcept KeyError:\n    pass\nreturn root.tag is None",
    "of a comparison": "x = None if root.tag else 1\ntry:\n    return root.size < x\n"
    "except TypeError:\n    return True",
    "of an empty list": "xs = list(root.cells)\ntry:\n    while xs.pop() != 1:\n        pass\nexcept IndexError:\n"
    "    return True\nreturn len(xs) == 1",
    "passed on": "try:\n    try:\n        return 3 // root.size == 1\n    except KeyError:\n        return True\n"
    "except ZeroDivisionError:\n    return root.tag is None",
    "raised": "try:\n    assert root.size == 1, root.tag\n    raise ValueError(root.head)\nexcept ValueError:\n"
    "    return True\nexcept Exception:\n    return len(root.cells) == 1",
    "raised again": "try:\n    try:\n        raise KeyError\n    except LookupError:\n        assert root.size\n"
    "except AssertionError:\n    return False\nreturn True",
    "of one's own": "try:\n    check(root)\nexcept Broken:\n    return False\nreturn True",
    "from a recursion": "try:\n    return ends(root.head, 3) == root.size\nexcept Broken:\n    return False",
    "on the way out of loops": "n = 0\nfor i in range(3):\n    try:\n        n += 1\n        if root.cells[i] == 1:\n"
    "            break\n        if root.size == 2:\n            continue\n        n += 10\n    except IndexError:\n"
    "        n += 100\n    else:\n        n += 1000\ntry:\n    return root.head.value < n % 7\nexcept AttributeError:\n"
    "    return n % 7 != 1",
    "after what was changed": "s, n = set(), root.head\ntry:\n    while True:\n        s.add(n)\n        n = n.next\n"
    "        if n in s:\n            return False\nexcept AttributeError:\n    return len(s) == root.size",
}
RAISING = """
class Broken(Exception):
    pass

def check(root):
    if root.head is None or root.head.value != root.size:
        raise Broken(root.tag)

def ends(node, left):
    if left == 0:
        raise Broken
    return 0 if node is None else 1 + ends(node.next, left - 1)
"""


@pytest.fixture(scope="module", params=["quick", "optimising"])
def compiler(request):
    """Puts the compiler of most tests, or that of this machine as it is, on the path."""
    folders = os.environ["PATH"].split(os.pathsep)
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "optimising":
            patch.setenv("PATH", os.pathsep.join(folders[1:]))
        build.compiler.cache_clear()
        yield
    build.compiler.cache_clear()


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions_are_caught_as_python_does(compiler, name):
    code, space = several(EXCEPTIONS.values(), RAISING), of_several([*EXCEPTIONS].index(name), finitization())
    expected = by_reference(code, space)
    assert expected.vectors
    assert not expected.error
    assert compiled(code, space) == expected


UNCERTAIN = {
    "an exception of another kind": "try:\n    return root.size[0]\nexcept TypeError:\n    return True",
    "a local that is absent": "try:\n    if root.size: x = 1\n    return x\nexcept NameError:\n    return True",
    "a method of nothing": "try:\n    return root.head.count(1) == 1\nexcept AttributeError:\n    return True",
    "the end of a generator": "try:\n    raise StopIteration\nexcept RuntimeError:\n    return True",
    "another than is named": "try:\n    raise OSError(2, '')\nexcept FileNotFoundError:\n    return True\n"
    "except OSError:\n    return False",
    "one that cannot be made so": "try:\n    raise SyntaxError('', 2)\nexcept TypeError:\n    return True\n"
    "except SyntaxError:\n    return False",
    "what nobody catches": "try:\n    return root.head.value\nexcept KeyError:\n    return True",
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_an_exception_that_is_not_certain_to_be_caught_is_given_up_on(name):
    assert compiled(several(UNCERTAIN.values()), of_several([*UNCERTAIN].index(name), finitization())).error


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_this_construct_is_translated(name):
    code, space = several(CONSTRUCTS.values()), of_several([*CONSTRUCTS].index(name), finitization())
    expected = by_reference(code, space)
    assert expected.vectors
    assert not expected.error
    assert compiled(code, space) == expected
    assert compiled(code, space, outcomes=True).vectors == expected.vectors


def test_two_searches_with_one_shared_object_do_not_disturb_each_other():
    code = predicate("return root.head is not None and root.head.value > 0")
    space = StateSpace(finitization())
    first, second = (CompiledSearch(space, code, code.rep_ok, shared_objects()) for _ in range(2))
    both = list(zip(first, second, strict=True))
    assert all(a == b for a, b in both)
    assert [a for a, _ in both] == list(by_reference(code, space).vectors)


@pytest.mark.slow
def test_tokens_and_lists_of_objects_are_searched_alike():
    code = module(
        "class G:\n    pass\nclass E:\n    pass\n"
        "def rep_ok(g):\n    return all(e is not None and e.mark is not None for e in g.edges) "
        "and (len(g.edges) < 2 or g.edges[0] is not g.edges[1] and g.edges[0].mark in [g.edges[-1].mark])\n"
    )
    f = Finitization("G")
    edges = f.objects("E", 3)
    f.set("G.edges", f.lists(1, lengths=(2, 0, 1), elements=(None, edges)))
    f.set("E.mark", None, f.tokens("T", 3))
    space = StateSpace(f)
    assert compiled(code, space) == by_reference(code, space)
    assert compiled(code, space, outcomes=True).vectors == by_reference(code, space).vectors


READERS = [
    "return True",
    "return root.size == 0",
    "return root.tag is None and root.head is not None and root.head.value == 1",
    "return root.head is None or root.head.next is not root.head",
    "return len(root.cells) != 1 and root.head is not None and root.head.next is None",
    "n = root.head\nfor _ in range(3):\n    if n is not None and n.value == 1:\n        n = n.next\n"
    "return root.size == 0",
]


@pytest.mark.slow
@given(st.data())
@settings(max_examples=examples(80), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_fields_of_one_value_and_any_objects_are_searched_alike(data):
    f = Finitization("R")
    nodes, other_nodes = f.objects("A", data.draw(st.integers(1, 2))), f.objects("A", data.draw(st.integers(0, 1)))
    links = st.permutations([None, nodes, other_nodes]).map(lambda pieces: pieces[:2])
    f.set("R.head", *data.draw(links))
    f.set("R.size", range(data.draw(st.integers(1, 2))))
    f.set("R.tag", *data.draw(st.sampled_from([(None,), (True, None)])))
    lengths = data.draw(st.sampled_from([(0,), (1,), (2,), (1, 0), (0, 2)]))
    f.set("R.cells", f.lists(1, lengths=lengths, elements=data.draw(st.sampled_from([(0,), (0, 1), (None, nodes)]))))
    f.set("A.next", *data.draw(links))
    f.set("A.other", *data.draw(st.sampled_from([(None,), (nodes,), (None, nodes)])))
    f.set("A.value", *data.draw(st.sampled_from([(1,), (1, 2)])))
    code, space = several(READERS), of_several(data.draw(st.integers(0, len(READERS) - 1)), f)
    assume(space.size <= 3000)
    expected = by_reference(code, space)
    assert compiled(code, space) == expected
    assert compiled(code, space, outcomes=True).vectors == expected.vectors
