"""The bounds of sequences as data say all but the functions, and are read strictly."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.subjects import load_subject as load_with_spec

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.kernel.specs.described import DescribedBounds, NotHere
from harness.model.interface import Called
from harness.model.routines import RoutineKind
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
