"""One run judged by two oracles: trials of their own, the same facts whether inputs are left out or not."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.own_runs import facts_under
from support.own_subject import standing_beside

from harness import api
from harness.analysis.compared import comparable_suites
from harness.analysis.measures import scores
from harness.errors import StoreError, UsageError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, MutantResult, OracleName, Verdict
from harness.model.sequence import Observation
from harness.runner import mutant_stages
from harness.runner.probing import DifferentialKills, sees_all
from harness.runs.frozen_run import freeze
from harness.store import KillRow, RunStore, export_facts

SOURCE = """
class Shelf:
    def __init__(self):
        self.held = []
        self.taken = 0

    def put(self, value):
        if value not in self.held:
            self.held.append(value)
        return len(self.held)

    def take(self, most):
        count = 0
        while self.held and count < most:
            self.held.pop()
            count = count + 1
        self.taken = self.taken + count
        return count
"""
SPEC = """
from harness.spec import Finitization

def rep_ok(shelf):
    return len(set(shelf.held)) == len(shelf.held)

def abstraction(shelf):
    return tuple(shelf.held), shelf.taken

def post_put(before, after, result, value):
    return value in after[0]

def finitization(scope):
    f = Finitization("Shelf")
    f.set("Shelf.held", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    f.set("Shelf.taken", 0)
    f.method("put", range(scope + 1))
    f.method("take", range(scope + 1))
    return f
"""
DIFFERENTIAL, POSTCONDITION = OracleName.DIFFERENTIAL, OracleName.POSTCONDITION
BOTH = [DIFFERENTIAL.value, POSTCONDITION.value]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with standing_beside(home, "shelf", SOURCE, SPEC) as patch:
        patch.setattr(mutant_stages, "FIRST_LOOK", 8)
        patch.setattr(mutant_stages, "STAGE_FACTOR", 2)
        yield home


def run(home: Path, name: str, mode: ExecutionMode, oracles: list[str]) -> Path:
    experiment = replace(api.subject_experiment("shelf", "korat", [2], oracles=oracles), mode=mode)
    return api.run(experiment, home / name, jobs=1)


@pytest.fixture(scope="module")
def first_kill(home):
    return run(home, "first-kill", ExecutionMode.FIRST_KILL, BOTH)


@pytest.fixture(scope="module")
def matrix(home):
    return run(home, "matrix", ExecutionMode.MATRIX, BOTH)


@pytest.mark.slow
def test_the_differential_facts_are_those_of_a_run_without_another_oracle(matrix, home):
    separate = export_facts(run(home, "alone", ExecutionMode.MATRIX, [DIFFERENTIAL.value]))
    with RunStore.open_existing(matrix) as store:
        (other,) = store.trials.under(POSTCONDITION)
    facts = [line for line in export_facts(matrix).splitlines() if other.key not in line]
    assert facts == separate.splitlines()
    assert '"oracle"' not in separate


def test_what_breaks_a_promise_is_told_by_the_differential_oracle_as_well(matrix):
    (by_difference, rows), (by_promise, promised_rows) = (
        facts_under(matrix, oracle) for oracle in (DIFFERENTIAL, POSTCONDITION)
    )
    assert by_difference.keys() == by_promise.keys()
    verdicts = set()
    for mutant, result in by_promise.items():
        difference = by_difference[mutant]
        verdicts.add((difference.verdict, result.verdict))
        if result.input is not None:
            assert difference.input is not None
            assert difference.input <= result.input
        if mutant in promised_rows:
            ours, theirs = (int.from_bytes(row[mutant].bits) for row in (promised_rows, rows))
            assert ours & ~theirs == 0
    killed, survived = Verdict.KILLED, Verdict.SURVIVED
    assert verdicts == {(killed, killed), (killed, survived), (survived, survived)}
    assert KillReason.POSTCONDITION in {result.reason for result in by_promise.values()}


@pytest.mark.slow
@pytest.mark.parametrize("mode", [ExecutionMode.FIRST_KILL, ExecutionMode.MATRIX], ids=lambda mode: mode.value)
def test_inputs_that_are_left_out_change_no_fact(mode, home, request):
    folder = request.getfixturevalue(mode.name.lower())
    whole = run(home, f"{mode.value}-whole", mode, [POSTCONDITION.value])  # nothing is known there
    (results, rows), (all_results, all_rows) = facts_under(folder, POSTCONDITION), facts_under(whole, POSTCONDITION)
    assert rows == all_rows
    assert sum(result.executed or 0 for result in results.values()) < sum(r.executed or 0 for r in all_results.values())
    for mutant, result in all_results.items():
        assert replace(results[mutant], executed=None) == replace(result, executed=None, steps=None)


@pytest.mark.slow
def test_the_naive_path_agrees_under_both_oracles(matrix):
    checked = api.verify(matrix, jobs=1)
    assert checked.disagreements == ()
    assert checked.unchecked == ()
    assert checked.checked == 2 * len(facts_under(matrix, DIFFERENTIAL)[0])


def test_a_run_shows_both_scores(first_kill):
    whole = api.load(first_kill)
    table = whole.summary()
    assert list(table["oracle"]) == BOTH
    assert table["killed"].iloc[0] > table["killed"].iloc[1] > 0
    assert list(whole.frames.trials["oracle"]) == [DIFFERENTIAL.value]
    promised = whole.under("postcondition")
    assert list(promised.frames.trials["oracle"]) == [POSTCONDITION.value]
    assert set(promised.frames.results["trial"]) == set(promised.frames.trials["trial"])
    assert list(promised.scores()["killed"]) == [table["killed"].iloc[1]]


def test_a_frozen_run_keeps_both_oracles(first_kill, tmp_path):
    whole = api.load(first_kill)
    again = api.load(freeze(whole, tmp_path / "frozen"))
    assert again.summary().equals(whole.summary())
    killed, killed_again = (list(one.under("postcondition").scores()["killed"]) for one in (whole, again))
    assert killed == killed_again


def test_a_matrix_is_of_one_oracle(matrix):
    whole = api.load(matrix)
    both = [whole.under(oracle).matrix("shelf", 2) for oracle in BOTH]
    assert both[0].mutants == both[1].mutants
    differential, promised = ({(name, at) for name in one.mutants for at in one.kills(name)} for one in both)
    assert differential > promised > set()
    assert whole.under("postcondition").with_samples.samples.empty


def test_a_report_is_of_one_oracle(first_kill):
    names = {oracle: [path.name for path in api.report(first_kill, oracle)] for oracle in BOTH}
    assert names["differential"] == ["report.html", "mutation-report-shelf-korat.json"]
    assert names["postcondition"] == ["report-postcondition.html", "mutation-report-shelf-korat-postcondition.json"]
    survivors = [
        (first_kill / of_oracle[1]).read_text().count('"Survived"') for of_oracle in (names[name] for name in BOTH)
    ]
    assert survivors[0] < survivors[1]
    assert "postcondition" not in (first_kill / "report.html").read_text()


def test_inputs_are_left_out_only_where_all_is_compared():
    postcondition = "def post_put(before, after, result, *, program): ..."
    assert sees_all(SPEC, SOURCE, None)
    assert not sees_all(postcondition, SOURCE, None)
    assert not sees_all(SPEC, SOURCE, Observation.END)
    assert sees_all(SPEC, SOURCE, Observation.EVERY_CALL)


@pytest.mark.parametrize(
    ("spec", "is_seen"),
    [
        ("def rep_ok(shelf):\n    return shelf.take(0) == 0\n", True),
        ("def post_put(before, after, result, value):\n    return after.take(0) == 0\n", False),
        ("def kept(a):\n    return a.take(0)\n\ndef post_put(before, after, result):\n    return kept(after)\n", False),
        ("asked = lambda a: a.take(0)\n\ndef abstraction(shelf):\n    return asked(shelf)\n", False),
        ("def abstraction(shelf):\n    return getattr(shelf, 'take')(0)\n", False),
    ],
)
def test_inputs_are_left_out_only_where_postconditions_call_nothing_of_the_program(spec, is_seen):
    assert sees_all(spec, SOURCE, None) is is_seen


@pytest.mark.parametrize(
    ("returned", "is_seen"),
    [
        ("raised is None or isinstance(raised, (KeyError, IndexError))", True),
        ("raised is not None", True),
        ("raised.args == (3,)", False),
        ("raised is None or str(raised) == 'empty'", False),
        ("isinstance(raised, KeyError) and kept(raised)", False),
    ],
)
def test_inputs_are_left_out_only_where_the_class_alone_of_an_exception_is_asked_for(returned, is_seen):
    spec = f"def post_put(before, after, result, *, raised):\n    return {returned}\n"
    assert sees_all(spec, SOURCE, None) is is_seen


COUNT = """
    f.method("count")
    return f
"""
CALLS_PROGRAM = """
def post_put(before, after, result, value):
    return before.count() <= after.count() == len(after.held)
"""


@pytest.mark.slow
def test_a_postcondition_that_calls_a_mutated_function_kills_the_same_after_another_oracle(tmp_path):
    source = f"{SOURCE}\n    def count(self):\n        return len(self.held) + 1 - 1\n"
    spec = re.sub(r"def abstraction.*?(?=\ndef )", "", SPEC, flags=re.DOTALL).replace("    return f\n", COUNT)
    with standing_beside(tmp_path, "shelf", source, f"{spec}\n{CALLS_PROGRAM}"):
        after, separate = (
            facts_under(run(tmp_path, name, ExecutionMode.MATRIX, oracles), POSTCONDITION)[0]
            for name, oracles in (("after", BOTH), ("alone", [POSTCONDITION.value]))
        )
    verdicts = {name: result.verdict for name, result in separate.items()}
    assert {name: result.verdict for name, result in after.items()} == verdicts
    line = str(source.count("\n"))
    assert {verdict for name, verdict in verdicts.items() if name.split(":")[1] == line} == {Verdict.KILLED}


def test_known_kills_tell_which_inputs_are_left():
    killed = MutantResult("killed", Verdict.KILLED, 11, None, KillReason.CRASH, mutant_stages.Phase.CALL, 10)
    kills = DifferentialKills.of(
        [killed, replace(killed, mutant="row"), MutantResult("survivor", Verdict.SURVIVED, 20, 5)],
        [KillRow("row", 12, bytes([0b10, 0b100]))],
    )
    assert kills.row("killed", 0, 20) == bytes([0, 0b11111100, 0b1111])
    assert kills.row("killed", 8, 16) == bytes([0b11111100])
    assert kills.row("row", 0, 20) == bytes([0b10, 0b11110100, 0b1111])
    assert kills.row("survivor", 0, 20) == bytes(3)
    assert kills.row("stranger", 0, 20) == bytes([0xFF, 0xFF, 0b1111])


def test_a_table_tells_what_the_postconditions_miss(first_kill):
    tables = api.tables(folder=first_kill)
    (row,) = tables["oracles"].records()
    assert row["oracle"] == "postcondition"
    assert row["differential [%]"] > row["killed [%]"]
    assert row["only differential"] == sum(int(part.split()[-1]) for part in row["by"].split(", ")) > 0
    assert row["not differential"] == 0
    reasons = {
        record["reason"] for record in api.tables(folder=first_kill, oracle="postcondition")["reasons"].records()
    }
    assert "postcondition" in reasons
    assert not reasons & {"state", "output"}


def test_an_oracle_that_was_not_asked_is_refused(home, matrix, first_kill):
    assert "postcondition" not in {record["reason"] for record in api.tables(folder=matrix)["reasons"].records()}
    with pytest.raises(UsageError, match="no oracle 'assertion'; there are differential, postcondition, "):
        api.load(first_kill).under("assertion")
    with pytest.raises(StoreError, match="nothing was judged by the postcondition oracle"):
        api.tables(folder=run(home, "alone", ExecutionMode.MATRIX, [DIFFERENTIAL.value]), oracle="postcondition")


@pytest.mark.slow
def test_the_beginning_of_a_random_suite_scores_as_the_smaller_suite_does(home):
    folder = home / "random"
    for inputs in (20, 60):
        api.run(api.subject_experiment("shelf", f"random:{inputs}", [2], seed=3, oracles=BOTH), folder, jobs=1)
    whole = api.load(folder)
    small = whole.all_frames.trials["generator"] == "random:20"
    keys = set(whole.all_frames.trials.loc[small, "trial"])
    scored = [scores(whole.under(oracle).frames) for oracle in BOTH]
    expected = [int(frame.loc[frame["trial"].isin(keys), "killed"].iloc[0]) for frame in scored]
    compared = [comparable_suites(folder, oracle=OracleName(oracle), needs_matrix=False)[0] for oracle in BOTH]
    first = [one.suites["random:60"][0].kills.reached_by_mask(np.arange(60) < 20).sum() for one in compared]
    assert first == expected
    assert all(0 < killed < len(one.mutants) for killed, one in zip(expected, compared, strict=True))
    checked = api.verify(folder, sample=8, jobs=1)
    assert checked.disagreements == checked.unchecked == ()
