"""A metamutant at k behaves as the separate module k: results, states and steps."""

import random
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.sweeps import examples

from harness.errors import SourceError
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.program.loader import MARK, SELECTOR, ModuleText, StepLimit, execute_with_ticks, step_counter
from harness.kernel.program.splice import mutated_source
from harness.model.outcome import Location, Mutant, MutantStatus
from harness.mutation.filters import classify
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import operator_set, operators_of
from harness.mutation.program import TypeProfile
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("location", "replacement", "message"),
    [(Location(2, 11, 2, 12), "1 1", "does not parse"), (Location(9, 0, 9, 1), "0", "lies in no expression")],
)
def test_what_cannot_be_a_choice_is_refused(location, replacement, message):
    mutant = Mutant("X:1", "X", "f", location, "0", replacement, "")
    with pytest.raises(SourceError, match=message):
        metamutant("def f():\n    return 0\n", [mutant])


SOURCE = """\
def chosen(left: int, right: int) -> int:
    if left > 10:
        return left + right * 2
    return left
"""


def test_a_mutant_calls_the_mark_where_its_own_code_is_executed_and_nowhere_else():
    mutants = mutate(SOURCE, ["chosen"], TypeProfile())
    text, numbers = metamutant(SOURCE, mutants, marked=True)
    for mutant in mutants:
        calls: list[int] = []
        module = {SELECTOR: 0, MARK: lambda calls=calls: calls.append(1) or True}
        exec(text, module)
        module["chosen"](11, 5)
        module["chosen"](1, 5)
        assert calls == []
        module[SELECTOR] = numbers[mutant.id]
        for values, lines in (((11, 5), (2, 3)), ((-9, -9), (2, 4))):
            calls.clear()
            module["chosen"](*values)
            assert bool(calls) == (mutant.location.line in lines), mutant.id


def test_a_marked_metamutant_does_what_the_plain_one_does():
    mutants = mutate(SOURCE, ["chosen"], TypeProfile())
    texts = [metamutant(SOURCE, mutants, marked=marked) for marked in (False, True)]
    for number in (0, *texts[0][1].values()):
        results = []
        for text, _ in texts:
            module = {SELECTOR: number, MARK: lambda: True}
            exec(text, module)
            results.append([module["chosen"](*values) for values in ((11, 5), (1, 5), (10, 0))])
        assert results[0] == results[1]
