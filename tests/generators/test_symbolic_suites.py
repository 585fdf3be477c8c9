"""Symstra and css check all their inputs: one that behaves otherwise than its path ends the generation."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest
from support.sequence_suites import bounds_of, suite_of_text

from harness.errors import SpecError
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.symstra.generator import Symstra
from harness.generators.sequences.protocol import SequenceGenerator

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


@pytest.mark.parametrize(
    ("generator", "does", "message"),
    [
        (Symstra(), "if len(CALLS) % 2:\n            raise ValueError", "takes another path than the one that it was"),
        (CandidateSequenceSearch(), "if len(CALLS) % 2:\n            raise ValueError", "takes another path when it"),
        (CandidateSequenceSearch(), "self.kind = len(CALLS) % 2", "leads to another state on plain integers"),
        (CandidateSequenceSearch(), "return len(CALLS) % 2", "returns 1 on plain integers"),
    ],
    ids=["symstra-raises", "css-raises", "css-state", "css-result"],
)
def test_an_input_without_integers_that_does_otherwise_when_it_is_carried_out_again_ends_the_generation(
    generator: SequenceGenerator, does: str, message: str, tmp_path: Path
) -> None:
    text = f"CALLS = []\nclass Fickle:\n    def ask(self):\n        CALLS.append(1)\n        {does}\n"
    with pytest.raises(SpecError, match=message):
        suite_of_text(tmp_path, generator, text, bounds_of("Fickle", ask=()))
    assert not (tmp_path / "suite").exists()


@both
def test_the_version_of_the_suites_hangs_on_that_of_z3(
    generator: SequenceGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert generator.version == f"2 with z3 {metadata.version('z3-solver')}"
    monkeypatch.setitem(sys.modules, "z3", None)
    assert generator.version == "2 without z3"


@both
def test_paths_that_the_solver_gives_up_are_told(
    generator: SequenceGenerator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "z3", None)
    text = "class Odd:\n    def ask(self, one, other):\n        return one + other > 7\n"
    suite, notices = suite_of_text(tmp_path, generator, text, bounds_of("Odd", ask=(range(9), range(9))), scope=1)
    assert notices == ["program.py: z3 is missing (mutascope[symbolic]), so paths were given up: 2"]
    assert len(suite) == 1
