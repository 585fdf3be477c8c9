"""The plugin of this suite that takes a sample of the expensive tests."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.order import EXPENSIVE
from support.sampling import number_of

TESTS = Path(__file__).parents[1]
CONFTEST = 'pytest_plugins = ["support.order", "support.sampling"]\n'
MARKS = "".join(f"    {mark}\n" for mark in (*EXPENSIVE, "slow"))
SETTINGS = f"[pytest]\npythonpath = {TESTS}\nmarkers =\n{MARKS}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    return tmp_path


def run(project: Path, text: str, *options: str) -> tuple[int, str]:
    """Run pytest in the project on a file of tests; return its exit status and what it printed."""
    (project / "test_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_it.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_sample_is_the_same_for_one_commit_and_another_for_the_next() -> None:
    names = [f"tests/test_a.py::test_{number}" for number in range(2000)]
    of_one, again, of_next = ([name for name in names if number_of(name, c) % 20 == 0] for c in ("ab", "ab", "cd"))
    assert of_one == again != of_next
    assert 60 < len(of_one) < 140


@pytest.mark.end_to_end
def test_expensive_tests_are_sampled_and_all_others_run(project: Path) -> None:
    text = "import pytest\n\n" + "".join(
        f"@pytest.mark.sweep\ndef test_expensive_{number}(): pass\n\ndef test_cheap_{number}(): pass\n\n"
        for number in range(40)
    )
    status, printed = run(project, text, "--sample", "sweep=1000000", "--sample", "slow=2", "-v")
    assert status == 0
    assert "40 passed, 40 deselected" in printed
    assert "test_expensive_1 " not in printed
    assert "test_cheap_1 " in printed
    assert "one in 1000000 of the tests marked sweep, one in 2 of the tests marked slow." in printed
