"""A mutant's facts are those of executing every input in order, whatever filters leave out and state leaks."""

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from support.both_paths import mutant_at
from support.own_subject import write_subject
from support.subjects import UNLIKE, load_subject

from harness import selections
from harness.kernel.inputs.suites import BLOCK
from harness.kernel.running.job import MutantOrder
from harness.kernel.specs.spec import Spec
from harness.model.experiment import DEFAULT_OPERATORS, Approach, ExecutionMode, Experiment, Trial
from harness.model.interface import Interface
from harness.model.outcome import Mutant
from harness.model.subject import Subject
from harness.runner import mutant_stages
from harness.runner.mutant_results import ProbedFacts
from harness.runner.mutant_set import mutant_set
from harness.runner.mutant_stages import MOST_TOGETHER, Execution, Filter, batches
from harness.runner.suites import ensure_suite
from harness.runner.zygotes import zygote_executor
from harness.selections import Selections

FACTS = ("reason", "phase", "detail", "input", "input_text", "inputs_run", "steps", "bits")
SAMPLE = 12
FIRST_LOOK = 16
MODES = (ExecutionMode.FIRST_KILL, ExecutionMode.MATRIX, ExecutionMode.SELECTIONS)


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUTASCOPE_CACHE", str(folder / "cache"))
        patch.setattr(mutant_stages, "FIRST_LOOK", FIRST_LOOK)
        patch.setattr(selections, "MOST_EXPECTED_KILLS", 2)
        yield folder


def facts_by_filter(
    subject: Subject, spec: Spec, mutants: Sequence[Mutant], scope: int, approach: Approach, folder: Path
) -> dict[ExecutionMode, dict[Filter, dict[str, ProbedFacts]]]:
    """Return the facts by mode, filter and mutant; all on the same baseline."""
    suite = ensure_suite(subject, Trial(str(subject.spec_path.parent), "korat", scope))
    interface = Interface.of_finitization(spec.finitization(scope))
    facts_of_modes: dict[ExecutionMode, dict[Filter, dict[str, ProbedFacts]]] = {mode: {} for mode in MODES}
    folder.mkdir(parents=True)
    sub_suites = Selections(len(suite), (len(suite) + 1) // 2, range(5))

    def executed(mode: ExecutionMode, chosen: Filter) -> Execution:
        experiment = Experiment("test", (), mode=mode, approach=approach)
        selections = sub_suites if mode is ExecutionMode.SELECTIONS else None
        return Execution(subject, interface, suite, mutants, experiment, folder, chosen, selections)

    first = executed(ExecutionMode.FIRST_KILL, Filter.NONE)
    with zygote_executor(first.write_job(), 1) as executor:
        original = first.observe_original(executor)
        assert len(original.blocks) == (len(suite) - 1) // BLOCK
        assert [*original.blocks, original.cpu_seconds] == sorted([*original.blocks, original.cpu_seconds])
        for mode in MODES:
            for chosen in Filter:
                run = executed(mode, chosen).run(executor, mutants)
                facts_of_modes[mode][chosen] = {facts.id: facts for facts in run}
    return facts_of_modes


def assert_nested(*rows: bytes) -> None:
    """Each set of inputs is within the next one."""
    sets = [int.from_bytes(row) for row in rows]
    assert all(inner & outer == inner for inner, outer in pairwise(sets)), rows


def matrix_without_change(
    subject: Subject, spec: Spec, mutants: Sequence[Mutant], scope: int, folder: Path, nested: bool = True
) -> dict[str, ProbedFacts]:
    """Check that filters change no fact, in all modes and approaches; return the facts of a complete matrix.

    Args:
        nested: inputs that kill infect, and those that infect reach; a mutant that leaks state kills by others, too.
    """
    for approach in Approach:
        by_mode = facts_by_filter(subject, spec, mutants, scope, approach, folder / approach.value)
        for mode, by_filter in by_mode.items():
            everything = by_filter[Filter.NONE]
            assert set(everything) == {mutant.id for mutant in mutants}
            for chosen, facts in by_filter.items():
                for mutant, filtered in facts.items():
                    expected = everything[mutant]
                    assert [getattr(filtered, name) for name in FACTS] == [getattr(expected, name) for name in FACTS], (
                        mutant, approach, mode, chosen,
                    )  # fmt: skip
                    assert filtered.executed <= expected.executed
        matrix = by_mode[ExecutionMode.MATRIX][Filter.INFECTED]
        for facts in matrix.values() if nested else ():
            kills = int.from_bytes(facts.bits).bit_count()
            assert kills <= facts.infected <= facts.reached, facts
            assert facts.executed == facts.infected
            assert_nested(facts.bits, facts.infected_bits, facts.reached_bits)
        for mutant, facts in by_mode[ExecutionMode.SELECTIONS][Filter.STAGED].items() if nested else ():
            assert matrix[mutant].bits.startswith(facts.bits)
            assert_nested(facts.bits, facts.infected_bits, facts.reached_bits)
    return matrix


SMALL = [*((name, DEFAULT_OPERATORS) for name in ("search_tree", "heap_array", "disj_set")), ("search_tree", "mujava")]
LARGER = [*((name, DEFAULT_OPERATORS) for name in UNLIKE), ("heap_array", "mujava"), ("sorted_list", "mujava")]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "operators"), SMALL)
def test_filters_change_no_fact_of_some_mutants(name, operators, home):
    subject, spec = load_subject(name)
    mutants = random.Random(5).sample(mutant_set(subject, operators).mutants, SAMPLE)
    matrix = matrix_without_change(subject, spec, mutants, 2, home / f"{name}-{operators}")
    assert sum(facts.executed for facts in matrix.values()) < sum(facts.inputs_run for facts in matrix.values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "operators"), LARGER)
def test_filters_change_no_fact_at_a_larger_scope(name, operators, home):
    subject, spec = load_subject(name)
    mutants = mutant_set(subject, operators).mutants
    mutants = random.Random(6).sample(mutants, min(2 * SAMPLE, len(mutants)))
    matrix_without_change(subject, spec, mutants, 3, home / f"{name}-{operators}-larger")


JUDGED = """
class Purse:
    def __init__(self):
        self.coins = 0

    def put(self, more):
        if more < 0:
            raise ValueError(more)
        self.coins += more
        return self.total()

    def total(self):
        return self._worth(self.coins)

    @property
    def worth(self):
        return self._worth(self.coins)

    def _worth(self, coins):
        return coins + 1
"""

JUDGE = """
from operator import methodcaller
from harness.spec import Finitization

def matched(purse):
    match purse:
        case object(worth=worth):
            return worth

def rep_ok(purse):
    return purse.coins >= 0 and purse.total() > purse.coins

def finitization(scope):
    f = Finitization("Purse")
    f.set("Purse.coins", range(4 * scope))
    f.method("put", range(-1, 2 * scope))
    return f
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "call", ["purse.total()", 'methodcaller("total")(purse)', "matched(purse)", 'int("{0.worth}".format(purse))']
)
def test_what_the_judge_calls_of_the_implementation_counts(call, tmp_path):
    subject, spec = load_subject(write_subject(tmp_path / "purse", JUDGED, JUDGE.replace("purse.total()", call)))
    changes = [
        ("more < 0", "more <= 0", "Purse.put"),
        ("more < 0", "more < -1", "Purse.put"),
        ("self.coins += more", "self.coins -= more", "Purse.put"),
        # Only the judge sees the next ones where `put` raises; it comes to them through `total`, which is no mutant.
        ("coins + 1", "coins - 1", "Purse._worth"),
        ("coins + 1", "coins * 1", "Purse._worth"),
        ("return coins + 1", "return", "Purse._worth"),
    ]
    mutants = [mutant_at(JUDGED, JUDGED.index(old), old, new, function=function) for old, new, function in changes]
    matrix = matrix_without_change(subject, spec, mutants, 2, tmp_path / "work")
    worth = matrix[mutants[3].id]
    assert worth.infected == worth.inputs_run, "inputs on which put raises are judged as well"


CLEARING = FIRST_LOOK + 2
"""How many inputs call `clear`, which comes first."""
LEAKY = """
import functools

LOG = []
CALLS = []


def _keeper():
    kept = []
    def keep():
        return kept
    return keep


@functools.cache
def cached():
    return []


def marked():
    pass


keep = _keeper()
marked.kept = []


class Box:
    SHARED = []

    def __init__(self):
        self.items = []

    def clear(self, by):
        fresh = []
        self.items = fresh
        self.items[:] = [by]

    def spare(self, more=[]):
        return more

    def size(self, by):
        return by + sum(map(len, (LOG, Box.SHARED, cached(), keep(), marked.kept, self.spare())))
"""
COUNTING = LEAKY.replace("        fresh = []\n", "        fresh = []\n        CALLS.append(by)\n")

LEAKY_SPEC = f"""
from harness.spec import Finitization

def rep_ok(box):
    return len(box.items) >= 0

def finitization(scope):
    f = Finitization("Box")
    f.set("Box.items", f.lists(1, lengths=[1], elements=[1]))
    f.method("clear", range({CLEARING}))
    f.method("size", range(2))
    return f
"""
PLACES = ("LOG", "Box.SHARED", "cached()", "keep()", "marked.kept", "self.spare()")


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        pytest.param(
            LEAKY,
            [("self.items = fresh", f"self.items = {place}", "Box.clear") for place in PLACES],
            marks=pytest.mark.slow,
            id="a mutant leaks",
        ),
        pytest.param(
            COUNTING, [("return by", f"return len(CALLS) // {CLEARING} + by", "Box.size")], id="the original counts"
        ),
    ],
)
def test_no_input_finds_the_state_that_a_mutant_or_the_original_leaks_into_its_module(source, changes, tmp_path):
    subject, spec = load_subject(write_subject(tmp_path / "box", source, LEAKY_SPEC))
    changes = [*changes, ("= [by]", "= [by * 1]", "Box.clear")]
    mutants = [mutant_at(source, source.index(old), old, new, function=function) for old, new, function in changes]
    matrix = matrix_without_change(subject, spec, mutants, 2, tmp_path / "work", nested=False)
    assert [facts.reason for facts in matrix.values()] == [None] * len(mutants)


@pytest.mark.parametrize(
    ("count", "jobs", "sizes"),
    [(10, 1, [10]), (100, 4, [6] * 16 + [4]), (MOST_TOGETHER + 1, 1, [MOST_TOGETHER, 1]), (7, 16, None)],
)
def test_all_mutants_are_in_batches_in_their_order_and_each_process_has_several(count, jobs, sizes):
    orders = [MutantOrder(str(number), "baseline", 0, 8, source="") for number in range(count)]
    made = batches(orders, jobs)
    if sizes is None:
        assert made == orders, "few are ordered one by one"
    else:
        assert [len(batch.orders) for batch in made] == sizes
        assert [order for batch in made for order in batch.orders] == orders
