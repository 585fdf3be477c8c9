"""The bounds of sequences as data say all but the functions; constructors are read from the text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.subjects import load_subject as load_with_spec

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.kernel.specs.constructors import with_constructor
from harness.kernel.specs.described import DescribedBounds, NotHere
from harness.model.interface import Called
from harness.model.routines import ArgumentDomain, Fixed, RoutineKind
from harness.model.sequence import SequenceScope
from harness.runner.subjects import load_subject, sequence_interface_of, sequences_of

CODEC = codec_of(DescribedBounds)

SPEC = """
from harness.spec import SequenceScope


def is_long(thing):
    return thing.value > 3


def sequences(scope):
    s = SequenceScope("Thing")
    s.constructor(range(scope))
    s.method("run")
    {more}
    return s
"""


def subject(folder: Path, more: str = "pass") -> Any:
    (folder / "impl.py").write_text("class Thing:\n    def run(self):\n        return self.value\n")
    (folder / "spec.py").write_text(SPEC.replace("{more}", more))
    return load_subject(str(folder))


def everything() -> SequenceScope:
    s = SequenceScope("Outer.Thing")
    s.constructor()
    s.constructor((None, 1.5, float("inf"), "x", (1, ("y",))), name="made")
    s.method("go", s.earlier("Thing"), s.tokens("Key", 2), at=[s.fixed([{1, 2}, {"a": (1,)}]), s.fixed(frozenset([3]))])
    s.function("of", requires=lambda thing: thing)
    s.objects(3)
    s.objects(2, "Node")
    s.elements(4)
    s.length(5)
    s.attempts(600)
    s.omit("count", "_.*")
    s.misuse("KeyError")
    s.builders("go")
    s.discard_failures()
    return s


def test_all_that_a_scope_says_comes_back_and_functions_by_their_names():
    own = everything()
    decoded = CODEC.of_data(json.loads(json.dumps(CODEC.to_data(DescribedBounds.of(own))))).bounds()
    parts, own_parts = dict(vars(decoded)), dict(vars(own))
    routines, own_routines = parts.pop("_routines"), own_parts.pop("_routines")
    assert parts == own_parts
    assert routines[:-1] == own_routines[:-1]
    assert (routines[-1].name, routines[-1].requires) == ("of", NotHere(""))
    with pytest.raises(SpecError, match="not to be called outside of the sandbox"):
        routines[-1].requires(None)


@pytest.mark.parametrize("name", ["search_tree", "heapq", "linked_list", "fibonacci_heap"])
def test_derived_bounds_are_described_too(name):
    subject, spec = load_with_spec(name)
    derived = sequences_of(subject, 3)
    own = spec.sequences(3, subject.source)
    described = DescribedBounds.of(own)
    assert DescribedBounds.of(derived) == DescribedBounds.of(described.bounds())
    assert [(r.name, r.parameters, r.requires is None) for r in derived.routines] == [
        (r.name, r.parameters, r.requires is None) for r in own.routines
    ]


def test_functions_of_the_spec_are_known_by_name(tmp_path):
    bounds = sequences_of(subject(tmp_path, 's.method("go", requires=is_long)'), 2)
    assert bounds.routines[-1].requires == NotHere("is_long")
    assert sequence_interface_of(subject(tmp_path, 's.method("go", requires=is_long)'), 2).called == (
        Called("Thing", RoutineKind.CONSTRUCTOR),
        Called("run", RoutineKind.METHOD),
        Called("go", RoutineKind.METHOD, restricted=True),
    )


@pytest.mark.parametrize(
    "data",
    [
        3,
        [3],
        {"set": []},
        {"SequenceScope": 3},
        {"SequenceScope": {"root": [1]}},
        {"SequenceScope": {"root": {"SpecConstants": []}}},
        {"SequenceScope": {"root": {"Reference": [1]}}},
        {"SequenceScope": {"root": {"RoutineKind": "something"}}},
        {"SequenceScope": {"root": {"set": [{"list": []}]}}},
        {"SequenceScope": {}, "more": {}},
    ],
)
def test_other_data_are_refused(data):
    with pytest.raises(ValueError, match=r"\w"):
        CODEC.of_data({"data": data}).bounds()


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
