"""Checks the facts that each execution mode stores, on a real subject."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness import api, selections
from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError
from harness.measured.sampling import sample_run
from harness.model.experiment import ExecutionMode, Trial
from harness.runner import mutant_stages
from harness.store import RunStore

SUBJECT = "search_tree"


@pytest.fixture(scope="module", autouse=True)
def small_stages():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mutant_stages, "FIRST_LOOK", 16)
        patch.setattr(mutant_stages, "STAGE_FACTOR", 2)
        patch.setattr(selections, "MOST_EXPECTED_KILLS", 1)  # rows that are cut too early, and gone on with
        yield


def run(folder: Path, mode: ExecutionMode, scopes: tuple[int, ...], generator: str = "korat") -> Path:
    """Run the subject at these scopes, the largest one in `mode`."""
    largest = Trial(SUBJECT, generator, scopes[-1])
    return api.run(replace(api.subject_experiment(SUBJECT, generator, scopes), modes={largest: mode}), folder, jobs=2)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    modes = (ExecutionMode.MATRIX, ExecutionMode.SELECTIONS)
    return {mode: run(tmp_path_factory.mktemp(mode.value), mode, (2, 3)) for mode in modes}


def largest(store: RunStore) -> str:
    return store.trials.all()[-1].key


@pytest.mark.slow
def test_selections_kill_as_many_as_by_the_full_matrix(folders):
    by_matrix, by_rows = (sample_run(folder).drop(columns="trial") for folder in folders.values())
    assert len(by_rows) == 100
    # Rows that are cut too early miss some inputs that kill, and no other.
    assert (by_rows.pop("expected") <= by_matrix.pop("expected")).all()
    assert by_rows.equals(by_matrix)
    assert by_rows["killed"].nunique() > 1


@pytest.mark.slow
def test_a_decided_mutant_runs_no_further_input(folders):
    with (
        RunStore.open_existing(folders[ExecutionMode.MATRIX]) as matrix,
        RunStore.open_existing(folders[ExecutionMode.SELECTIONS]) as decided,
    ):
        whole = {row.mutant: row for row in matrix.results.kill_rows(largest(matrix))}
        cut = {row.mutant: row for row in decided.results.kill_rows(largest(decided))}
        verdicts = [
            {r.mutant: (r.verdict, r.reason, r.input) for r in s.results.of(largest(s))} for s in (matrix, decided)
        ]
    assert whole.keys() == cut.keys()
    assert verdicts[0] == verdicts[1]
    assert 0 < sum(row.inputs < whole[mutant].inputs for mutant, row in cut.items()) < len(cut)
    for mutant, row in cut.items():
        assert row.inputs == whole[mutant].inputs or row.bits == whole[mutant].bits[: row.inputs // 8]


@pytest.mark.slow
def test_rows_say_which_inputs_reach_and_infect(folders):
    for folder in folders.values():
        with RunStore.open_existing(folder) as store:
            probes = {row.mutant: row for row in store.results.probe_rows(largest(store))}
            results = {result.mutant: result for result in store.results.of(largest(store))}
            for row in store.results.kill_rows(largest(store)):
                kills, infected, reached = (
                    int.from_bytes(bits) for bits in (row.bits, probes[row.mutant].infected, probes[row.mutant].reached)
                )
                assert kills & infected == kills
                assert infected & reached == infected
                assert results[row.mutant].executed == infected.bit_count()


@pytest.mark.slow
def test_rows_of_one_mode_are_not_taken_for_the_others(folders):
    with (
        RunStore.open_existing(folders[ExecutionMode.SELECTIONS]) as store,
        pytest.raises(StoreError, match="in mode matrix"),
    ):
        KillMatrix.load(store, largest(store))
    with (
        RunStore.open_existing(folders[ExecutionMode.MATRIX]) as store,
        pytest.raises(StoreError, match="in mode selections"),
    ):
        KillMatrix.load(store, largest(store), ExecutionMode.SELECTIONS)


@pytest.mark.slow
def test_the_naive_path_confirms_cut_rows(folders):
    verification = api.verify(folders[ExecutionMode.SELECTIONS], sample=12, jobs=2)
    assert (verification.checked, verification.disagreements) == (12, ())


@pytest.mark.slow
def test_a_suite_can_be_made_without_running_a_mutant(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    run(tmp_path, ExecutionMode.GENERATE, (1, 2, 3), "korat-dedicated")
    with RunStore.open_existing(tmp_path) as store:
        _, small, large = store.trials.all()
        assert store.finished.keys() == {trial.key for trial in store.trials.all()}
        assert store.results.of(small.key)
        assert not store.results.of(large.key)
        assert (large.original_steps, store.coverage.of(large.key)) == (None, [])
        timings = {timing.what: timing.seconds for timing in store.timings.of(large.key)}
        assert set(timings) == {"generate", "search_cpu", "compile_cpu", "write_cpu", "made:32", "made:64"}
        assert 0 < timings["made:32"] <= timings["made:64"]
        assert timings["search_cpu"] > 0
    assert api.load(tmp_path).frames.trials["inputs"].tolist() == [4, 20, 90]


def test_a_finished_trial_whose_coverage_is_wanted_later_is_named(tmp_path, capsys):
    experiment = api.subject_experiment(SUBJECT, "korat", [1])
    api.run(replace(experiment, without_coverage=frozenset(experiment.trials)), tmp_path / "run", jobs=1)
    assert "coverage" not in capsys.readouterr().err
    api.run(experiment, tmp_path / "run", jobs=1)
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "coverage" in line]
    assert "it has finished without coverage; to measure that, run it into another folder" in line
