"""Verdicts of a frozen run are confirmed on suites that are made again; what is false in it is reported."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from support import counter
from support.own_subject import standing_beside

from harness import api
from harness.checksums import FILE_NAME, write_checksums
from harness.command_line.main import main
from harness.errors import StoreError, UsageError
from harness.runs.frozen_run import freeze

MODES: tuple[tuple[str, ...], ...] = ((), ("--matrix",))


@pytest.fixture(scope="module", params=MODES, ids=["first kill", "matrix"])
def frozen(request, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with standing_beside(home, "counter", counter.SOURCE, counter.SPEC):
        assert main(["run", "--subject", "counter", "--scope", "1-2", *request.param, "--out", str(home / "run")]) == 0
        freeze(api.load(home / "run"), home / "frozen")
        yield home / "frozen"


def changed(frozen: Path, folder: Path, file: str, column: str, old: str, new: str) -> Path:
    """Copy a frozen run with one cell changed, under checksums that hold."""
    shutil.copytree(frozen, folder)
    frame = pd.read_csv(folder / file, dtype=str, keep_default_na=False)
    row = frame.index[frame[column] == old][0]
    frame.loc[row, column] = new
    frame.to_csv(folder / file, index=False, lineterminator="\n")
    write_checksums(folder, [line.split()[1] for line in (folder / FILE_NAME).read_text().splitlines()])
    return folder


@pytest.mark.slow
def test_every_verdict_of_a_frozen_run_is_executed_again(frozen):
    verification = api.verify(frozen)
    results = pd.read_csv(frozen / "results.csv")
    assert verification.checked == int(results["verdict"].notna().sum()) > 20
    assert verification.holds
    assert api.verify(frozen, sample=3).checked == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "column", "old", "new", "phrase"),
    [
        ("results.csv", "phase", "call", "equality", "killed by"),
        ("results.csv", "mutant", "VRR", "VRR:1:0:there_is_none", "no such mutant"),
        ("trials.csv", "inputs", "12", "13", "stored: inputs 13; generated again: inputs 12"),
    ],
)
def test_a_false_fact_of_a_frozen_run_is_reported(frozen, tmp_path, file, column, old, new, phrase):
    if column == "mutant":
        old = str(pd.read_csv(frozen / file).query("operator == @old")[column].iloc[0])
    verification = api.verify(changed(frozen, tmp_path / "changed", file, column, old, new))
    assert not verification.holds
    assert any(phrase in str(disagreement) for disagreement in verification.disagreements)


@pytest.mark.slow
def test_trials_of_another_version_are_left_out_with_a_note(frozen, tmp_path, capsys):
    folder = changed(frozen, tmp_path / "changed", "trials.csv", "generator_version", "1", "0")
    assert main(["verify", str(folder), "--json"]) == 0
    output = json.loads(capsys.readouterr().out)
    assert output["checked"] > 0
    [note] = output["notes"]
    assert note.endswith("verdicts are left out, as their generator makes other suites since")


def test_a_frozen_run_without_a_verdict_that_can_be_executed_again_is_refused(frozen, tmp_path):
    folder = tmp_path / "changed"
    changed(frozen, folder, "trials.csv", "scope", "1", "1")
    frame = pd.read_csv(folder / "trials.csv", dtype=str, keep_default_na=False).assign(source_hash="0" * 64)
    frame.to_csv(folder / "trials.csv", index=False, lineterminator="\n")
    write_checksums(folder, [line.split()[1] for line in (folder / FILE_NAME).read_text().splitlines()])
    with pytest.raises(StoreError, match="as their subject was changed since"):
        api.verify(folder)
    with pytest.raises(UsageError, match="nothing would be checked"):
        api.verify(frozen, sample=0)
