"""The naive path confirms the stored facts of a run, and reports false ones."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import counter
from support.both_paths import Bench
from support.forged_store import forge, opened
from support.own_subject import standing_beside, write_subject

from harness import api
from harness.command_line.main import main
from harness.errors import StoreError, UsageError
from harness.model.experiment import Approach, ExecutionMode, Trial
from harness.model.outcome import KillReason, Mutant, MutantResult, Phase, Verdict
from harness.model.pytest_suite import PytestSuite, SuiteRecord
from harness.runner.suites import ensure_suite
from harness.runner.verify import Verification, agree, verify_run
from harness.runner.witness import Reexecution, Witnessed, unheard
from harness.store import RunStore, StoredTrial
from harness.store.facts import mutant_set_hash

CHANGES = [
    ("self.size -= 1", "self.size += 1"),
    ("self.size -= 1", "self.size -= 1 + 0"),
    ("return True", "return 1"),
    ("self.size -= 1", "import os; os.abort()"),
]


def store_run(folder: Path, bench: Bench, mode: ExecutionMode, **changes: object) -> StoredTrial:
    """A finished trial of CHANGES, as a run stores it."""
    matrix = mode is ExecutionMode.MATRIX
    mutants = [bench.mutant(old, new) for old, new in CHANGES]
    suite_header = ensure_suite(bench.subject, Trial(bench.subject.name, "korat", bench.scope)).header
    fields: dict[str, object] = {
        "subject": bench.subject.name, "title": bench.subject.title, "generator": "korat",
        "generator_version": suite_header.generator_version, "scope": bench.scope, "seed": 0,
        "subject_hash": bench.subject.content_hash, "source_hash": bench.subject.source_hash,
        "suite_digest": suite_header.digest, "inputs": bench.inputs, "states": suite_header.valid,
        "explored": suite_header.explored, "inputs_by_target": suite_header.inputs_by_target,
        "operator_set": "ferastrau",
        "mutant_set": mutant_set_hash(mutants), "mode": mode, "approach": Approach.SEPARATE, "concrete": False,
        "original_steps": 1, "original_raised": 0,
    }  # fmt: skip
    trial = StoredTrial(**(fields | changes))
    with RunStore.open(folder) as store:
        store.mutants.add(mutants)
        key = store.trials.add(trial)
        for mutant in mutants:
            facts = bench.fast(mutant, matrix)
            store.results.add(key, facts.result, kill_row=facts.kill_row)
        store.finished.add(key)
    return trial


def verified(folder: Path, bench: Bench, **options: Any) -> Verification:
    def derived(*_: object) -> list[Mutant]:
        return [bench.mutant(old, new) for old, new in CHANGES]

    return verify_run(folder, suite_of=lambda _: bench.suite, mutants_of=derived, **options)


@pytest.mark.parametrize(
    ("column", "value", "change"),
    [
        ("input", 7, 0),
        ("steps", 1, 0),
        ("phase", "call", 0),
        ("inputs_run", 3, 0),
        ("reason", "state", 2),
        ("steps", 1, 1),
        ("detail", "returned 5", 2),
    ],
)
def test_a_falsified_fact_is_a_disagreement(tmp_path, tree, column, value, change):
    trial = store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    mutant = tree.mutant(*CHANGES[change]).id
    forge(tmp_path, f"UPDATE mutant_result SET {column} = ? WHERE mutant = ?", value, mutant)
    (disagreement,) = verified(tmp_path, tree).disagreements
    assert (disagreement.trial, disagreement.fact) == (str(trial), mutant)
    assert str(value) in disagreement.stored
    assert disagreement.stored != disagreement.observed
    assert mutant in str(disagreement)


@pytest.mark.parametrize("verdict", ["survived", "inconclusive"])
def test_a_false_verdict_is_a_disagreement_with_both_sides(tmp_path, tree, verdict):
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    forge(
        tmp_path,
        "UPDATE mutant_result SET verdict = ?, reason = NULL, phase = NULL, input = NULL WHERE mutant = ?",
        verdict,
        tree.mutant(*CHANGES[2]).id,
    )
    (disagreement,) = verified(tmp_path, tree).disagreements
    assert disagreement.stored.startswith(f"{verdict} after")
    assert disagreement.observed.startswith("killed by output in call on input")


@pytest.mark.parametrize(("change", "statement"), [
    (0, "UPDATE kill_row SET bits = zeroblob(length(bits)) WHERE mutant = ?"),
    (1, "DELETE FROM kill_row WHERE mutant = ?"),
])  # fmt: skip
def test_a_false_kill_row_is_a_disagreement(tmp_path, tree, change, statement):
    store_run(tmp_path, tree, ExecutionMode.MATRIX)
    forge(tmp_path, statement, tree.mutant(*CHANGES[change]).id)
    (disagreement,) = verified(tmp_path, tree).disagreements
    assert ("0 inputs kill" if change == 0 else "no kill row") in disagreement.stored


@pytest.mark.parametrize(("times", "holds"), [(1, True), (2, False)])
def test_a_limit_of_time_that_only_the_re_execution_meets_has_to_be_met_twice(
    tmp_path, tree, monkeypatch, times, holds
):
    attempts: Counter[str] = Counter()
    execute = Reexecution.of

    def slow_at_first(witness: Reexecution, mutant: str, *job: Any, **options: Any) -> Witnessed:
        seen = execute(witness, mutant, *job, **options)
        attempts[mutant] += 1
        late = replace(seen.result, verdict=Verdict.KILLED, reason=KillReason.WALL_LIMIT, phase=Phase.CALL, input=0)
        return replace(seen, result=late) if attempts[mutant] <= times else seen

    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    monkeypatch.setattr(Reexecution, "of", slow_at_first)
    assert verified(tmp_path, tree, jobs=1).holds is holds


@pytest.mark.slow
def test_what_could_not_be_re_executed_is_neither_confirmed_nor_a_disagreement(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Reexecution, "of", lambda witness, mutant, *_, **__: unheard(mutant, "its process has died"))
    with standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC):
        run = api.run(api.subject_experiment("counter", "korat", [counter.SCOPE]), tmp_path / "run", jobs=1)
        assert main(["verify", str(run), "--json"]) == 1
    output = json.loads(capsys.readouterr().out)
    assert (output["checked"], output["disagreements"]) == (0, [])
    assert len(output["unchecked"]) > 0
    assert all("could not be re-executed: its process has died" in line for line in output["unchecked"])


def test_a_mutant_set_that_is_not_the_derived_one_is_a_disagreement(tmp_path, tree, capsys):
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    assert main(["verify", str(tmp_path), "--json", "--sample", "1"]) == 1
    (disagreement,) = json.loads(capsys.readouterr().out)["disagreements"]
    assert "search_tree korat scope 2, mutant_set: stored: 4 mutants" in disagreement


@pytest.mark.slow
def test_a_sample_is_drawn_by_its_seed(tmp_path, tree):
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    with opened(tmp_path) as connection:
        connection.execute("UPDATE mutant_result SET inputs_run = 99")

    def drawn(seed: int) -> list[str]:
        verification = verified(tmp_path, tree, sample=2, seed=seed)
        assert verification.checked == 2
        return [disagreement.fact for disagreement in verification.disagreements]

    assert drawn(1) == drawn(1)
    assert len({tuple(drawn(seed)) for seed in range(10)}) > 1


def test_a_trial_of_inputs_with_the_record_of_a_suite_is_verified_on_its_inputs(tmp_path, tree):
    trial = store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    with RunStore.open(tmp_path) as store:
        store.suites.add(trial.key, SuiteRecord(PytestSuite("tree", ("tests",), "/own"), "x = 1\n", ()))
    verification = verified(tmp_path, tree, sample=1)
    assert (verification.checked, verification.disagreements) == (1, ())


def test_after_an_edit_and_another_run_the_latest_verdicts_are_checked(tmp_path, tree):
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL, subject_hash="0" * 64)  # as it was before
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    verification = verified(tmp_path, tree)
    assert (verification.checked, verification.disagreements) == (len(CHANGES), ())


def test_a_scope_that_the_run_after_an_edit_left_out_cannot_be_checked(tmp_path, tree):
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL, subject_hash="0" * 64, scope=99)
    store_run(tmp_path, tree, ExecutionMode.FIRST_KILL)
    with pytest.raises(StoreError, match="was run on another version of the subject"):
        verified(tmp_path, tree)


def test_what_cannot_be_checked_is_refused(tmp_path, tree, piles):
    with RunStore.open(tmp_path / "empty"):
        pass
    with pytest.raises(StoreError, match="no verdict is stored yet"):
        verified(tmp_path / "empty", tree)
    with pytest.raises(UsageError, match="nothing would be checked"):
        verified(tmp_path / "empty", tree, sample=0)
    store_run(tmp_path / "run", tree, ExecutionMode.FIRST_KILL)
    with pytest.raises(StoreError, match="was run on another suite"):
        verified(tmp_path / "run", piles)
    store_run(tmp_path / "stale", tree, ExecutionMode.FIRST_KILL, subject_hash="0" * 64)
    with pytest.raises(StoreError, match="another version of the subject"):
        verified(tmp_path / "stale", tree)
    store_run(tmp_path / "tests", tree, ExecutionMode.FIRST_KILL, generator="pytest")
    with pytest.raises(StoreError, match="the record of the suite is gone; run it again"):
        verified(tmp_path / "tests", tree)


@pytest.mark.slow
def test_steps_are_compared_only_where_both_know_them():
    killed = MutantResult("m", Verdict.KILLED, 3, 17, KillReason.OUTPUT, Phase.CALL, 2)
    with_detail = replace(killed, detail="returned another value")
    assert agree(replace(killed, detail="Tree().add(1): returned another value"), with_detail)
    assert not agree(replace(killed, detail="Tree().add(1): raised KeyError"), with_detail)
    assert not agree(killed, with_detail)
    assert not agree(killed, replace(killed, steps=18))
    assert agree(killed, replace(killed, steps=None))
    by_call = replace(killed, detail="box = Box(); box.put(1): call 2 of 3, Box.put: returned another value")
    assert agree(by_call, replace(killed, detail="call 2 of 3, Box.put: returned another value"))
    assert not agree(by_call, replace(killed, detail="call 3 of 3, Box.put: returned another value"))
    crashed = replace(killed, reason=KillReason.CRASH, detail="SIGABRT")
    assert agree(crashed, replace(crashed, detail="left with exit status 3"))
    lost = MutantResult("m", Verdict.KILLED, 0, None, KillReason.CRASH, Phase.CALL, None)
    assert agree(lost, replace(lost, inputs_run=3, input=2))
    assert not agree(lost, replace(killed, reason=KillReason.WALL_LIMIT))


NESTED = """
class Box:
    def __init__(self):
        self.held = {}

    def put(self):
        inner = {}
        self.held[0] = inner
"""
NESTED_SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Box")
    s.unordered("held")
    s.method("put")
    return s
"""


def test_an_unordered_dict_that_contains_itself_differs_on_both_paths(tmp_path):
    experiment = api.subject_experiment(write_subject(tmp_path, NESTED, NESTED_SPEC), "beapi", [1])
    run = api.run(experiment, tmp_path / "run", jobs=1)
    with RunStore.open_existing(run) as store:
        details = [result.detail for trial in store.trials.all() for result in store.results.of(trial.key)]
    assert any("RecursionError" in detail for detail in details)
    assert api.verify(run, jobs=1).holds
