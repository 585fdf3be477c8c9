"""Rostra makes a test of each call on each state that it extends, and ends by the length of sequences."""

from pathlib import Path

from support.sequence_suites import suite_of, task_of_text

from harness.generators.policies.rostra import Rostra
from harness.kernel.inputs.suite_header import InputKind, SuiteHeader
from harness.kernel.inputs.suites import SuiteReader, SuiteWriter
from harness.model.sequence import SequenceScope


def test_each_state_below_the_length_is_tested_with_each_call(tmp_path: Path) -> None:
    suite = suite_of(tmp_path / "suite", "rostra", "search_tree", 2)
    assert suite.header.states == 5
    tested = [suite.sequence(number) for number in range(len(suite))]
    assert max(map(len, tested)) == 3
    assert len(tested) == 1 + 3 * 4
    assert suite.header.explored == 3 + 3 * 4


def test_calls_that_raise_are_tests(tmp_path: Path) -> None:
    text = "class Box:\n    def open(self, value):\n        raise TypeError(value)\n"
    bounds = SequenceScope("Box")
    bounds.method("open", range(2))
    header = SuiteHeader("box", "", "rostra", "1", 2, 0, 2, 4, ["Box", "open"], InputKind.SEQUENCES.value)
    with SuiteWriter(tmp_path / "suite", header) as writer:
        Rostra().explore(task_of_text(text, bounds)).write(writer)
        writer.close()
    assert SuiteReader(tmp_path / "suite").header.inputs_by_target == {"Box": 1, "open": 2}
