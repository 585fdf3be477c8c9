"""The public oracle judges by results and exceptions: a part of the differential oracle's view, and nothing else."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support.documents import ROOT
from support.own_runs import facts_under
from support.own_subject import standing_beside

from harness import api
from harness.kernel.naive.words import NaiveJob, SubjectJob, mutated
from harness.model.experiment import ExecutionMode, Trial
from harness.model.outcome import KillReason, OracleName, Phase, Verdict
from harness.model.subject import Subject
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite
from harness.store import KillRow, RunStore

SOURCE = """\
class Purse:
    def __init__(self):
        self.coins = []
        self.last = 0

    def add(self, coin):
        if coin not in self.coins:
            self.coins.append(coin)

    def count(self):
        return len(self.coins)

    def spend(self, most):
        if not self.coins:
            raise ValueError
        while self.coins and most > 0:
            self.last = self.coins.pop()
            most = most - 1
        return len(self.coins)
"""
SPEC = """\
from harness.spec import Finitization

observers = ["count"]

def rep_ok(purse):
    return len(set(purse.coins)) == len(purse.coins)

def abstraction(purse):
    return tuple(purse.coins), purse.last

def finitization(scope):
    f = Finitization("Purse")
    f.set("Purse.coins", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    f.set("Purse.last", 0)
    f.method("add", range(scope + 1))
    f.method("count")
    f.method("spend", range(scope + 1))
    return f
"""
SCOPE = 2
DIFFERENTIAL, PUBLIC, OBSERVERS = OracleName.DIFFERENTIAL, OracleName.PUBLIC, OracleName.OBSERVERS


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with standing_beside(home, "purse", SOURCE, SPEC):
        yield home


def run(home: Path, name: str, generator: str, *oracles: OracleName) -> Path:
    experiment = api.subject_experiment("purse", generator, [SCOPE], oracles=[oracle.value for oracle in oracles])
    return api.run(replace(experiment, mode=ExecutionMode.MATRIX), home / name, jobs=1)


@pytest.fixture(scope="module", params=["korat", "beapi"])
def generator(request):
    return str(request.param)


@pytest.fixture(scope="module")
def judged(home, generator):
    return run(home, generator, generator, DIFFERENTIAL, PUBLIC, OBSERVERS)


@pytest.mark.slow
def test_each_input_that_kills_kills_under_the_differential_oracle(judged, generator):
    (by_difference, rows), (by_results, public_rows) = (
        facts_under(judged, oracle) for oracle in (DIFFERENTIAL, PUBLIC)
    )
    assert by_difference.keys() == by_results.keys()
    assert rows.keys() == public_rows.keys()
    less = 0
    for mutant, row in public_rows.items():
        ours, theirs = (int.from_bytes(one.bits, "little") for one in (row, rows[mutant]))
        assert ours & ~theirs == 0
        less += (theirs & ~ours).bit_count()
    assert less > 0
    verdicts = {(by_difference[mutant].verdict, result.verdict) for mutant, result in by_results.items()}
    assert (Verdict.KILLED, Verdict.KILLED) in verdicts
    assert (Verdict.SURVIVED, Verdict.KILLED) not in verdicts
    assert {result.phase for result in by_results.values()} == {Phase.CALL, None}
    assert {result.reason for result in by_results.values()} <= {
        KillReason.OUTPUT, KillReason.EXCEPTION, KillReason.STEP_LIMIT, None,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("oracle", [PUBLIC, OBSERVERS], ids=lambda oracle: oracle.value)
def test_the_verdicts_are_those_of_twenty_naive_lines(judged, generator, oracle):
    subject = load_subject("purse")
    results, rows = facts_under(judged, oracle)
    witnessed = {}
    for mutant in api.mutants("purse"):
        if mutant.id in results:
            source = mutated(NaiveJob(job(subject), mutant.location, mutant.original, mutant.replacement, True, 0))
            witnessed[mutant.id] = naively_killed_by(source, generator, oracle)
    assert witnessed.keys() == results.keys()
    for mutant_id, kills in witnessed.items():
        if generator == "korat":  # whose inputs are in another order there
            assert bool(kills) == (results[mutant_id].verdict is Verdict.KILLED)
            assert len(kills) == sum(byte.bit_count() for byte in rows[mutant_id].bits)
        else:
            assert rows[mutant_id] == KillRow.of_kills(mutant_id, rows[mutant_id].inputs, kills)


def naively_killed_by(source: str, generator: str, oracle: OracleName) -> list[int]:
    """List the numbers of the inputs on which a mutant returns or raises something else than the original."""
    observer = "; purse.count()" if oracle is OBSERVERS else ""
    if generator == "korat":
        values = range(SCOPE + 1)
        calls = ["count()", *(f"{name}({value})" for name in ("add", "spend") for value in values)]
        purses = [list(coins) for size in values for coins in permutations(range(SCOPE), size)]
        texts = [
            f"purse = Purse(); vars(purse).update(coins={coins}); purse.{call}" for coins in purses for call in calls
        ]
    else:
        suite = ensure_suite(load_subject("purse"), Trial("purse", generator, SCOPE))
        texts = api.first_sequences("purse", suite, len(suite))
    programs = [text + observer for text in texts]
    return [number for number, text in enumerate(programs) if done(source, text) != done(SOURCE, text)]


def done(source: str, text: str) -> list[str]:
    """Return the result or exception of each call, in words; an object is no more than its class."""
    names: dict[str, Any] = {}
    exec(source, names)
    observed = []
    for call in text.split("; "):
        name, _, expression = call.rpartition(" = ")
        try:
            returned = eval(expression, names)
        except Exception as error:
            observed.append(f"raised {type(error).__name__}")
            continue
        observed.append(type(returned).__name__ if name else repr(returned))
        names |= {name: returned} if name else {}
    return observed


@pytest.mark.slow
def test_the_naive_path_agrees(judged):
    checked = api.verify(judged, jobs=1)
    assert checked.disagreements == ()
    assert checked.unchecked == ()
    mutants = len(facts_under(judged, PUBLIC)[0])
    assert checked.checked == 3 * mutants


def test_the_instrument_is_proven_by_results_alone(judged):
    for oracle in (PUBLIC, OBSERVERS):
        with RunStore.open_existing(judged) as store:
            (stored,) = store.trials.under(oracle)
            proof = store.instruments.of(stored.key)
        assert proof is not None
        kill_kinds = [(KillReason.EXCEPTION, Phase.CALL), *[(KillReason.STATE, Phase.EQUALITY)] * (oracle is OBSERVERS)]
        assert (proof.planted_reason, proof.planted_phase) in kill_kinds
        assert proof.no_op_inputs == proof.original_inputs == stored.inputs
        assert f"the {oracle.value} oracle: another result is told\n" in (judged / "run.log").read_text()


def job(subject: Subject, oracle: OracleName = PUBLIC, suite: Path = Path()) -> SubjectJob:
    return SubjectJob.of(subject, SCOPE, suite=str(suite), concrete=False, oracle=oracle.value)


@pytest.mark.slow
def test_the_numbers_in_the_docs_are_those_of_a_run(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    experiment = api.subject_experiment("search_tree", "beapi", [3], oracles=[DIFFERENTIAL.value, PUBLIC.value])
    table = api.load(api.run(experiment, tmp_path / "run")).summary()
    (differential, public), (counted, _) = table["killed"], table["counted"]
    inputs = table["inputs"].iloc[0]
    text = " ".join((ROOT / "docs/experiments.md").read_text(encoding="utf-8").split())
    assert f"{inputs} sequences of SearchTree at scope 3 kill {differential} of {counted} mutants under" in text
    assert (
        f"({100 * differential / counted:.2f} %), and {public} under `public` ({100 * public / counted:.2f} %)" in text
    )
