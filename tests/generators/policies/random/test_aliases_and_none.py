"""One object for two parameters, and None as an argument: where they are passed, and how both paths judge them."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.own_subject import write_subject
from support.sequence_suites import generated_sequences
from support.sequence_trials import confirmed, prepared, ran

from harness import api
from harness.errors import EndlessSpecError, SpecError
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.specs.spec import load_spec
from harness.model.routines import NONE
from harness.model.sequence import SequenceScope
from harness.store.run_store import RunStore

BAG = """
class Bag:
    def __init__(self, first=0):
        self.held = [first]
        self.name = ""

    def put(self, value):
        self.held.append(value)

    def move(self, other):
        self.held += other.held
        other.held = []

    def empty_into(self, other):
        while self.held and len(other.held) < 2:
            other.held.append(self.held.pop())

    def refuse(self, other):
        if other is self:
            raise RuntimeError("it is the same bag")

    def call(self, name):
        self.name = name.upper()

    def note(self, name):
        self.name = name

    def fill(self, values):
        if values is None:
            raise RuntimeError("nothing to fill in")
        self.held += values


def joined(one, other):
    bag = Bag()
    bag.held = one.held + other.held
    return bag
"""
SPEC = """
from harness.spec import Finitization, SequenceScope, Structures


def sequences(scope):
    s = SequenceScope("Bag")
    s.constructor(range(2))
    s.method("put", range(scope))
    {more}
    s.elements(6)
    s.length(12)
    return s


def has_upper(bag, name):
    return name.upper()
"""
MOVES = 's.method("move", s.earlier("Bag"))'
JOINS = 's.constructor(s.earlier("Bag"), s.earlier("Bag"), name="joined")'
GENERATORS = ("random:300", "hypothesis-stateful:30")


def suite_of(
    folder: Path, more: str, generator: str = "random:300", seconds: float | None = None
) -> tuple[list[tuple[Call, ...]], SequenceScope, SuiteReader]:
    spec = load_spec(SPEC.replace("{more}", more), "spec.py")
    suite = generated_sequences(folder / "suite", generator, spec, BAG, seed=2, candidate_seconds=seconds)
    return [tuple(suite.sequence(number)) for number in range(len(suite))], spec.sequences(3, BAG), suite


def argument_objects(sequences: list[tuple[Call, ...]], bounds: SequenceScope, name: str) -> Iterator[list[int]]:
    """Yield, for each call of a routine, the numbers of the calls that made its objects."""
    for calls in sequences:
        for call in calls:
            if bounds.routines[call.target].name == name:
                yield list(call.earlier(bounds.routines[call.target]))


@pytest.mark.parametrize(
    ("generator", "more", "name"),
    [*((generator, MOVES, "move") for generator in GENERATORS), ("random:300", JOINS, "joined")],
)
def test_one_object_is_passed_for_two_parameters_unless_aliases_are_off(tmp_path, generator, more, name):
    sequences, bounds, _ = suite_of(tmp_path / "on", more, generator)
    counts = Counter(len(set(objects)) for objects in argument_objects(sequences, bounds, name))
    assert counts.keys() == {1, 2}
    sequences, bounds, _ = suite_of(tmp_path / "off", more, f"{generator},aliases=no")
    assert {len(set(objects)) for objects in argument_objects(sequences, bounds, name)} == {2}


@pytest.mark.parametrize("generator", GENERATORS)
def test_structures_of_a_finitization_are_passed_once(tmp_path, generator):
    more = (
        'f = Finitization("Bag"); f.set("Bag.held", f.lists(1, lengths=range(3), elements=range(2))); '
        'f.set("Bag.name", ""); f.method("move", Structures(f, bool)); f.method("put", range(2)); '
        "s = SequenceScope.of_finitization(f, scope)"
    )
    sequences, bounds, _ = suite_of(tmp_path, more, generator)
    objects_of_calls = list(argument_objects(sequences, bounds, "move"))
    assert len(objects_of_calls) > 5
    assert all(len(set(objects)) == 2 for objects in objects_of_calls)


def test_a_call_that_does_not_return_with_one_object_twice_is_told(tmp_path):
    with pytest.raises(EndlessSpecError, match=r"(\w+).empty_into\(\1\) did not return within 0.2 s .*by aliases=no$"):
        suite_of(tmp_path, 's.method("empty_into", s.earlier("Bag"))', seconds=0.2)
    requires = "requires=lambda one, other: one is not other"
    sequences, bounds, _ = suite_of(tmp_path, f's.method("empty_into", s.earlier("Bag"), {requires})', seconds=0.2)
    assert {len(set(objects)) for objects in argument_objects(sequences, bounds, "empty_into")} == {2}


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_call_that_fails_with_one_object_twice_is_told_with_the_option(tmp_path, generator):
    with pytest.raises(SpecError, match=r"discard_failures\(\), or leave out calls with one object .* by aliases=no"):
        suite_of(tmp_path, 's.method("refuse", s.earlier("Bag"))', generator)
    assert suite_of(tmp_path, 's.method("refuse", s.earlier("Bag"))', f"{generator},aliases=no")


NONES = 's.method("call", ["a"]); s.method("move", s.earlier("Bag"))'


@pytest.mark.parametrize("generator", GENERATORS)
def test_none_is_passed_where_objects_are_and_what_cannot_take_it_is_misuse(tmp_path, generator):
    sequences, bounds, _ = suite_of(tmp_path / "on", NONES, f"{generator},none=yes")
    names = {bounds.routines[call.target].name for calls in sequences for call in calls if NONE in call.arguments}
    assert names == {"call", "move"}, "and not put, whose values are numbers"
    texts = [show_sequence(bounds, calls) for calls in sequences]
    assert any(".call(None)" in text for text in texts)
    assert any(".move(None)" in text for text in texts)
    if generator.startswith("random"):
        assert not any("(None)" in text.rpartition("; ")[0] for text in texts), "what raises is not gone on from"
    sequences, _, _ = suite_of(tmp_path / "off", NONES, generator)
    assert not any(NONE in call.arguments for calls in sequences for call in calls)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("more", ['s.method("note", (None, ["a"]))', "pass"])
def test_a_domain_that_has_none_or_numbers_alone_gets_none_of_its_own(tmp_path, generator, more):
    sequences, _, suite = suite_of(tmp_path / "on", more, f"{generator},none=yes")
    assert not any(NONE in call.arguments for calls in sequences for call in calls)
    assert suite.header.digest == suite_of(tmp_path / "off", more, generator)[2].header.digest


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["random:300", "hypothesis-stateful:100"])
def test_none_that_a_call_takes_is_gone_on_from(tmp_path, generator):
    sequences, _, _ = suite_of(tmp_path, 's.method("note", ["a"])', f"{generator},none=yes")
    assert any(NONE in call.arguments for calls in sequences for call in calls[:-1])


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_precondition_that_cannot_take_none_does_not_hold_for_it(tmp_path, generator):
    more = 's.method("call", ["a"], requires=has_upper)'
    sequences, _, _ = suite_of(tmp_path, more, f"{generator},none=yes")
    assert not any(NONE in call.arguments for calls in sequences for call in calls)


@pytest.mark.parametrize("generator", GENERATORS)
def test_another_exception_than_those_of_none_is_a_failure(tmp_path, generator):
    with pytest.raises(SpecError, match=r"fill\(None\): the last call raised RuntimeError: nothing to fill in"):
        suite_of(tmp_path, 's.method("fill", s.fixed([1]))', f"{generator},none=yes")


@pytest.fixture
def bag(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    more = f'{NONES}; s.method("note", ["b"]); {JOINS}'
    return write_subject(tmp_path / "bag", BAG, SPEC.replace("{more}", more))


@pytest.mark.slow
def test_the_naive_path_judges_aliases_and_none_alike(tmp_path, bag):
    suite = api.generate(bag, "random:120,none=yes", 2)
    calls = [suite.sequence(number)[-1] for number in range(len(suite))]
    bounds = load_spec(Path(bag, "spec.py").read_text(encoding="utf-8"), "spec.py").sequences(2, BAG)
    objects = [list(call.earlier(bounds.routines[call.target])) for call in calls]
    assert any(len(set(one)) < len(one) for one in objects)
    assert any(NONE in call.arguments for call in calls)
    trial = prepared(bag, tmp_path, 2, most=12, suite=suite)
    key = ran(trial, tmp_path / "run")
    with RunStore.open_existing(tmp_path / "run") as store:
        assert any(result.reason for result in store.results.of(key))
    assert confirmed(trial, tmp_path / "run")
