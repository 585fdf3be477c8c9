"""Symstra and css check all their inputs: one that behaves otherwise than its path ends the generation."""

import sys
from importlib import metadata

import pytest
from support.sequence_suites import bounds_of, suite_of_text

from harness.errors import SpecError
from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.symstra.generator import Symstra

both = pytest.mark.parametrize("generator", [Symstra(), CandidateSequenceSearch()], ids=["symstra", "css"])


OTHER_PATH = "takes another path than the one that it was solved for"


@pytest.mark.parametrize(
    ("generator", "returns", "message"),
    [
        (Symstra(), "value > 3 if next(CALLS) % 3 else value < 3", OTHER_PATH),
        (CandidateSequenceSearch(), "value > 3 if next(CALLS) % 3 else value < 3", OTHER_PATH),
        (CandidateSequenceSearch(), "next(CALLS) == 0 and value > 3", "ends before the path that it was solved for"),
    ],
    ids=["symstra", "css", "css-less"],
)
def test_an_input_that_takes_another_path_than_predicted_ends_the_generation(generator, returns, message, tmp_path):
    text = f"CALLS = iter(range(1_000_000))\nclass Fickle:\n    def ask(self, value):\n        return {returns}\n"
    with pytest.raises(SpecError, match=rf"ask\(.*{message}") as error:
        suite_of_text(tmp_path, generator, text, bounds_of("Fickle", ask=(range(9),)))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "suite").exists()


@pytest.mark.parametrize(
    ("generator", "does", "message"),
    [
        (Symstra(), "if next(CALLS) % 2:\n            raise ValueError", "takes another path than the one that it was"),
        (CandidateSequenceSearch(), "if next(CALLS) > 1:\n            raise ValueError", "takes another path when it"),
        (CandidateSequenceSearch(), "self.kind = next(CALLS) % 2", "leads to another state on plain integers"),
        (CandidateSequenceSearch(), "return next(CALLS) % 2", "returns 0 on plain integers"),
        (CandidateSequenceSearch(), "return sys._getframe(1).f_code.co_name", "returns 'carried_out' on plain"),
    ],
    ids=["symstra-raises", "css-raises", "css-state", "css-result", "css-frame"],
)
def test_an_input_without_integers_that_does_otherwise_when_it_is_carried_out_again_ends_the_generation(
    generator, does, message, tmp_path
):
    text = f"import sys\nCALLS = iter(range(1_000_000))\nclass Fickle:\n    def ask(self):\n        {does}\n"
    with pytest.raises(SpecError, match=message):
        suite_of_text(tmp_path, generator, text, bounds_of("Fickle", ask=()))
    assert not (tmp_path / "suite").exists()


@both
@pytest.mark.parametrize(
    ("does", "lengths"),
    [("if len(CALLS) % 2:\n            raise ValueError", [1, 2]), ("self.kind = len(CALLS) % 2", [1, 2, 3])],
    ids=["raises", "state"],
)
def test_a_list_of_the_module_is_put_back_before_each_execution(generator, does, lengths, tmp_path):
    text = f"CALLS = []\nclass Steady:\n    def ask(self):\n        CALLS.append(1)\n        {does}\n"
    suite, _ = suite_of_text(tmp_path, generator, text, bounds_of("Steady", ask=()))
    assert [len(suite.sequence(number)) for number in range(len(suite))] == lengths


@both
def test_the_version_of_the_suites_hangs_on_that_of_z3(generator, monkeypatch):
    assert generator.version == f"2 with z3 {metadata.version('z3-solver')}"
    monkeypatch.setitem(sys.modules, "z3", None)
    assert generator.version == "2 without z3"


@both
def test_paths_that_the_solver_gives_up_are_told(generator, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    text = "class Odd:\n    def ask(self, one, other):\n        return one + other > 7\n"
    suite, notices = suite_of_text(tmp_path, generator, text, bounds_of("Odd", ask=(range(9), range(9))), scope=1)
    assert notices == ["program.py: z3 is missing (mutascope[symbolic]), so paths were given up: 2"]
    assert len(suite) == 1
