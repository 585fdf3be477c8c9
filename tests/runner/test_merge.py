"""Shards that are merged are one run, and what cannot be merged is refused in one line."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from support import pile
from support.own_subject import standing_beside
from support.shards import everything_of, merged_shards, run_in_shards

from harness import api
from harness.errors import MutascopeError, StoreError, UsageError
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.runner import shards, trial
from harness.store import RunStore
from harness.store.tables import Results, read_shard_file, write_shard_file

COUNT = 3


@pytest.fixture(scope="module", autouse=True)
def beside_a_pile(tmp_path_factory):
    with standing_beside(tmp_path_factory.mktemp("home"), "pile", pile.SOURCE, pile.SPEC) as patch:
        patch.setattr(shards, "MUTANTS_EACH", 4)  # so that few mutants are spread over several shards
        yield patch


def piles(*scopes: int) -> Experiment:
    return api.subject_experiment("pile", "korat", scopes)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return api.run(piles(1, 2), tmp_path_factory.mktemp("whole") / "run", jobs=1)


@pytest.fixture(scope="module")
def shard_folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("parts")
    run_in_shards(piles(1, 2), root, COUNT)
    return root


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """An experiment with several scopes, oracles and modes, and the run of its whole."""
    experiment = replace(
        api.subject_experiment("pile", "korat", [1, 2], oracles=["differential", "postcondition"]),
        modes={Trial("pile", "korat", 2): ExecutionMode.MATRIX},
    )
    return experiment, api.run(experiment, tmp_path_factory.mktemp("several") / "run", jobs=1)


@pytest.fixture
def parts(shard_folders, tmp_path):
    """Copies of the shards, which a test may change."""
    shutil.copytree(shard_folders, tmp_path / "parts")
    return [tmp_path / "parts" / f"{number}" for number in range(1, COUNT + 1)]


def refusal(parts: list[Path], out: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the lines with which a merge is refused, which writes nothing."""
    capsys.readouterr()
    with pytest.raises(MutascopeError) as raised:
        api.merge(parts, out)
    assert not out.exists()
    assert "\n" not in str(raised.value)
    return [*capsys.readouterr().err.splitlines(), str(raised.value)]


def change(part: Path, **fields: object) -> None:
    write_shard_file(part, read_shard_file(part) | fields)


def test_the_merged_run_has_the_facts_of_the_whole(parts, whole, tmp_path):
    merged = api.merge(parts[::-1], tmp_path / "merged")
    assert merged.missing == ()
    assert everything_of(merged.folder) == everything_of(whole)


def test_every_shard_has_a_part_of_the_mutants(parts):
    for part in parts:
        with RunStore.open_existing(part) as store:
            assert sum(len(store.results.of(trial.key)) for trial in store.trials.all()) > 0
            assert not store.finished.keys()  # a trial is not complete before all shards are merged


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_facts_do_not_depend_on_the_number_of_shards(several, count, tmp_path):
    experiment, whole = several
    assert everything_of(merged_shards(experiment, tmp_path, count).folder) == everything_of(whole)


def test_a_shard_that_is_run_again_finds_nothing_twice(parts):
    def counts() -> list[int]:
        with RunStore.open_existing(parts[0]) as store:
            return [
                store.database.select(f"SELECT count(*) FROM {table}")[0][0]
                for table in ("mutant_result", "timing", "instrument")
            ]

    before = counts()
    api.shard(piles(1, 2), f"1/{COUNT}", parts[0], jobs=1)
    assert counts() == before


@pytest.mark.slow
def test_a_shard_that_was_killed_continues(whole, parts, tmp_path, monkeypatch):
    add, so_far = Results.add, []

    def killed(results: Results, *arguments: object, **options: object) -> None:
        if len(so_far) == 2:
            raise KeyboardInterrupt
        so_far.append(arguments)
        add(results, *arguments, **options)

    place = tmp_path / "again"
    with monkeypatch.context() as patch:
        patch.setattr(Results, "add", killed)
        with pytest.raises(KeyboardInterrupt):
            api.shard(piles(1, 2), f"2/{COUNT}", place, jobs=1)
    three_parts = [parts[0], place, parts[2]]
    with pytest.raises(UsageError):
        api.merge(three_parts, tmp_path / "too early")
    api.shard(piles(1, 2), f"2/{COUNT}", place, jobs=1)
    assert everything_of(api.merge(three_parts, tmp_path / "merged").folder) == everything_of(whole)


@pytest.mark.slow
def test_what_is_missing_is_listed_and_found_by_run(parts, whole, tmp_path):
    merged = api.merge(parts[1:], tmp_path / "merged", allow_missing=True)
    assert merged.missing[0] == f"1 of {COUNT} shards are missing: 1; run them (in SLURM: --array=1)"
    assert any("mutants have no result" in line for line in merged.missing[1:])
    api.run(piles(1, 2), merged.folder, jobs=1)
    assert everything_of(merged.folder)[0] == everything_of(whole)[0]


def test_a_gap_is_refused(parts, tmp_path, capsys):
    lines = refusal(parts[:2], tmp_path / "out", capsys)
    assert f"1 of {COUNT} shards are missing: {COUNT}; run them" in lines[0]
    assert lines[-1] == "nothing was merged; mend the 3 things above, or give --allow-missing"


def test_shards_that_are_not_finished_are_one_line(parts, tmp_path, capsys):
    change(parts[0], complete=False)
    change(parts[2], complete=False)
    assert refusal(parts, tmp_path / "out", capsys) == [
        f"2 of {COUNT} shards are not finished: 1,3; run them (in SLURM: --array=1,3), or give --allow-missing"
    ]


def test_a_shard_that_is_there_twice_is_refused(parts, tmp_path, capsys):
    again = shutil.copytree(parts[0], tmp_path / "again")
    lines = refusal([*parts, again], tmp_path / "out", capsys)
    assert lines == [f"{again}: shard 1/{COUNT} is {parts[0]}, too; leave one of them out"]


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("commit", "0" * 40, f"commit {'0' * 40} instead of "),
        ("python", "3.99.0", "Python 3.99.0 instead of "),
        ("operators", "mujava", "operator set mujava instead of ferastrau"),
        ("mutascope", "9.9", "mutascope 9.9 instead of "),
        ("experiment", "another", "experiment another instead of pile-korat"),
        ("of", COUNT + 1, f"number of shards {COUNT + 1} instead of {COUNT}"),
        ("plan", [], "other trials or settings of the experiment"),
        ("settings", {}, "other trials or settings of the experiment"),
    ],
)
def test_shards_of_something_else_are_refused(field, value, says, parts, tmp_path, capsys):
    change(parts[1], **{field: value})
    (line,) = refusal(parts, tmp_path / "out", capsys)
    assert line.startswith(f"{parts[1]}: {says}")
    assert line.endswith("run this shard again as the others")


@pytest.mark.slow
def test_a_shard_on_another_suite_is_refused(parts, tmp_path, capsys, monkeypatch, beside_a_pile):
    described = trial._described
    monkeypatch.setattr(trial, "_described", lambda *given: replace(described(*given), suite_digest="another"))
    shutil.rmtree(parts[1])
    api.shard(piles(1, 2), f"2/{COUNT}", parts[1], jobs=1)
    lines = refusal(parts, tmp_path / "out", capsys)
    assert f"{parts[1]}: pile korat scope 2 seed 0 has another suite digest than in {parts[0]}" in " ".join(lines)


def test_results_of_another_shard_are_refused(parts, tmp_path, capsys):
    record = read_shard_file(parts[0])
    shutil.rmtree(parts[0])
    shutil.copytree(parts[1], parts[0])
    change(parts[0], shard=record["shard"])
    assert "results are of other shards" in " ".join(refusal(parts, tmp_path / "out", capsys))


def test_a_folder_without_a_shard_is_refused(parts, whole, tmp_path, capsys):
    assert refusal([*parts, whole], tmp_path / "out", capsys) == [
        f"{whole}: no shard is stored there; give a folder that `mutascope shard --out` wrote"
    ]


def test_a_merge_does_not_replace_a_run(parts, tmp_path):
    merged = api.merge(parts, tmp_path / "out")
    with pytest.raises(StoreError, match="a run is stored there"):
        api.merge(parts, merged.folder)


@pytest.mark.parametrize(
    ("start", "says"),
    [
        (lambda place: api.run(piles(1, 2), place, jobs=1), "a shard is stored there; merge the shards"),
        (lambda place: api.shard(piles(1, 2), f"2/{COUNT}", place), f"shard 2/{COUNT} instead of 1/{COUNT}"),
        (lambda place: api.shard(piles(1), f"1/{COUNT}", place), "other trials or settings of the experiment"),
    ],
)
def test_the_folder_of_a_shard_takes_nothing_else(start, says, parts):
    with pytest.raises(UsageError, match="choose another") as raised:
        start(parts[0])
    assert says in str(raised.value)


def test_a_shard_is_not_run_into_the_folder_of_a_run(whole):
    with pytest.raises(UsageError, match="a run that is no shard is stored there"):
        api.shard(piles(1, 2), f"1/{COUNT}", whole, jobs=1)
