"""Korat+ is the paper's algorithm, covers every class that Korat covers, and tells a bad criterion by name."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from generator_samples import generated_suite, module, workshop
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_criteria import programs_with_criteria
from random_programs import Program
from random_samples import RANDOM_SOURCE
from support.generations import NO_TEXT, generation
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.generate import generate
from harness.generators.policies.korat.generator import KoratPlus, OnePerClass
from harness.generators.protocol import Task
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.layout import Layout
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning, class_name
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import Pace
from harness.kernel.inputs.state_space import PLAIN, Decoder, StateSpace
from harness.model.finitization import Finitization


class NaiveKoratPlus:
    """Valid vectors and classes in order, and candidates explored; without `eq_class`, those of Korat."""

    def __init__(self, space: StateSpace, code: Any, rep_ok: Callable[[Any], Any], eq_class: Any = None) -> None:
        self.space, self.code, self.rep_ok, self.eq_class = space, code, rep_ok, eq_class
        self.layout = Layout(space)
        self.decoder = Decoder(space, code)
        self.explored = 0
        self.kept_states: list[tuple[tuple[int, ...], Any]] = []

    def run(self) -> NaiveKoratPlus:
        """Execute the whole search."""
        current = [0] * self.space.width
        fields = [0]
        while fields:
            valid, fields = self.read(self.rep_ok, current)
            self.explored += 1
            if valid:
                reachable, _ = self.layout.reachable(current)
                fields += [field for field in reachable if field not in fields]
                value, observed = (None, fields) if self.eq_class is None else self.read(self.eq_class, current)
                self.kept_states.append((tuple(current), value))
            modified = self.advance(current, fields)
            if valid and not set(observed) & set(modified):
                for field in modified:
                    current[field] = 0
                while fields[-1] not in observed:
                    current[fields.pop()] = 0
                self.advance(current, fields)
        return self

    def advance(self, current: list[int], fields: list[int]) -> list[int]:
        """The next candidate of Korat: which fields change, the advanced one last; no field is left at the end."""
        modified = []
        while fields:
            field = fields[-1]
            following = self.following(current, fields)
            modified.append(field)
            if following is not None:
                current[field] = following
                return modified
            current[field] = 0
            fields.pop()
        return modified

    def following(self, current: list[int], fields: list[int]) -> int | None:
        """The next index of the last field, past objects that would give isomorphic states."""
        *below, field = fields
        domain, index = self.space.fields[field].domain, current[field]
        kind, following = domain.classes[index], index + 1
        other_fields = [(self.space.fields[other].domain, current[other]) for other in below]
        used_indices = [at.indices[value] for at, value in other_fields if at.classes[value] == kind]
        if kind != PLAIN and domain.indices[index] > max([0 if kind == 0 else -1, *used_indices]):
            while following < len(domain) and domain.classes[following] == kind:
                following += 1
        return following if following < len(domain) else None

    def read(self, function: Callable[[Any], Any], vector: list[int]) -> tuple[Any, list[int]]:
        """Return a function's answer about a state, and the fields that it reads, by first reading."""
        state = self.decoder.decode(vector)
        root = state.root
        fields = {}
        for owner in self.space.objects:
            for name in owner.names:
                fields[id(state.made(owner.number)), name] = owner.first + owner.names.index(name)
        read: dict[int, None] = {}

        def record_read(owner: Any, name: str) -> None:
            if (id(owner), name) in fields:
                read.setdefault(fields[id(owner), name])

        with noticed(self.code, record_read):
            value = function(root)
        return value, list(read)


@contextmanager
def noticed(code: Any, record_read: Callable[[Any, str], Any]) -> Iterator[None]:
    """Reads of attributes of the module's classes."""
    classes = [made for made in vars(code).values() if isinstance(made, type) and made.__module__ == code.__name__]

    def get(self: Any, name: str) -> Any:
        record_read(self, name)
        return object.__getattribute__(self, name)

    for cls in classes:
        cls.__getattribute__ = get
    try:
        yield
    finally:
        for cls in classes:
            del cls.__getattribute__


QUIETLY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
MIDDLE = [("list_as_set", 5), ("binomial_heap_merge", 4), ("search_tree_delete", 5)]
SMALL = [("list_as_set", 3), ("binomial_heap_merge", 3), ("search_tree_delete", 3), ("weighted_directed_graph", 1)]


def check_soundness(
    space: StateSpace, code: ModuleType, rep_ok: Any, eq_class: Any, workshop: Workshop | None = None
) -> StateSearch:
    """Check that an earlier state of Korat+ covers the class of each state of Korat that it leaves out."""
    plus = StateSearch(space, code, rep_ok, workshop, pruning=Pruning(eq_class))
    states = list(plus)
    exhaustive = list(StateSearch(space, code, rep_ok, workshop))
    decoder = Decoder(space, code)
    covered, remaining = {}, iter(states)
    following = next(remaining, None)
    for vector in exhaustive:
        value = eq_class(decoder.decode(vector).root)
        if vector == following:
            covered.setdefault(value, vector)
            following = next(remaining, None)
        assert value in covered
    assert following is None
    assert plus.classes == covered
    first_only = StateSearch(space, code, rep_ok, workshop, pruning=Pruning(eq_class, first_only=True))
    assert list(first_only) == list(covered.values())
    return plus


@pytest.mark.parametrize(("name", "scope"), SMALL)
def test_of_a_case_study_every_class_is_covered_and_what_is_pruned_is_of_a_covered_one(name, scope):
    spec, code = loaded(name)
    check_soundness(StateSpace(spec.finitization(scope)), code, spec.rep_ok, spec.eq_class)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scope"), MIDDLE)
def test_at_middle_scopes_every_class_is_covered_and_what_is_pruned_is_of_a_covered_one(name, scope):
    spec, code = loaded(name)
    plus = check_soundness(StateSpace(spec.finitization(scope)), code, spec.rep_ok, spec.eq_class, workshop())
    assert plus.engine == "compiled"
    assert len(plus.classes) > 8


@pytest.mark.parametrize(("name", "scope"), [("list_as_set", 1), ("binomial_heap_merge", 2), ("search_tree_delete", 1)])
def test_of_a_case_study_the_papers_pseudo_code_finds_the_same(name, scope):
    spec, code = loaded(name)
    space = StateSpace(spec.finitization(scope))
    naive = NaiveKoratPlus(space, code, spec.rep_ok, spec.eq_class).run()
    plus = KoratPlusSearch(space, code, spec.rep_ok, Pruning(spec.eq_class))
    assert [vector for vector, _ in naive.kept_states] == list(plus)
    assert naive.explored == plus.explored
    assert list(dict.fromkeys(value for _, value in naive.kept_states)) == list(plus.classes)
    exhaustive = NaiveKoratPlus(space, code, spec.rep_ok).run()
    assert [vector for vector, _ in exhaustive.kept_states] == list(KoratSearch(space, code, spec.rep_ok))


NUMBERS = ("p", "q", "r", "s", "t")


@dataclass(frozen=True)
class Reader:
    """Reads some of a root's numbers, in a choice and order that depend on the values; answers by a checksum."""

    seed: int
    most: int
    answers: int

    def __call__(self, root: Any) -> int:
        trace: list[Any] = [self.seed]
        left = list(NUMBERS)
        for _ in range(self.most):
            name = left.pop(zlib.crc32(repr(trace).encode()) % len(left))
            trace.append((name, getattr(root, name)))
        return zlib.crc32(repr(trace).encode()) % self.answers


@st.composite
def random_readers(draw: st.DrawFn) -> tuple[Finitization, Reader, Reader]:
    """Draw a root of some numbers, up to a thousand states; a rep_ok that accepts most of them, and a criterion.

    Two of three criteria begin to read in the order of rep_ok and soon end, so that a good deal is pruned.
    """
    f = Finitization("R")
    for name in NUMBERS:
        f.set(f"R.{name}", range(draw(st.integers(2, 4))))
    seed, other = draw(st.integers(0, 1 << 16)), draw(st.integers(0, 1 << 16))
    rep_ok = Reader(seed, draw(st.integers(3, 5)), 4)
    return f, rep_ok, Reader(draw(st.sampled_from([seed, seed, other])), draw(st.integers(1, 3)), 3)


SEEN: Counter[str] = Counter()


def check_random(program: Program) -> None:
    code, space = module(program.source), StateSpace(program.finitization())
    try:
        plus = check_soundness(space, code, code.rep_ok, code.eq_class)
    except Exception as error:
        assume(not isinstance(error, (SpecError, AttributeError, TypeError, ArithmeticError, IndexError, ValueError)))
        raise
    check_naive(plus, space, code, code.rep_ok, code.eq_class, program)


def check_naive(
    plus: StateSearch, space: StateSpace, code: ModuleType, rep_ok: Any, eq_class: Any, program: Program | None = None
) -> None:
    """Where there are no containers, the paper's pseudo-code explores and finds what Korat+ does."""
    exhaustive, states = sum(1 for _ in KoratSearch(space, code, rep_ok)), list(plus)
    SEEN["pruned" if len(states) < exhaustive else "several" if len(plus.classes) > 1 else "one class"] += 1
    fields = [one for fields in program.classes.values() for one in fields] if program else []
    if not any(one.kind in ("numbers", "references") for one in fields):
        naive = NaiveKoratPlus(space, code, rep_ok, eq_class).run()
        assert [vector for vector, _ in naive.kept_states] == states
        assert naive.explored == plus.explored
        SEEN["as the pseudo-code"] += 1


@given(random_readers())
@settings(max_examples=12, **QUIETLY)
def random_criterion_that_prunes_much(case):
    finitization, rep_ok, eq_class = case
    code, space = module(RANDOM_SOURCE), StateSpace(finitization)
    check_naive(check_soundness(space, code, rep_ok, eq_class), space, code, rep_ok, eq_class)


@given(programs_with_criteria())
@settings(max_examples=12, **QUIETLY)
def random_criterion(program):
    assume(StateSpace(program.finitization()).size <= 20_000)
    check_random(program)


@pytest.mark.slow
def test_random_criteria_are_covered_and_searched_as_the_paper_says_and_a_good_part_of_them_prunes():
    SEEN.clear()
    random_criterion_that_prunes_much()
    random_criterion()
    assert SEEN["pruned"] > 9
    assert SEEN["as the pseudo-code"] > 15


SOURCE = """
class Pile:
    def __init__(self):
        self.count = 0
        self.top = None
        self.items = []
        self.kinds = {}

    def push(self, number): ...

class Node:
    def __init__(self):
        self.value = 0
"""

SPEC = """
import random
from collections import namedtuple
from harness.spec import Finitization

calls = []
Class = namedtuple("Class", "is_empty, size")

def rep_ok(pile):
    return pile.count >= 0

def eq_class(pile):
    DEED

def finitization(scope):
    f = Finitization("Pile")
    nodes = f.objects("Node", 1)
    f.set("Pile.count", range(scope + 1))
    f.set("Pile.top", None, nodes)
    f.set("Pile.items", f.lists(1, lengths=range(2), elements=[0, 1]))
    f.set("Pile.kinds", f.dicts(1, keys=["a", "b"], values=[1, 2]))
    f.set("Node.value", range(scope))
    f.method("push", range(2), requires=REQUIRES)
    return f
"""


def suite_of(folder, deed, generator=None, requires="None", **options):
    text = SPEC.replace("DEED", deed.replace("\n", "\n    ")).replace("REQUIRES", requires)
    return generated_suite(folder / "suite", text, SOURCE, generator or KoratPlus(), **options)


BAD = {
    "return 1 // pile.count": r"eq_class raised ZeroDivisionError: .* on candidate Pile\(count=0.*return a class",
    "return pile.height": "eq_class reads Pile.height .*, which no code of the implementation assigns",
    "return [pile.count]": r"eq_class returned a list, which is not hashable, on Pile\(count=0.*; return a tuple",
    "return pile.count, random.random()": "eq_class gives another class when it is called again on Pile",
    "calls.append(0)\nif len(calls) == 3: pile.top\nreturn pile.count": "eq_class reads other fields when it is called",
    "pile.count += 1\nreturn pile.count": r"eq_class changes the state .* on Pile\(count=0",
    "pile.items.append(3)\nreturn pile.count": r"eq_class changes the state",
    "pile.kinds.clear()\nreturn pile.count, bool(pile.kinds)": r"eq_class changes the state",
    "return 'any'": "eq_class reads nothing of the state .*, so that all inputs would be of its class any",
    "yield pile.count": "eq_class makes a generator",
}


@pytest.mark.parametrize("deed", BAD)
def test_a_bad_criterion_is_told_in_one_line_with_the_input(tmp_path, deed):
    with pytest.raises(SpecError, match=BAD[deed]) as error:
        suite_of(tmp_path, deed)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize("opened_workshop", [None, workshop(pace=Pace(beginning=2))], ids=["reference", "compiled"])
def test_an_endless_criterion_is_told_with_the_input(tmp_path, opened_workshop):
    with pytest.raises(
        SpecError, match=r"^eq_class did not return on candidate Pile\(count=2, .* within 0.2 s of processor time"
    ):
        suite_of(
            tmp_path,
            "while pile.count == 2: pass\nreturn pile.count, len(pile.kinds)",
            workshop=opened_workshop,
            candidate_seconds=0.2,
        )


@pytest.mark.parametrize("generator", [KoratPlus(), OnePerClass()])
def test_a_spec_without_a_criterion_is_told_to_have_one(generator):
    spec, code = loaded("search_tree")
    task = Task(spec, code, spec.finitization(1), 0)
    with pytest.raises(SpecError, match="no function eq_class, by which"):
        generator.produce(task)


def test_the_header_names_the_classes_and_gives_the_first_state_of_each(tmp_path):
    header = suite_of(tmp_path, "return Class(pile.top is None, pile.count)")
    assert [name for name, _ in header.classes][:2] == ["is_empty=True, size=0", "is_empty=False, size=0"]
    assert len(header.classes) == 6
    assert header.classes[0][1] == "Pile(count=0, top=None, items=[], kinds={})"
    assert header.states == len(header.classes)  # what eq_class does not read is left at its first value
    assert header.inputs == 12


def test_what_a_container_holds_is_read_as_a_whole(tmp_path):
    header = suite_of(tmp_path, "return len(pile.kinds)")
    assert [name for name, _ in header.classes] == ["0", "1", "2"]
    assert header.states == 3 * 2 * 9  # count and top are read before, what is in the list and the node behind it


def test_one_per_class_gives_one_state_with_all_calls(tmp_path):
    header = suite_of(tmp_path, "return pile.count", OnePerClass())
    assert (header.states, header.inputs, [name for name, _ in header.classes]) == (3, 6, ["0", "1", "2"])


def test_inputs_of_a_target_with_a_precondition_are_classed_by_their_pre_states(tmp_path):
    header = suite_of(tmp_path, "return pile.count > 0", requires="lambda pile, number: pile.count >= number")
    assert [name for name, _ in header.classes] == ["False", "True"]
    assert header.inputs == 5
    with pytest.raises(SpecError, match="eq_class reads nothing"):
        suite_of(tmp_path, "return 0", requires="lambda pile, number: pile.count >= number")


@pytest.mark.parametrize("generator", [KoratPlus(), OnePerClass()], ids=lambda generator: generator.name)
def test_suites_are_the_same_to_the_byte_on_every_engine(tmp_path, generator):
    spec, code = loaded("search_tree_delete")
    options = {"subject": "s", "subject_hash": "0", "scope": 2, "seed": 0}
    headers = [
        generate(generator, generation(spec, code, NO_TEXT, tmp_path / str(number), **options), engine)
        for number, engine in enumerate([None, workshop(pace=Pace(beginning=2))])
    ]
    assert headers[0].digest == headers[1].digest
    assert (headers[0].explored, headers[0].classes) == (headers[1].explored, headers[1].classes)
    assert headers[0].engines != headers[1].engines
    assert (tmp_path / "0" / "states.bin").read_bytes() == (tmp_path / "1" / "states.bin").read_bytes()


def test_classes_have_names_that_people_can_read():
    assert class_name("sorted") == "sorted"
    assert class_name((True, 1)) == "(True, 1)"
    assert class_name("x" * 300).endswith("x...")
