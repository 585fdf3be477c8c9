"""However an invariant is written down, the compiled engine takes it, or names what it does not take."""

import textwrap

import pytest
from generator_samples import RepOk, module, predicate, shared_objects

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

BOX = """
class Box:
    def __init__(self):
        self.items = []
        self.limit = 0
"""


def boxes() -> Finitization:
    f = Finitization("Box")
    f.set("Box.items", f.lists(1, lengths=(0, 1, 2, 3), elements=range(3)))
    f.set("Box.limit", 0, 2)
    f.method("push", range(2))
    return f


ASCENDING = {
    "sorted by a negative key": "return b.items == sorted(b.items, key=lambda x: -x)[::-1] or len(b.items) > 9",
    "reversed": "return list(reversed(b.items)) == sorted(b.items, reverse=True)",
    "while": (
        "i = 0\nwhile i + 1 < len(b.items):\n    if b.items[i] > b.items[i + 1]:\n"
        "        return False\n    i += 1\nreturn True"
    ),
    "for else": (
        "for i in range(1, len(b.items)):\n    if b.items[i] < b.items[i - 1]:\n        break\n"
        "else:\n    return True\nreturn False"
    ),
    "minus infinity": (
        "last = -math.inf\nfor x in b.items:\n    if x < last:\n        return False\n    last = x\nreturn True"
    ),
    "float infinity": (
        "last = float('-inf')\nfor x in b.items:\n    if not last <= x < float('inf'):\n"
        "        return False\n    last = x\nreturn True"
    ),
    "a global limit": (
        "last = -LIMIT\nfor x in b.items:\n    if not last <= x < LIMIT * 2:\n"
        "        return False\n    last = x\nreturn True"
    ),
    "a class of limits": (
        "last = Limits.LOWEST\nfor x in b.items:\n    if x < last:\n        return False\n"
        "    last = x\nreturn last < Limits.HIGHEST"
    ),
    "an enumeration's value": "return all(x < Bound.HIGH.value for x in b.items) and b.items == sorted(b.items)",
    "a lambda": ("good = lambda i: b.items[i] <= b.items[i + 1]\nreturn all(good(i) for i in range(len(b.items) - 1))"),
    "nested recursion": (
        "def ascends(i):\n    if i + 1 >= len(b.items):\n        return True\n"
        "    return b.items[i] <= b.items[i + 1] and ascends(i + 1)\nreturn ascends(0)"
    ),
    "a nested default": (
        "def ascends(i=0):\n"
        "    return i + 1 >= len(b.items) or (b.items[i] <= b.items[i + 1] and ascends(i + 1))\n"
        "return ascends()"
    ),
    "a nested generator": (
        "def falls():\n    for x, y in zip(b.items, b.items[1:]):\n        yield x > y\nreturn not any(falls())"
    ),
    "a helper": "return _ascends(b.items)",
    "a generator function": "return all(x <= y for x, y in _neighbours(b.items))",
    "map with a lambda": "return all(map(lambda x, y: x <= y, b.items, b.items[1:]))",
    "map and min": "return min(map(lambda i: b.items[i + 1] - b.items[i], range(len(b.items) - 1)), default=0) >= 0",
    "filter": "return not list(filter(lambda i: b.items[i] > b.items[i + 1], range(len(b.items) - 1)))",
    "count of falls": "return [x > y for x, y in pairwise(b.items)].count(True) == 0",
    "divmod": (
        "n = len(b.items)\n"
        "return all(b.items[divmod(k, n)[0]] <= b.items[divmod(k, n)[1]] for k in range(n * n) if "
        "divmod(k, n)[0] < k % n)"
    ),
    "match on a pair": (
        "for x, y in pairwise(b.items):\n    match (x <= y, x == y):\n        case (False, _):\n"
        "            return False\n        case (True, same) if same:\n            continue\n"
        "return True"
    ),
    "match on the length": (
        "match len(b.items):\n    case 0 | 1:\n        return True\n    case n:\n"
        "        return all(b.items[i] <= b.items[i + 1] for i in range(n - 1))"
    ),
    "match on the limit": (
        "match b:\n    case Box(limit=0):\n        return b.items == sorted(b.items)\n    case _:\n"
        "        return sorted(b.items) == b.items"
    ),
    "a dictionary of places": (
        "at = {i: x for i, x in enumerate(b.items)}\nreturn all(x <= at.get(i + 1, 10**6) for i, x in at.items())"
    ),
    "views of a dictionary": (
        "at = dict()\nfor i, x in enumerate(sorted(b.items)):\n    at[i] = x\n"
        "return list(at.values()) == b.items and at.keys() == set(range(len(b.items)))"
    ),
    "an assertion": (
        "try:\n    for x, y in pairwise(b.items):\n        assert x <= y\nexcept AssertionError:\n"
        "    return False\nreturn True"
    ),
    "a deque": (
        "left = deque(b.items)\nwhile len(left) > 1:\n    if left.popleft() > left[0]:\n"
        "        return False\nreturn True"
    ),
    "tuples of pairs": "return all(p[0] <= p[1] for p in zip(b.items, b.items[1:]))",
    "the maximum by a key": (
        "top = max(b.items, key=lambda x: x) if b.items else 0\nreturn sorted(b.items) == b.items and top >= 0"
    ),
}
"""All of lists; each takes the limit for nothing."""


CODE, SPACE = module(BOX), StateSpace(boxes())
ASCENDING_LISTS = 2 * (1 + 3 + 6 + 10)
"""With either limit: none, one, two or three numbers out of three, in order."""

AROUND = """
import itertools
import math
from collections import deque
from enum import Enum
from itertools import pairwise

LIMIT = 1000

class Limits:
    LOWEST = -1
    HIGHEST = 3

class Bound(Enum):
    HIGH = 3

def _ascends(items):
    return len(items) < 2 or (items[0] <= items[1] and _ascends(items[1:]))

def _neighbours(items):
    for i in range(len(items) - 1):
        yield items[i], items[i + 1]
"""


def written(body: str, helpers: str = "") -> RepOk:
    rep_ok: RepOk = predicate(f"{AROUND}\n{helpers}\ndef rep_ok(b):\n{textwrap.indent(body, '    ')}\n")
    rep_ok.__globals__["Box"] = CODE.Box
    return rep_ok


@pytest.fixture(scope="module")
def searches():
    """Two searches with all phrasings, which are one text in C: a field of the state chooses among them."""
    functions = [f"def p{n}(b):\n{textwrap.indent(body, '    ')}\n" for n, body in enumerate(ASCENDING.values())]
    cases = [f"if b.which == {n}:\n    return p{n}(b)" for n in range(len(ASCENDING))]
    rep_ok = written("\n".join(cases), "\n".join(functions))
    finitization = boxes()
    finitization.set("Box.which", range(len(ASCENDING)))
    space = StateSpace(finitization)
    return KoratSearch(space, CODE, rep_ok), CompiledSearch(space, CODE, rep_ok, shared_objects())


@pytest.fixture(scope="module")
def vectors_of_engines(searches):
    """Return the vectors that each of the two searches finds, by phrasing, in order."""
    (which_field,) = (number for number, field in enumerate(searches[0].space.fields) if field.name == "which")
    by_phrasing: list[dict[str, list[tuple[int, ...]]]] = [{name: [] for name in ASCENDING} for _ in searches]
    for vectors, search in zip(by_phrasing, searches, strict=True):
        for vector in search:
            vectors[[*ASCENDING][vector[which_field]]].append(vector)
    return by_phrasing


@pytest.mark.parametrize("name", ASCENDING)
def test_a_phrasing_is_compiled_and_finds_what_the_reference_engine_finds(name, vectors_of_engines):
    expected, compiled = (vectors[name] for vectors in vectors_of_engines)
    assert compiled == expected
    assert len(expected) == ASCENDING_LISTS


def test_phrasings_take_as_many_executions_when_they_are_compiled(searches, vectors_of_engines):
    reference, compiled = searches
    assert compiled.explored == reference.explored


def test_a_metaclass_whose_classes_have_no_hash_is_named():
    meta = "class Meta(type):\n    def __eq__(cls, other):\n        return cls is other\n"
    helpers = f"{meta}\nclass Odd(metaclass=Meta):\n    pass\n"
    with pytest.raises(Untranslatable, match="isinstance of Odd"):
        CompiledSearch(SPACE, CODE, written("return not isinstance(b, Odd)", helpers), shared_objects())
