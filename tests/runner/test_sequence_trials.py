"""Trials on suites of sequences: the same facts whatever way they are run, and confirmed by the naive path."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.both_paths import mutant_at
from support.own_subject import write_subject
from support.sequence_bench import write_sequences
from support.sequence_trials import confirmed, prepared, ran, verified

from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.judging.endless import is_watchable
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.model.experiment import Approach, ExecutionMode, Experiment, Trial
from harness.model.outcome import MutantResult, OracleName, Verdict
from harness.model.sequence import ON_MUTANT, Observation
from harness.runner import mutant_stages
from harness.runner.mutant_set import derive_mutants
from harness.runner.mutant_stages import Execution, Filter
from harness.runner.subjects import interface_of, load_subject
from harness.runner.suites import ensure_suite
from harness.runner.trial import PreparedTrial
from harness.runner.zygotes import zygote_executor
from harness.store.facts import KillRow
from harness.store.run_store import RunStore

FACTS = ("reason", "phase", "detail", "input", "input_text", "inputs_run", "steps", "bits")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUTASCOPE_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(mutant_stages, "FIRST_LOOK", 8)
        yield


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    return prepared("search_tree", tmp_path_factory.mktemp("suite"), 2, most=8)


def results(folder: Path, key: str) -> tuple[list[MutantResult], list[KillRow]]:
    with RunStore.open_existing(folder) as store:
        return store.results.of(key), store.results.kill_rows(key)


@pytest.mark.slow
def test_every_verdict_is_confirmed_by_the_naive_path(trial, tmp_path):
    key = ran(trial, tmp_path)
    all_results, _ = results(tmp_path, key)
    assert {result.verdict for result in all_results} == {Verdict.KILLED, Verdict.SURVIVED}
    assert any("call " in result.detail for result in all_results)
    assert confirmed(trial, tmp_path)
    with RunStore.open_existing(tmp_path) as store:
        (stored,) = store.trials.all()
        assert (stored.sequences, stored.observed) == (ON_MUTANT, Observation.END)


@pytest.mark.slow
def test_facts_are_the_same_for_both_approaches_and_any_number_of_jobs(trial, tmp_path):
    one = ran(trial, tmp_path / "a", mode=ExecutionMode.MATRIX)
    other = ran(trial, tmp_path / "b", mode=ExecutionMode.MATRIX, approach=Approach.METAMUTANT, jobs=2)
    assert one != other
    assert results(tmp_path / "a", one) == results(tmp_path / "b", other)


def filtered(trial: PreparedTrial, folder: Path, oracle: OracleName, mode: ExecutionMode) -> dict[Filter, int]:
    """Return how many inputs are executed under each filter; their facts must be the same."""
    experiment = Experiment("test", (), mode, approach=Approach.METAMUTANT)
    arguments = (trial.subject, trial.interface, trial.suite, trial.mutants, experiment, folder)
    executions = {chosen: Execution(*arguments, chosen, oracle=oracle) for chosen in Filter}
    facts_by_filter: dict[Filter, dict[str, list[object]]] = {}
    runs: dict[Filter, int] = {}
    reach_by_filter: dict[Filter, dict[str, object]] = {}
    with zygote_executor(executions[Filter.NONE].write_job(), 1) as executor:
        for chosen, one_way in executions.items():
            one_way.observe_original(executor)
            facts = list(one_way.run(executor, trial.mutants))
            facts_by_filter[chosen] = {one.id: [getattr(one, name) for name in FACTS] for one in facts}
            runs[chosen] = sum(one.executed for one in facts)
            reach_by_filter[chosen] = {one.id: (one.reached, one.infected) for one in facts if one.reason is None}
    assert all(facts == facts_by_filter[Filter.NONE] for facts in facts_by_filter.values())
    assert reach_by_filter[Filter.STAGED] == reach_by_filter[Filter.INFECTED]
    return runs


@pytest.mark.slow
def test_facts_are_the_same_whatever_inputs_are_left_out(trial, tmp_path):
    filtered(trial, tmp_path, OracleName.DIFFERENTIAL, ExecutionMode.FIRST_KILL)


@pytest.mark.slow
def test_random_sequences_whose_last_call_cannot_tell_are_left_out(tmp_path):
    subject = load_subject("field_tree_set")
    suite = ensure_suite(subject, Trial("field_tree_set", "random:400", 6, seed=1))
    mutants = [one for one in derive_mutants(subject, "mujava") if one.operator in ("SDL", "COR", "ROR")]
    whole = prepared("field_tree_set", tmp_path, 6, suite=suite)
    trial = replace(whole, mutants=[one for one in mutants if one.function.endswith("_fix_removed")][::4])
    runs = filtered(trial, tmp_path, OracleName.POSTCONDITION, ExecutionMode.FIRST_KILL)
    assert 4 * runs[Filter.STAGED] < 3 * runs[Filter.INFECTED]


KEEPING = """
class Box:
    puts = 0

    def __init__(self):
        self.held = 0

    def put(self, value):
        self.held = value
        return 0

    def third(self):
        Box.puts += 1
        return int(Box.puts % 3 == 0)
"""
KEEPING_SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Box")
    s.method("put", range(scope))
    return s
"""


@pytest.mark.slow
def test_no_call_behind_the_one_that_tells_a_mutant_leaves_anything_to_later_inputs(tmp_path):
    subject = load_subject(write_subject(tmp_path, KEEPING, KEEPING_SPEC))
    bounds = load_spec(KEEPING_SPEC, "spec.py").sequences(2, KEEPING)
    new, adder = Call(0, ()), Call(1, (0, 1))
    assert [routine.name for routine in bounds.routines] == ["Box", "put"]
    write_sequences(tmp_path / "suite", bounds, [[new, *[adder] * 4], [new, *[adder] * 4], [new, adder, adder]], 2)
    at = KEEPING.index("0", KEEPING.index("return"))
    mutant = mutant_at(KEEPING, at, "0", "self.third()", function="Box.put", source_hash=subject.source_hash)
    trial = PreparedTrial(
        Trial(str(tmp_path), "bench", 2),
        subject,
        interface_of(subject, 2),
        SuiteReader(tmp_path / "suite"),
        [mutant],
        2,
    )
    key = ran(trial, tmp_path / "run", mode=ExecutionMode.MATRIX)
    (result,), (row,) = results(tmp_path / "run", key)
    assert result.detail.endswith("); box.put(1): call 4 of 5, Box.put: returned another value")
    assert row.bits == b"\x03", "the last input has the first two puts of another three"
    assert verified(trial, tmp_path / "run").disagreements == ()


SHARING = """
LOG = []

class Box:
    def __init__(self):
        self.items = []

    def clear(self):
        fresh = []
        self.items = fresh
        self.items[:] = [1]

    def size(self):
        return len(LOG)
"""
SHARING_SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Box")
    s.method("clear")
    s.method("size")
    return s
"""


def test_sequences_that_do_not_reach_a_mutant_find_nothing_that_it_has_left(tmp_path):
    subject = load_subject(write_subject(tmp_path, SHARING, SHARING_SPEC))
    bounds = load_spec(SHARING_SPEC, "spec.py").sequences(2, SHARING)
    assert [routine.name for routine in bounds.routines] == ["Box", "clear", "size"]
    assert not is_watchable(execute(ModuleText.of(subject)), ["Box.clear", "Box.size"]), "no state counts as alike"
    new, clear, size = Call(0, ()), Call(1, (0,)), Call(2, (0,))
    write_sequences(tmp_path / "suite", bounds, [[new, size], [new, clear], [new, size], [new, size, size]], 2)
    at = SHARING.index("= fresh") + 2
    mutant = mutant_at(SHARING, at, "fresh", "LOG", function="Box.clear", source_hash=subject.source_hash)
    suite = SuiteReader(tmp_path / "suite")
    trial = PreparedTrial(Trial(str(tmp_path), "bench", 2), subject, interface_of(subject, 2), suite, [mutant], 2)
    runs = filtered(trial, tmp_path, OracleName.DIFFERENTIAL, ExecutionMode.FIRST_KILL)
    assert runs == dict.fromkeys(Filter, 1) | {Filter.NONE: 4}, "it lives: the log is put back before each input"


@pytest.mark.slow
def test_what_is_observed_after_every_call_is_another_trial(trial, tmp_path):
    keys = {ran(trial, tmp_path, observed=observed) for observed in Observation}
    assert len(keys) == 2
    assert verified(trial, tmp_path).disagreements == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scope", "most"), [("heap_array", 2, 20), ("heapq", 2, 15), ("fibonacci_heap", 1, 15)]
)
def test_other_kinds_of_objects_are_run_and_confirmed(tmp_path, name, scope, most):
    trial = prepared(name, tmp_path, scope, most)
    ran(trial, tmp_path / "run", approach=Approach.METAMUTANT)
    assert confirmed(trial, tmp_path / "run")
