"""What symstra and css check of all that they write: an input that does otherwise than its path ends the generation."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sequence_suites import bounds_of, suite_of_text

from harness.errors import SpecError
from harness.generators.css.generator import CandidateSequenceSearch
from harness.generators.sequences.protocol import SequenceGenerator
from harness.generators.symbolic import formulas
from harness.generators.symstra.generator import Symstra

both = pytest.mark.parametrize("generator", [Symstra(), CandidateSequenceSearch()], ids=["symstra", "css"])


@both
def test_an_input_that_takes_another_path_than_predicted_ends_the_generation(
    generator: SequenceGenerator, tmp_path: Path
) -> None:
    text = (
        "CALLS = []\n"
        "class Fickle:\n"
        "    def ask(self, value):\n"
        "        CALLS.append(1)\n"
        "        return value > 3 if len(CALLS) % 2 else value < 3\n"
    )
    with pytest.raises(SpecError, match=r"ask\(.*takes another path than the one that it was solved for") as error:
        suite_of_text(tmp_path, generator, text, bounds_of("Fickle", ask=(range(9),)))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "suite").exists()


@both
@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("if type(value) is not int:\n            raise TypeError", "raises nothing on plain integers, not TypeError"),
        ("self.kind = type(value) is int", "another state on plain integers"),
    ],
    ids=["raises", "state"],
)
def test_an_input_that_ends_otherwise_on_plain_integers_ends_the_generation(
    generator: SequenceGenerator, does: str, told: str, tmp_path: Path
) -> None:
    text = f"class Typed:\n    def ask(self, value):\n        {does}\n"
    with pytest.raises(SpecError, match=told):
        suite_of_text(tmp_path, generator, text, bounds_of("Typed", ask=(range(9),)))


@both
def test_paths_that_the_solver_gives_up_are_told(
    generator: SequenceGenerator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formulas, "is_installed", lambda: False)
    text = "class Odd:\n    def ask(self, one, other):\n        return one + other > 7\n"
    suite, notices = suite_of_text(tmp_path, generator, text, bounds_of("Odd", ask=(range(9), range(9))), scope=1)
    assert notices == ["program.py: z3 is missing (mutascope[symbolic]), so paths were given up: 2"]
    assert len(suite) == 1
