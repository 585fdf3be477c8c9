"""No output of a run has an absolute path: neither of its folder nor of the user's home."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.own_subject import write_subject

from harness import api
from harness.command_line.main import main
from harness.errors import FailedTrialsError
from harness.runs.frozen_run import freeze

IMPL = """
class Cell:
    def __init__(self, start):
        self.value = start

    def put(self, value):
        self.value = value + 1
"""
SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Cell")
    s.constructor(range(scope))
    s.method("put", range(scope))
    s.length(2)
    return s
"""
GENERATOR = """
def broken(scope, seed, options):
    raise ValueError(__file__)
"""
TESTS = """
import cell

def test_put():
    assert cell.Cell(1).put(1) is None, cell.__file__
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    folder = tmp_path / "home" / "work"
    write_subject(folder / "cell", IMPL, SPEC)
    for name, text in (("own.py", GENERATOR), ("cell.py", IMPL), ("test_cell.py", TESTS)):
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    return folder


def of_subjects(folder: Path) -> api.Experiment:
    return api.subject_experiment([str(folder / "cell")], ["beapi", f"{folder}/own.py:broken"], [1])


def of_suite(folder: Path) -> api.Experiment:
    return api.pytest_experiment("cell", [str(folder / "test_cell.py")])


def outputs(run: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, str]]:
    commands = [["tables", "--format", kind] for kind in ("md", "csv", "latex", "html")]
    commands += [
        ["tables", "--json"],
        ["survivors"],
        ["survivors", "--json"],
        ["report"],
        ["figures", "--out", "drawn"],
    ]
    for name, *options in commands:
        main([name, str(run), *options])
        yield " ".join([name, *options]), capsys.readouterr().out
    freeze(api.load(run), "frozen")
    for path in (path for folder in (run, Path("drawn"), Path("frozen")) for path in folder.rglob("*")):
        if path.suffix in {".html", ".json", ".csv", ".svg"}:
            yield str(path), path.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("experiment", [of_subjects, of_suite])
def test_no_output_names_the_folder_of_the_run_or_the_home(experiment, project, monkeypatch, capsys):
    run = Path("results/one")
    monkeypatch.setattr("sys.argv", ["mutascope", "run", "--subject", str(project / "cell"), "--out", str(project)])
    try:
        api.run(experiment(project), run, jobs=1)
    except FailedTrialsError:
        assert "own.py:3: ValueError: own.py" in api.load(run).frames.failures["reason"].item()
    seen = dict(outputs(run, capsys))
    assert len(seen) > 15
    assert {name for name, text in seen.items() if str(project) in text or str(project.parent) in text} == set()
