"""`korat-dedicated` refuses a dedicated predicate that does not accept the states of the plain one."""

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from generator_samples import generated_suite, module, workshop

from harness.errors import EndlessSpecError, SpecError
from harness.generators.policies.korat.dedicated import BUDGET, PRICE, Agreement, KoratDedicated
from harness.generators.policies.korat.generator import Korat
from harness.generators.processor_time import SEARCH, WRITE
from harness.generators.protocol import Generator, Task
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteHeader
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import Finitization


def pair(fields: str) -> str:
    """Return the source of a class of pairs with these fields."""
    zero = " = ".join(f"self.{name}" for name in fields)
    return f"class Pair:\n    def __init__(self): {zero} = 0\n    def put(self, value): ...\n"


SPEC = """
from harness.spec import Finitization, equal, field, requirements

def rep_ok(pair):
    return pair.a >= 0 and pair.b >= 0

@requirements
def rep_ok_dedicated(pair):
    yield pair.a >= 0
    yield pair.b >= 0

def finitization(scope):
    f = Finitization("Pair")
    f.set("Pair.a", range(10))
    f.set("Pair.b", range(3))
    f.method("put", range(3))
    return f
"""

DEDICATED = "    yield pair.b >= 0\n"

BY_SCOPE = """
from harness.spec import Finitization

def rep_ok(pair):
    return pair.a >= 0 and pair.b >= 0 and pair.c >= 0

def rep_ok_dedicated(pair):
    return rep_ok(pair) and (pair.a, pair.b, pair.c) != REFUSED

def finitization(scope):
    f = Finitization("Pair")
    for name in "abc":
        f.set(f"Pair.{name}", range(scope))
    f.method("put", [0])
    return f
"""


def subject_text(
    folder: Path, spec: str, generator: Generator | None = None, *, source: str = "", scope: int = 1, **options: Any
) -> SuiteHeader:
    source = source or pair("".join(name for name in "abc" if f"pair.{name}" in spec))
    return generated_suite(folder / "suite", spec, source, generator or KoratDedicated(), scope=scope, **options)


def by_engine(name: str) -> Workshop | None:
    return None if name == "reference" else workshop()


ENGINES = pytest.mark.parametrize("engine", ["reference", "compiled"])


@ENGINES
def test_a_too_strong_predicate_is_refused_that_makes_60_inputs_instead_of_90(tmp_path, engine):
    strong = SPEC.replace(DEDICATED, "    yield pair.b < 2\n")
    spec = load_spec(strong, "spec.py")
    search = KoratSearch(StateSpace(spec.finitization(1)), module(pair("ab")), spec.module.rep_ok_dedicated)
    assert len(list(search)) * 3 == 60
    assert subject_text(tmp_path / "plain", strong, Korat()).inputs == 90
    with pytest.raises(SpecError, match=r"^rep_ok_dedicated refuses Pair\(a=0, b=2\), which rep_ok accepts; "):
        subject_text(tmp_path, strong, workshop=by_engine(engine))


ALL_OF_THEM = "rep_ok(pair) and (pair.a, pair.b, pair.c) != REFUSED"
NOT_BY_SCOPE = BY_SCOPE.replace("REFUSED", "()")
REFUSED = {
    "a write that changes no answer": (
        SPEC.replace(DEDICATED, f"{DEDICATED}    pair.a = bool(pair.a)\n"),
        1,
        r"rep_ok_dedicated changes the state",
    ),
    "a write that makes the predicate too weak": (
        NOT_BY_SCOPE.replace("    return rep_ok(pair) and", "    if pair.a == 4 == pair.b + 2: pair.c = 1\n    return")
        .replace("    return pair.a >= 0 and", "    return (pair.a, pair.b, pair.c) != (4, 2, 3) and"),
        5,
        r"rep_ok_dedicated changes the state .*, on Pair\(a=4, b=2, c=3\); ",
    ),
    "an exception": (
        SPEC.replace(DEDICATED, "    yield 1 // (2 - pair.b) >= 0\n"),
        1,
        r"^rep_ok_dedicated raises ZeroDivisionError: .* on Pair\(a=0, b=2\), which rep_ok accepts; ",
    ),
    "too weak, which the search finds late": (
        BY_SCOPE.replace(ALL_OF_THEM, "pair.a + pair.b + pair.c >= 0")
        .replace("    return pair.a >= 0 and", "    return (pair.a, pair.b, pair.c) != (3, 2, 1) and"),
        20,
        r"^rep_ok refuses Pair\(a=3, b=2, c=1\), which rep_ok_dedicated accepts; ",
    ),
    "other states in the search": (
        SPEC.replace("yield pair.a >= 0\n", "yield asked.setdefault((pair.a, pair.b), []) == []\n")
        .replace(DEDICATED, "    asked[pair.a, pair.b].append(1)\n")
        .replace("@req", "asked = {}\n\n@req"),
        1,
        "a search by rep_ok_dedicated finds 0 states and one by rep_ok 30, though each accepts what the other",
    ),
    **{
        f"{name} state of the sample": (
            BY_SCOPE.replace("REFUSED", str(state)),
            20,
            r"^rep_ok_dedicated refuses Pair\(a={}, b={}, c={}\), which rep_ok accepts; ".format(*state),
        )
        for name, state in {"first": (0, 0, 19), "last": (19, 19, 0), "of a smaller scope": (3, 2, 1)}.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_predicate_that_does_not_agree_is_refused(tmp_path, name):
    spec, scope, message = REFUSED[name]
    with pytest.raises(SpecError, match=message):
        subject_text(tmp_path, spec, scope=scope)


def test_smaller_scopes_are_asked_for_until_they_have_many_states_and_all_that_is_compared_counts_as_headway():
    spec = load_spec(NOT_BY_SCOPE.replace("    f =", "    scopes.append(scope)\n    f =", 1), "spec.py")
    scopes = spec.module.scopes = []
    production = KoratDedicated().produce(Task(spec, module(pair("abc")), spec.finitization(100), 0, scope=100))
    next(iter(production))
    assert scopes == [100, *range(1, 6), 100]
    assert 2 * BUDGET < production.headway - production.explored < 4 * (BUDGET + PRICE)


def test_the_time_of_comparing_is_none_of_the_search(tmp_path):
    condition = "pair.a >= 0 and pair.b >= 0 and pair.c >= 0"
    slow = BY_SCOPE.replace(f"return {condition}", f"while time.process_time() < until: pass\n    return {condition}")
    slow = slow.replace("return rep_ok(pair) and (pair.a, pair.b, pair.c) != REFUSED", f"return {condition}")
    spent = subject_text(tmp_path, f"{slow}\nimport time\nuntil = time.process_time() + 0.5").cpu_seconds
    assert spent[WRITE] > 0.4 > spent[SEARCH]


def test_states_that_differ_in_unread_fields_only_count_in_a_budget():
    unread = BY_SCOPE.replace("    return pair.a >= 0 and pair.b >= 0 and pair.c >= 0", "    return pair.a >= 0")
    spec = load_spec(unread.replace(" and (pair.a, pair.b, pair.c) != REFUSED", ""), "spec.py")
    production = KoratDedicated().produce(Task(spec, module(pair("abc")), spec.finitization(50), 0))
    (agreement,) = production.agreements()
    assert agreement.compare(BUDGET) <= BUDGET / PRICE
    assert agreement.explored <= 2 * (BUDGET + PRICE)


JOINT = """
from harness.spec import Finitization

def rep_ok(pair):
    return True

rep_ok_dedicated = lambda pair: True

def fits(pair, value):
    return pair.a == value

def fits_dedicated(pair, value):
    return pair.a == value

def finitization(scope):
    f = Finitization("Pair")
    f.set("Pair.a", range(4))
    f.method("put", range(4), requires=fits)
    return f
"""


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("pair.a == value != 2", r"fits_dedicated refuses Input of put\(this=Pair\(a=2\), .*=2\), which fits accepts"),
        ("pair.a <= value", r"fits refuses Input of put\(this=Pair\(a=0\), .*=1\), which fits_dedicated accepts"),
        ("setattr(pair, 'a', value) is None", r"fits_dedicated changes the state that it is given"),
    ],
)
def test_preconditions_of_targets_are_compared_as_well(tmp_path, answer, message):
    before, _, after = JOINT.rpartition("pair.a == value")
    with pytest.raises(SpecError, match=message):
        subject_text(tmp_path, f"{before}{answer}{after}")


def test_an_endless_predicate_is_told_with_the_state_that_the_search_does_not_reach(tmp_path):
    endless = BY_SCOPE.replace(
        "    return rep_ok(pair) and", "    while pair.a == 2: pass\n    return rep_ok(pair) and"
    )
    with pytest.raises(EndlessSpecError, match=r"^rep_ok_dedicated did not return on candidate Pair\(a=2, "):
        subject_text(tmp_path, endless.replace("REFUSED", "()"), scope=3, candidate_seconds=0.1)


def test_what_finitization_keeps_for_rep_ok_is_of_the_scope_that_was_asked_for(tmp_path):
    keeping = """
def rep_ok(pair):
    return pair.a < largest and pair.b >= 0 and pair.c >= 0

rep_ok_dedicated = lambda pair: rep_ok(pair)
""" + BY_SCOPE[BY_SCOPE.index("def finitization") :].replace(
        "    f =", "    global largest\n    largest = scope\n    f =", 1
    )
    keeping = "from harness.spec import Finitization\n" + keeping
    assert subject_text(tmp_path, keeping, scope=3).states == 27


def test_scopes_whose_bounds_raise_are_left_out(tmp_path):
    spec = NOT_BY_SCOPE.replace("    f =", "    assert scope > 1\n    f =", 1)
    assert subject_text(tmp_path, spec, scope=2).states == 8


def test_comparing_counts_nothing_as_explored(tmp_path):
    spec = NOT_BY_SCOPE
    plain, by_dedicated = (
        subject_text(tmp_path / "plain", spec, Korat(), scope=3),
        subject_text(tmp_path, spec, scope=3),
    )
    assert (by_dedicated.explored, by_dedicated.digest) == (plain.explored, plain.digest)


def accepting(triples: set[tuple[int, int, int]]):
    return lambda pair: (pair.a, pair.b, pair.c) in triples


def test_all_states_are_compared_as_sets_of_accepted_states_are():
    f = Finitization("Pair")
    for name in "abc":
        f.set(f"Pair.{name}", range(3))
    f.method("put", [0])
    code, draw = module(pair("abc")), random.Random(7)
    every = list(product(range(3), repeat=3))
    for number in range(40):
        plain = set(draw.sample(every, draw.randrange(1, 27)))
        dedicated = plain ^ set(draw.sample(every, number % 2))
        space = StateSpace(f)
        searches = [StateSearch(space, code, accepting(accepted)) for accepted in (dedicated, plain)]
        agreement = Agreement(*searches)
        if plain == dedicated:
            assert agreement.compare() == len(plain)
            continue
        ((a, b, c),) = plain ^ dedicated
        refusing = "rep_ok_dedicated refuses" if (a, b, c) in plain else "rep_ok refuses"
        with pytest.raises(SpecError, match=rf"^{refusing} Pair\(a={a}, b={b}, c={c}\), which "):
            agreement.compare()
