"""Constructors read from the text of an implementation, where a spec says none."""

import pytest

from harness.errors import SpecError
from harness.kernel.specs.constructors import with_constructor
from harness.model.routines import ArgumentDomain, Fixed
from harness.model.sequence import SequenceScope

IMPLEMENTATION = """
from dataclasses import dataclass
from typing import Optional

class Ring:
    def __init__(self, capacity: int, fair: "bool", name: Optional[str], *items: int, full: bool = False, least: float):
        pass

class Smaller(Ring):
    pass

class Empty:
    limit = 3

class Made:
    def __new__(cls, items: list[int] | None, more):
        return object.__new__(cls)

@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0

class Late:
    def __init__(self, forgotten: Point):
        pass

class Late:
    def __init__(self, full: bool):
        pass

@dataclass
class Rated(Point):
    count: ClassVar[int]
    name: str = field(repr=False)
    made: float = field(init=False)
    items: list = field(default_factory=list)

class Pair(typing.NamedTuple):
    left: bool
    right: int = 0

class Typed(Ring[int]):
    pass

if True:
    class Outer:
        class Inner:
            def __init__(self, other: Point):
                pass
"""


def constructed(root: str, scope: int = 2) -> tuple[tuple[ArgumentDomain, ...], tuple[str, ...]]:
    bounds = SequenceScope(root)
    bounds.method("put", range(scope))
    constructor, method = with_constructor(bounds, scope, IMPLEMENTATION).routines
    assert (constructor.name, method.name) == (root, "put")
    return constructor.parameters, constructor.keywords


def test_parameters_without_a_default_get_values_of_what_they_are_declared_to_be():
    capacity, fair, name = (0, 1, 2), (False, True), (None, "a", "b")
    expected = tuple(map(ArgumentDomain, (capacity, fair, name, (0.0, 1.0, 2.0))))
    assert constructed("Ring") == (expected, ("least",))
    assert constructed("Smaller") == (expected, ("least",))


def test_what_makes_an_object_may_be_new_or_a_dataclass_or_nothing_at_all():
    lists = (Fixed([]), Fixed([0, 1]), None)
    assert constructed("Made") == ((ArgumentDomain(lists), ArgumentDomain((0, 1, 2))), ())
    assert constructed("Point") == ((ArgumentDomain((0, 1, 2)),), ())
    assert constructed("Empty") == ((), ())
    assert constructed("Elsewhere") == ((), ())


def test_fields_of_dataclasses_and_named_tuples_are_passed_as_they_are_made():
    numbers, truths, texts = map(ArgumentDomain, ((0, 1, 2), (False, True), ("a", "b")))
    assert constructed("Rated") == ((numbers, texts), ())
    assert constructed("Pair") == ((truths,), ())


def test_bases_may_be_generic_and_the_last_definition_counts():
    assert constructed("Typed") == constructed("Ring")
    assert constructed("Late") == ((ArgumentDomain((False, True)),), ())


def test_what_nobody_can_guess_is_asked_for():
    with pytest.raises(SpecError, match=r"Outer\.Inner wants 'other', which is declared as Point; say in sequences"):
        constructed("Outer.Inner")


def test_a_constructor_that_the_spec_says_is_left_as_it_is():
    bounds = SequenceScope("Ring")
    bounds.constructor([4], [True], [None], least=[0.5])
    assert with_constructor(bounds, 2, IMPLEMENTATION) is bounds
