"""The plugin of this suite that takes a sample of the slow tests."""

import subprocess
import sys
from pathlib import Path

from support.sampling import number_of

TESTS = Path(__file__).parents[1]
CONFTEST = 'pytest_plugins = ["support.sampling"]\n'
SETTINGS = f"[pytest]\npythonpath = {TESTS}\nmarkers = slow\n"


def test_a_sample_is_the_same_for_one_commit_and_another_for_the_next() -> None:
    names = [f"tests/test_a.py::test_{number}" for number in range(2000)]
    of_one, again, of_next = ([name for name in names if number_of(name, c) % 20 == 0] for c in ("ab", "ab", "cd"))
    assert of_one == again != of_next
    assert 60 < len(of_one) < 140


def test_slow_tests_are_sampled_and_all_others_run(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    text = "import pytest\n\n" + "".join(
        f"def test_cheap_{number}(): pass\n\n@pytest.mark.slow\ndef test_expensive_{number}(): pass\n\n"
        for number in range(40)
    )
    (tmp_path / "test_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "test_it.py"]
    printed = [
        subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for options in ((), ("--sample", "1000000"))
    ]
    assert "80 passed" in printed[0]
    assert printed[0].index("test_expensive_39 ") < printed[0].index("test_cheap_0 ")
    assert "40 passed, 40 deselected" in printed[1]
    assert "One in 1000000 of the tests marked slow was run" in printed[1]
