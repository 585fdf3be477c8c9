"""Several suites on one target, and what `verify` says once files of the project are others."""

from dataclasses import replace
from pathlib import Path

import pytest
from support import counter
from support.own_project import own_project
from support.own_runs import verified
from support.own_subject import standing_beside

from harness import api
from harness.analysis.run_summary import suite_warnings, summary_rows
from harness.errors import StoreError
from harness.model.experiment import Experiment
from harness.runner.experiment import load_experiment
from harness.runner.run import run_experiment
from harness.runs.frozen_run import freeze

CORE = """\
from pathlib import Path


def larger(value, other):
    with Path("app.log").open("a") as log:
        log.write("asked")
    return value if value > other else other
"""
WEAK = "from till.core import larger\n\n\ndef test_weak():\n    assert larger(2, 2) == 2\n"
STRONG = (
    "from till.core import larger\n\n\ndef test_strong():\n    limit = int(open('limit.txt').read())\n"
    "    assert larger(limit, 2) == larger(2, limit) == 3\n"
)
MORE_CORE = "def more(value):\n    return value + 1\n"
MORE = "from till.core import more\n\n\ndef test_more():\n    assert more(1) == 2\n"
TABLE = '[[suites]]\ntarget = "till.core"\nruns = 1\nfolder = "own"\n'
EXPERIMENT = f'{TABLE}tests = ["tests/test_weak.py"]\n{TABLE}name = "all"\ntests = ["tests"]\n'


def experiment(folder: Path, text: str = EXPERIMENT) -> Experiment:
    path = folder / "several.toml"
    path.write_text(text)
    return load_experiment(str(path))


@pytest.fixture
def project(tmp_path):
    folder = own_project(tmp_path / "own", core=CORE, tests="")
    (folder / "tests" / "test_core.py").unlink()
    (folder / "tests" / "test_weak.py").write_text(WEAK)
    (folder / "tests" / "test_strong.py").write_text(STRONG)
    (folder / "limit.txt").write_text("3")
    return folder


@pytest.mark.slow
def test_both_suites_of_a_target_are_told(tmp_path, project):
    out = tmp_path / "out"
    run_experiment(experiment(tmp_path), out, 1)
    rows = {row["suite"]: row for row in summary_rows(out)}
    assert {name: row["inputs"] for name, row in rows.items()} == {"tests/test_weak.py": 1, "all": 2}
    assert rows["tests/test_weak.py"]["killed"] < rows["all"]["killed"]
    assert len({row["mutant_set"] for row in rows.values()}) == 1
    assert suite_warnings(out) == []


@pytest.mark.slow
def test_verdicts_on_inputs_and_on_tests_are_verified_in_one_sample(tmp_path):
    folder = own_project(tmp_path / "own", core=MORE_CORE, tests=MORE)
    of_tests = api.pytest_experiment("till.core", ["tests"], folder=folder, original_runs=1)
    with standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC):
        of_inputs = api.subject_experiment("counter", "korat", [1])
        out = api.run(replace(of_inputs, suites=of_tests.suites), tmp_path / "out", jobs=1)
        of_each = [row["counted"] for row in summary_rows(out)]
        assert all(of_each)
        assert verified(out, None, 0, 2) == (sum(of_each), [])
        assert verified(out, 3, 0, 1) == (3, [])


@pytest.mark.slow
def test_files_that_nothing_reads_do_not_hinder_verify_and_those_that_are_read_are_named(tmp_path, project):
    out = tmp_path / "out"
    (project / "notes.md").write_text("before")
    run_experiment(experiment(tmp_path, f'{TABLE}tests = ["tests"]\n'), out, 1)
    (project / ".cache").mkdir()
    for name in ("app.log", ".cache/store.bin", "notes.md"):  # the target writes the first of them
        (project / name).write_text("new")
    assert verified(out, 1, 0, 1) == (1, [])
    (project / "limit.txt").write_text("4")
    with pytest.raises(StoreError, match=r"own/limit\.txt was changed since"):
        verified(out, 1, 0, 1)
    (project / "limit.txt").unlink()
    with pytest.raises(StoreError, match=r"own/limit\.txt was removed since"):
        verified(out, 1, 0, 1)
    (project / "limit.txt").write_text("3")
    (project / "conftest.py").write_text("")
    with pytest.raises(StoreError, match=r"own/conftest\.py was added since"):
        verified(out, 1, 0, 1)


@pytest.mark.slow
def test_a_suite_of_the_same_tests_has_a_row_of_its_own_if_it_has_a_name(tmp_path, project):
    out, again = tmp_path / "out", f'{TABLE}tests = ["./tests/test_weak.py"]\n'
    run_experiment(
        experiment(tmp_path, f'{TABLE}tests = ["tests/test_weak.py"]\n{again}{again}name = "weak"\n'), out, 1
    )
    assert [row["suite"] for row in summary_rows(out)] == ["tests/test_weak.py", "weak"]


@pytest.mark.slow
def test_freezing_an_experiment_keeps_its_suites_by_their_names(tmp_path, project):
    out = tmp_path / "out"
    run_experiment(experiment(tmp_path, f'{TABLE}tests = ["tests/test_weak.py"]\n'), out, 1)
    run_experiment(api.pytest_experiment("till.core", ["tests"], folder=project, original_runs=1), out, 1)
    freeze(api.load(out), tmp_path / "frozen", str(tmp_path / "several.toml"))
    assert list(api.load(tmp_path / "frozen").frames.trials["suite"]) == ["tests/test_weak.py"]
