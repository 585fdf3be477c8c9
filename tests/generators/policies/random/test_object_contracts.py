"""Contracts of objects in random sequences and those of Hypothesis: what breaks one is told, and no suite changes."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.sequence_suites import generated_sequences
from support.subjects import loaded

from harness.errors import EndlessSpecError, SpecError
from harness.generators.policies.random.trying import MOST_KEPT
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.runner.subjects import load_subject

BAG = """
class Bag:
    def __init__(self, first=0):
        self.held = [first]

    def put(self, value):
        self.held.append(value)

    def take(self):
        return self.held.pop()

    def half(self):
        other = Bag()
        other.held = self.held[::2]
        return other
"""
SPEC = """
from harness.spec import SequenceScope


def sequences(scope):
    s = SequenceScope("Bag")
    s.constructor(range(2))
    s.method("put", range(scope))
    s.method("take")
    s.method("half", requires=lambda bag: len(bag.held) > 1)
    s.elements(6)
    s.length(12)
    {more}
    return s
"""
BY_VALUE = "def __eq__(self, other): return self.held == other.held"
GENERATORS = ("random:300", "hypothesis-stateful:6")


def program(own: str) -> str:
    return f"{BAG}\n    {own}\n"


def suite_of(
    folder: Path, own: str, generator: str = "random:300", more: str = "pass", seconds: float | None = None
) -> SuiteReader:
    spec = SPEC.replace("{more}", more)
    return generated_sequences(folder / "suite", generator, spec, program(own), seed=2, candidate_seconds=seconds)


def replayed(own: str, sequence: str) -> dict[str, Any]:
    """The variables of a sequence that is executed as it is written."""
    space: dict[str, Any] = {}
    exec(program(own), space)
    for line in sequence.split("; "):
        try:
            exec(line, space)
        except IndexError:  # misuse, which is part of a sequence
            pass
    return space


REFLEXIVE = "the contract that an object is equal to itself"
REPR = "the contract that repr raises no exception"
HASH = "the contract that equal objects have equal hashes"


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize(
    ("own", "message", "is_broken", "calls"),
    [
        (
            "def __eq__(self, other): return len(self.held) != 3",
            rf"(bag), a Bag, breaks {REFLEXIVE}: bag == bag is False",
            lambda bag: bag != bag,
            3,
        ),
        (
            "def __eq__(self, other): return None if 2 in self.held else self.held == other.held",
            rf"(bag), a Bag, breaks {REFLEXIVE}: bag == bag is None",
            lambda bag: bag != bag,
            2,
        ),
        (
            "def __eq__(self, other): return self.held[1] == other.held[1] if self.held else True",
            rf"(bag), a Bag, breaks {REFLEXIVE}: bag == bag raised IndexError: list index out of range",
            lambda bag: len(bag.held) == 1,
            1,
        ),
        (
            "def __repr__(self): return '{1}' if self.held else self.first",
            rf"(bag), a Bag, breaks {REPR}: repr\(bag\) raised AttributeError: 'Bag' object has no attribute 'first'",
            lambda bag: not bag.held,
            2,
        ),
        (
            "def __repr__(self): return None",
            rf"(bag), a Bag, breaks {REPR}: repr\(bag\) raised TypeError: __repr__ returned non-string",
            lambda bag: True,
            1,
        ),
        (
            f"{BY_VALUE}\n    def __hash__(self): return hash(len(self.held) // len(self.held))",
            rf"(bag), a Bag, breaks {HASH}: hash\(bag\) raised ZeroDivisionError: ",
            lambda bag: not bag.held,
            2,
        ),
    ],
)  # fmt: skip
def test_a_broken_contract_is_told_with_its_object_and_a_sequence_without_a_call_too_many(
    tmp_path, generator, own, message, is_broken, calls
):
    with pytest.raises(SpecError, match=message) as caught:
        suite_of(tmp_path, own, generator)
    sequence, _, ending = str(caught.value).partition(": ")
    assert ending.endswith("; correct the implementation, or leave contracts unchecked by contracts=no")
    assert len(sequence.split("; ")) == calls
    assert is_broken(replayed(own, sequence)["bag"])
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize(
    ("own", "calls"),
    [
        (f"{BY_VALUE}\n    __hash__ = object.__hash__", 2),
        ("def __eq__(self, o): return set(self.held) == set(o.held)\n"
         "    def __hash__(self): return hash(tuple(self.held))", 3),
    ],
)  # fmt: skip
def test_equal_objects_of_two_sequences_with_other_hashes_are_told_with_both(tmp_path, generator, own, calls):
    with pytest.raises(SpecError, match=rf"a Bag, break {HASH}: ") as caught:
        suite_of(tmp_path, own, generator)
    sequence, _, ending = str(caught.value).partition(": ")
    match = re.match(r"(\w+), a Bag, and (\w+), a Bag, break .*: (\w+) == (\w+), and their hashes differ; ", ending)
    assert match
    one, other = (replayed(own, sequence)[name] for name in match.group(1, 2))
    assert one == other
    assert one is not other
    assert len(sequence.split("; ")) == calls


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ("def __eq__(self, other):\n        while True: pass", rf"bag == bag \({REFLEXIVE}\) did not return within "),
        ("def __repr__(self):\n        while True: pass", rf"repr\(bag\) \({REPR}\) did not return within "),
        (
            f"{BY_VALUE}\n    def __hash__(self):\n        while True: pass",
            rf"hash\(bag\) \({HASH}\) did not return within ",
        ),
        (
            "def __eq__(self, other):\n        while self is not other: pass\n        return True\n"
            "    __hash__ = object.__hash__",
            rf"bag == bag2 and hash\(bag\) == hash\(bag2\) \({HASH}\) did not return within ",
        ),
    ],
)
def test_a_contract_whose_check_does_not_return_is_told(tmp_path, own, message):
    with pytest.raises(EndlessSpecError, match=rf"bag.py: bag = Bag\(.*; {message}.* by contracts=no$"):
        suite_of(tmp_path, own, seconds=0.2)


KEEPS = [
    "def __eq__(self, other): return [] if self is other and not self else 'yes'\n    def __bool__(self): return True",
    f"{BY_VALUE}\n    def __repr__(self): return f'Bag({{self.held}})'",
    f"{BY_VALUE}\n    def __hash__(self): return hash(self.held)",  # as a list cannot be hashed, nor can the bag
    "def __eq__(self, other):\n        if self is not other: raise ValueError\n        return True\n"
    "    def __hash__(self): return 1",
    f"{BY_VALUE}\n    def __hash__(self): self.hashed = sum(self.held); self.held.sort(); return self.hashed",
    "pass",
]


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("own", KEEPS)
def test_checks_change_no_suite_even_where_they_change_objects(tmp_path, generator, own):
    checked = suite_of(tmp_path / "checked", own, generator)
    assert checked.header.digest == suite_of(tmp_path / "not", own, f"{generator},contracts=no").header.digest
    assert checked.header.explored == SuiteReader(tmp_path / "not" / "suite").header.explored


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize(("more", "options"), [("pass", ",contracts=no"), ("s.discard_failures()", "")])
def test_nothing_is_checked_where_contracts_are_off_or_failures_are_discarded(tmp_path, generator, more, options):
    assert len(suite_of(tmp_path, "def __eq__(self, other): return False", generator + options, more)) > 4


def test_an_object_is_compared_with_a_bounded_number_of_others(tmp_path):
    own = f"{BY_VALUE}\n    def __hash__(self): return 1"
    counted = own.replace("return self.held", "next(Bag.asked); return self.held", 1)
    counted += "\n    asked = iter(range(1_000_000))  # an iterator is not put back before each sequence"
    module = execute(ModuleText("bag", program(counted), "bag.py"))
    spec = SPEC.replace("{more}", "pass")
    suite = generated_sequences(tmp_path, "random:300", spec, program(counted), module=module, seed=2)
    explored = suite.header.explored
    assert explored < next(module.Bag.asked) <= 2 * explored * (MOST_KEPT + 1)


def test_lists_of_pyllist_that_are_not_alike_are_equal_and_have_other_hashes(tmp_path):
    spec, module = loaded("containers/dllist")
    text = ModuleText("impl", load_subject("containers/dllist").source, "dllist.py")
    with pytest.raises(SpecError, match=rf"a dllist, break {HASH}: ") as caught:
        generated_sequences(tmp_path / "suite", "random:150", spec, text, module=module, seed=1)
    sequence = str(caught.value).partition(": ")[0].split("; ")
    assert len(sequence) == 4
    assert module.dllist([0, 2]) == module.dllist([0])
