"""A metamutant at k behaves as the separate module k: results, states and steps."""

import copy
import random
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.sweeps import examples

from harness.errors import SourceError
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.program.loader import SELECTOR, ModuleText, execute_with_ticks
from harness.kernel.program.splice import mutated_source
from harness.kernel.program.steps import StepLimit, step_counter
from harness.model.mutant import Location, Mutant, MutantStatus
from harness.mutation.filters import classify
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import MUJAVA, operator_set, operators_of
from harness.mutation.profile import TypeProfile
from harness.mutation.schemata import metamutant

PROFILE = TypeProfile(variables={"Machine.run": {"x": frozenset({"int"}), "y": frozenset({"int"})}})


def behaviour(source: str, number: int, inputs: tuple[int, int, int]) -> object:
    """Return the observable behaviour of one call: outcome, post-state, steps."""
    counter = step_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = execute_with_ticks(ModuleText("impl", source, "impl.py"), counter, selector=number)
    counter.start(1000)
    machine, nodes = module.Machine(inputs[0], inputs[1]), [module.Node() for _ in range(3)]
    nodes[0].left, nodes[0].right, nodes[1].left = nodes[1], nodes[2], nodes[2]
    items = list(range(inputs[2]))
    counter.start(15)
    try:
        outcome: object = machine.run(inputs[1], inputs[2], items, nodes[0])
    except StepLimit:
        outcome = "step limit"
    except Exception as error:
        outcome = type(error).__name__
    try:
        state: object = concrete(machine, nodes, items)
    except NotCanonical:
        state = "not canonical"
    return outcome, state, counter.spent()


@pytest.mark.sweep
@settings(max_examples=examples(24), deadline=None, derandomize=True)
@given(st.sampled_from(["extended", "mujava"]), programs, st.tuples(*[st.integers(0, 4)] * 3), st.integers(0, 99))
def test_metamutant_and_separate_modules_agree(operators, source, inputs, seed):
    derived = mutate(source, RUNS, PROFILE, operators_of(operator_set(operators)))
    mutants = [m for m in classify(source, derived) if m.status is not MutantStatus.STILLBORN]
    text, numbers = metamutant(source, mutants)
    assert sorted(numbers.values()) == list(range(1, len(mutants) + 1))
    assert behaviour(text, 0, inputs) == behaviour(source, 0, inputs)
    for mutant in random.Random(seed).sample(mutants, min(len(mutants), 12)):
        separate = mutated_source(source, mutant)
        assert behaviour(text, numbers[mutant.id], inputs) == behaviour(separate, 0, inputs), mutant


def test_the_original_passes_a_nest_of_sites_with_one_comparison():
    source = "def f(a: int, b: int):\n    return a + b < 3 * a\n"
    mutants = mutate(source, ["f"], TypeProfile())
    text, numbers = metamutant(source, mutants)

    class Selector(int):
        comparisons = 0

        def __ge__(self, other: int) -> bool:
            Selector.comparisons += 1
            return int(self) >= other

    names: dict[str, object] = {SELECTOR: Selector(0)}
    exec(text, names)
    assert names["f"](1, 1)  # type: ignore[operator]
    assert len(numbers) > 10
    assert Selector.comparisons == 1


def test_the_selector_is_not_mangled_within_a_class():
    source = "class C:\n    def f(self):\n        return 0\n"
    mutant, *_ = mutate(source, ["C.f"], TypeProfile())
    text, numbers = metamutant(source, [mutant])
    names: dict[str, object] = {SELECTOR: numbers[mutant.id]}
    exec(text, names)
    assert names["C"]().f() == 1  # type: ignore[operator]


def test_assignment_targets_are_chosen_by_a_statement():
    source = "class N:\n    a: int\n    b: int\n\ndef f(n: N):\n    n.a = 7\n    n.b += 2\n"
    mutants = [m for m in mutate(source, ["f"], TypeProfile()) if m.operator in ("FRR", "ASR")]
    text, numbers = metamutant(source, mutants)
    states = {}
    for mutant in mutants:
        names: dict[str, object] = {SELECTOR: numbers[mutant.id]}
        exec(text, names)
        node = names["N"]()  # type: ignore[operator]
        node.a, node.b = 5, 3
        names["f"](node)  # type: ignore[operator]
        states[mutant.replacement] = node.a, node.b
    assert states == {
        "n.b": (5, 9),
        "n.a": (9, 3),
        "n.b -= 2": (7, 1),
        "n.b *= 2": (7, 6),
        "n.b //= 2": (7, 1),
        "n.b %= 2": (7, 1),
    }


@pytest.mark.parametrize(
    ("location", "replacement", "message"),
    [(Location(2, 11, 2, 12), "1 1", "does not parse"), (Location(9, 0, 9, 1), "0", "lies in no expression")],
)
def test_what_cannot_be_a_choice_is_refused(location, replacement, message):
    mutant = Mutant("X:1", "X", "f", location, "0", replacement, "")
    with pytest.raises(SourceError, match=message):
        metamutant("def f():\n    return 0\n", [mutant])


def by_mujava(source: str, code: str, *arguments: object) -> list[tuple[str, str, object]]:
    """Return the first line of the original, the replacement and the metamutant's result of each mutant of `f`."""
    mutants = [m for m in mutate(source, ["f"], TypeProfile(), operators_of(MUJAVA)) if m.operator == code]
    text, numbers = metamutant(source, mutants)
    results = []
    for mutant in mutants:
        names: dict[str, object] = {SELECTOR: numbers[mutant.id]}
        exec(text, names)
        returned = names["f"](*copy.deepcopy(arguments))  # type: ignore[operator]
        results.append((mutant.original.partition("\n")[0], mutant.replacement, returned))
    return results


def test_a_variable_is_counted_before_or_after_its_value_is_taken_as_in_java():
    results = by_mujava("def f(n: int):\n    return n * 10 + n\n", "AOIS", 5)
    assert [returned for _, _, returned in results] == [66, 44, 56, 54, 56, 54, 55, 55]
    bare, in_parentheses = (by_mujava(f"def f(n: int):\n    return {n} * 2\n", "AOIS", 5) for n in ("n", "(n)"))
    assert [returned for _, _, returned in in_parentheses] == [returned for _, _, returned in bare] == [12, 8, 10, 10]


def test_statements_of_every_kind_are_left_out():
    source = (
        "def f(n: int, out: list):\n"
        "    if n < 3: out.append(1)\n"
        "    elif n < 7: out.append(2)\n"
        "    else: out.append(3)\n"
        "    i = 0\n"
        "    for i in range(n):\n"
        "        if i: break\n"
        "        n += 10; out.append(n)\n"
        "    return [n, *out]\n"
    )
    assert [row for row in by_mujava(source, "SDL", 5, []) if row[1] != "True"] == [
        ("if n < 3: out.append(1)", "pass", [15, 15]),
        ("out.append(1)", "pass", [15, 2, 15]),
        ("elif n < 7: out.append(2)", "else: pass", [15, 15]),
        ("out.append(2)", "pass", [15, 15]),
        ("out.append(3)", "pass", [15, 2, 15]),
        ("i = 0", "pass", [15, 2, 15]),
        ("for i in range(n):", "pass", [5, 2]),
        ("if i: break", "pass", [55, 2, 15, 25, 35, 45, 55]),
        ("break", "pass", [55, 2, 15, 25, 35, 45, 55]),
        ("n += 10", "pass", [5, 2, 5]),
        ("out.append(n)", "pass", [15, 2]),
    ]
