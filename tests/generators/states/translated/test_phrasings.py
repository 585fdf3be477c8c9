"""However an invariant is written down, the compiled engine takes it, or names what it does not take."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from generator_samples import RepOk, module, predicate, shared_objects
from phrasings import ASCENDING, BOX, INTERPRETED, boxes

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import StateSpace

CODE, SPACE = module(BOX), StateSpace(boxes())
ASCENDING_LISTS = 2 * (1 + 3 + 6 + 10)
"""With either limit: none, one, two or three numbers out of three, in order."""

AROUND = """
import functools
import itertools
import math
import operator
from collections import deque
from enum import Enum
from itertools import pairwise

LIMIT = 1000

class Limits:
    LOWEST = -1
    HIGHEST = 3

class Bound(Enum):
    HIGH = 3

def _fits(x, y):
    return x <= y

def _ascends(items):
    return len(items) < 2 or (items[0] <= items[1] and _ascends(items[1:]))

def _neighbours(items):
    for i in range(len(items) - 1):
        yield items[i], items[i + 1]
"""


def written(body: str, helpers: str = "") -> RepOk:
    rep_ok: RepOk = predicate(f"{AROUND}\n{helpers}\ndef rep_ok(b):\n{textwrap.indent(body, '    ')}\n")
    rep_ok.__globals__["Box"] = CODE.Box  # type: ignore[attr-defined]
    return rep_ok


@pytest.fixture(scope="module")
def searches() -> tuple[KoratSearch, CompiledSearch]:
    """Two searches with all phrasings, which are one text in C: a field of the state chooses among them."""
    functions = [f"def p{n}(b):\n{textwrap.indent(body, '    ')}\n" for n, body in enumerate(ASCENDING.values())]
    cases = [f"if b.which == {n}:\n    return p{n}(b)" for n in range(len(ASCENDING))]
    rep_ok = written("\n".join(cases), "\n".join(functions))
    finitization = boxes()
    finitization.set("Box.which", range(len(ASCENDING)))
    space = StateSpace(finitization)
    return KoratSearch(space, CODE, rep_ok), CompiledSearch(space, CODE, rep_ok, shared_objects())


@pytest.fixture(scope="module")
def vectors_of_engines(searches) -> list[dict[str, list[tuple[int, ...]]]]:
    """Return the vectors that each of the two searches finds, by phrasing, in order."""
    (which_field,) = (number for number, field in enumerate(searches[0].space.fields) if field.name == "which")
    by_phrasing: list[dict[str, list[tuple[int, ...]]]] = [{name: [] for name in ASCENDING} for _ in searches]
    for vectors, search in zip(by_phrasing, searches, strict=True):
        for vector in search:
            vectors[[*ASCENDING][vector[which_field]]].append(vector)
    return by_phrasing


def test_there_are_fifty_five_phrasings():
    assert len(ASCENDING) >= 55
    assert len(set(ASCENDING.values())) == len(ASCENDING)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ASCENDING)
def test_a_phrasing_is_compiled_and_finds_what_the_reference_engine_finds(name, vectors_of_engines):
    expected, compiled = (vectors[name] for vectors in vectors_of_engines)
    assert compiled == expected
    assert len(expected) == ASCENDING_LISTS


@pytest.mark.sweep
def test_phrasings_take_as_many_executions_when_they_are_compiled(searches, vectors_of_engines):
    reference, compiled = searches
    assert compiled.explored == reference.explored


@pytest.mark.parametrize("name", INTERPRETED)
def test_a_phrasing_outside_the_subset_is_named_and_left_to_the_reference_engine(name, tmp_path: Path):
    body, reason = INTERPRETED[name]
    rep_ok = written(body)
    expected = list(KoratSearch(SPACE, CODE, rep_ok))
    with pytest.raises(Untranslatable, match=reason):
        CompiledSearch(SPACE, CODE, rep_ok, tmp_path)
    assert len(expected) == ASCENDING_LISTS


WITH_A_METHOD = module(f"{BOX}\n    def fits(self, most):\n        return len(self.items) <= most\n")


@pytest.mark.parametrize("root", ["b", "box"])
def test_names_mean_the_same_after_a_method_call_that_cannot_be_translated(root: str) -> None:
    helpers = "def _half(x):\n    y = x / 1\n    return y\n"
    body = f"x, y, {root} = 7, 3, b\nif {root}.limit > 5:\n    return {root}.fits(_half(x))\nx = len(b.items)\n"
    rep_ok = written(f"{body}return x <= 2 and y == 3", helpers)
    reference = KoratSearch(SPACE, WITH_A_METHOD, rep_ok)
    compiled = CompiledSearch(SPACE, WITH_A_METHOD, rep_ok, shared_objects())
    assert list(compiled) == list(reference)
    assert compiled.explored == reference.explored


def test_a_metaclass_whose_classes_have_no_hash_is_named() -> None:
    meta = "class Meta(type):\n    def __eq__(cls, other):\n        return cls is other\n"
    helpers = f"{meta}\nclass Odd(metaclass=Meta):\n    pass\n"
    with pytest.raises(Untranslatable, match="isinstance of Odd"):
        CompiledSearch(SPACE, CODE, written("return not isinstance(b, Odd)", helpers), shared_objects())
