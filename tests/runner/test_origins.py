"""Forged facts of subjects and of pytest suites are detected by their origins."""

import pytest
from support import pile
from support.forged_store import forge
from support.own_runs import judged, verified
from support.own_subject import standing_beside

from harness import api
from harness.command_line.main import main
from harness.model.outcome import KillReason
from harness.runner.origins import measured_elsewhere
from harness.runner.verify import Verification
from harness.store import RunStore
from harness.store.database import FILE_NAME


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of state inputs, with coverage; it stands beside its subject."""
    home = tmp_path_factory.mktemp("home")
    with standing_beside(home, "pile", pile.SOURCE, pile.SPEC):
        out = api.run(api.subject_experiment("pile", "korat", [1]), home / "out", jobs=1)
        yield out


@pytest.mark.slow
def test_forged_mutants_coverage_and_fields_are_found_out_and_nothing_else_is(run):
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.all()
        mutant, *_ = store.mutants.of(trial.mutant_set)
        function = next(one for one in store.coverage.of(trial.key) if one.counts.statements_executed)
    steps = trial.original_steps
    forge(run, "UPDATE mutant SET replacement = 'forged' WHERE id = ?", mutant.id)
    forge(run, "UPDATE coverage SET statements_executed = 0 WHERE function = ?", function.function)
    forge(run, "UPDATE trial SET states = 77, original_steps = 88")
    forge(run, "UPDATE instrument SET no_op_steps = 99, planted_reason = 'crash'")
    verification: Verification = api.verify(run, sample=1, jobs=1)
    assert (verification.unchecked, verification.notes, verification.holds) == ((), (), False)
    assert [str(one) for one in verification.disagreements] == sorted(
        [
            f"{trial}, {mutant.id}: stored: replacement 'forged'; derived again: replacement {mutant.replacement!r}",
            f"{trial}, code coverage of {function.function}: stored: statements_executed 0; "
            f"measured again: statements_executed {function.counts.statements_executed}",
            f"{trial}, states: stored: states 77; read again: states {trial.states}",
            f"{trial}, original_steps: stored: original_steps 88; executed again: original_steps {steps}",
            f"{trial}, no_op_steps: stored: no_op_steps 99; executed again: no_op_steps {steps}",
            f"{trial}, planted_reason: stored: planted_reason 'crash'; executed again: planted_reason 'exception'",
        ]
    )


def test_a_forged_text_is_not_what_is_re_executed(run, tmp_path):
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.all()
        killed = next(one for one in store.results.of(trial.key) if one.input is not None)
    copy = tmp_path / "run"
    copy.mkdir()
    (copy / FILE_NAME).write_bytes((run / FILE_NAME).read_bytes())
    forge(copy, "UPDATE mutant SET line = 10000, end_line = 10000 WHERE id = ?", killed.mutant)
    verification = api.verify(copy, jobs=1)
    named = [one.fact for one in verification.disagreements]
    assert killed.mutant in named
    assert (verification.unchecked, named.count(killed.mutant)) == ((), 1)


def test_coverage_under_other_versions_is_not_compared_and_a_line_says_so(run, capsys):
    forge(run, "UPDATE session SET provenance = json_set(provenance, '$.python', '3.99.1')")
    with RunStore.open_existing(run) as store:
        assert measured_elsewhere(store).startswith("Python 3.99 and ")
    main(["verify", str(run), "--sample", "1", "--jobs", "1"])
    assert "coverage is not measured again, as it was measured under Python 3.99" in capsys.readouterr().out


CORE = "def more(value):\n    return value + 1\n\n\ndef less(value):\n    return value - 1\n"
TESTS = """\
from till.core import less, more


def test_more():
    assert more(1) == 2


def test_less():
    assert less(1) == 0
"""


@pytest.mark.slow
def test_forged_facts_are_found_out_and_nothing_else_is(tmp_path):
    out = tmp_path / "out"
    trial, results = judged(tmp_path, CORE, TESTS, original_runs=1)
    assert verified(out, None, 0, 1) == (len(results), [])
    (named, operator), (mutant, _), (other, aimed), (left_out, _), *_ = [
        (mutant, result) for mutant, result in results if result.reason is KillReason.ASSERTION
    ]
    with RunStore.open_existing(out) as store:
        (before, *_) = store.coverage.of(trial.key)
    forge(out, "UPDATE mutant_result SET detail = 'KeyError' WHERE mutant = ?", named.id)
    forge(out, "UPDATE mutant SET replacement = 'forged' WHERE id = ?", mutant.id)
    forge(out, "UPDATE mutant_result SET input = 1 - input WHERE mutant = ?", other.id)
    inconclusive = "verdict = 'inconclusive', reason = NULL, phase = NULL, input = NULL"
    forge(out, f"UPDATE mutant_result SET {inconclusive} WHERE mutant = ?", left_out.id)
    forge(out, "UPDATE coverage SET statements_executed = 0 WHERE function = ?", before.function)
    forge(out, "UPDATE trial SET explored = 77")
    forge(out, "UPDATE suite_record SET source = source || '#'")
    verification = api.verify(out, None, 0, 1)
    disagreements = verification.disagreements
    assert verification.checked == len(results) - 1
    assert verification.notes == (f"{trial}: 1 inconclusive verdict not re-executed",)
    lines = {one.fact: str(one) for one in disagreements}
    assert len(lines) == len(disagreements) == 6
    assert lines[named.id].endswith(f"failing: tests/test_core.py::test_{named.function} (assertion {operator.detail})")
    assert lines[mutant.id].endswith(f"derived again: replacement {mutant.replacement!r}")
    assert f"failing: tests/test_core.py::test_{other.function} (assertion {aimed.detail})" in lines[other.id]
    assert lines[f"code coverage of {before.function}"].endswith("measured again: statements_executed 1")
    assert lines["explored"].endswith("read again: explored 2")
    assert "source of the target" in lines
