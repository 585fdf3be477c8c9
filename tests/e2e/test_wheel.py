"""Installed from a wheel, outside the repository, everything works, and outputs go to the folder one stands in."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.documents import run_document

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The bin folder of a fresh environment with nothing but the wheel and what it depends on."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = built(folder, "--wheel")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    pip = [folder / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet", f"{wheel}", "pytest"]
    subprocess.run(pip, check=True, capture_output=True)
    return folder / "venv" / "bin"


def built(folder: Path, *options: str) -> Path:
    """Build the wheel in an environment of its own, and return its path."""
    build = [sys.executable, "-m", "build", *options, "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_the_source_distribution_builds_the_same_wheel(installed, tmp_path):
    directly = next(installed.parent.parent.glob("*.whl"))
    assert built(tmp_path).read_bytes() == directly.read_bytes()  # by way of an sdist


def test_what_is_installed_fits_together(installed):
    checked = subprocess.run([installed / "python", "-m", "pip", "check"], capture_output=True, encoding="utf-8")
    assert checked.returncode == 0, checked.stdout


def test_all_that_ships_is_there(installed, tmp_path):
    environment = outside(installed, tmp_path)

    def run(*arguments: str) -> str:
        done = subprocess.run(
            arguments, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", timeout=300
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    before = contents(installed)
    listing = json.loads(run("mutascope", "list", "--json"))
    assert {"search_tree", "heapq"} <= set(listing["subjects"])
    assert {"demo", "exhaustive2003"} <= set(listing["experiments"])
    assert json.loads(run("mutascope", "generate", "search_tree", "--scope", "3", "--json"))["inputs"] == 90
    pinned = ROOT / "mutants" / "search_tree" / "ferastrau"
    lines = {path.name: len(path.read_text().splitlines()) for path in pinned.glob("*.jsonl")}
    assert len(json.loads(run("mutascope", "mutate", "search_tree", "--json"))) == sum(lines.values())
    run("mutascope", "run", "--subject", "search_tree", "--scope", "1-2", "--out", "here")
    table = run("mutascope", "tables", "exhaustive2003", "--from", "here", "--table", "table4", "--format", "csv")
    assert "69.85" in table  # published for scope 2 (measured is another value): the printed values ship, too
    own = run("mutascope", "figures", "exhaustive2003").split()  # of the frozen run that ships
    assert all((tmp_path / name).is_file() for name in own)
    assert contents(installed) == before


def test_the_whole_tutorial_can_be_done_in_an_empty_folder(installed, tmp_path):
    before = contents(installed)
    commands = run_document("docs/tutorial.md", tmp_path, outside(installed, tmp_path))
    assert {command.split()[1] for command in commands if command.startswith("mutascope ")} >= {
        "generate", "mutate", "run", "tables", "figures", "report", "verify", "suite",
    }  # fmt: skip
    assert contents(installed) == before


def outside(installed: Path, folder: Path) -> dict[str, str]:
    """Return the environment variables of a user who has nothing but the wheel."""
    return {
        "PATH": f"{installed}{os.pathsep}{os.defpath}",
        "HOME": str(folder / "home"),
        "MUTASCOPE_CACHE": str(folder / "cache"),
        "COLUMNS": "120",
    }


def contents(installed: Path) -> dict[Path, int]:
    """Return the installed files, and the times when they were last changed."""
    files = (path for path in installed.parent.rglob("*") if "__pycache__" not in path.parts and path.is_file())
    return {path: path.stat().st_mtime_ns for path in files}
