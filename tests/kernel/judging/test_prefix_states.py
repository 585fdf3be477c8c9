"""States before last calls are made out of the program's sight, and are the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sequence_bench import SequenceBench

from harness.errors import BaselineError
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.oracle import RETURNED_NONE
from harness.model.sequence import SequencePolicy

SOURCE = """
class Log:
    written = []

    def __init__(self):
        RESET
        self.written = Log.written

    def write(self):
        self.written.append(1)

    def size(self):
        return len(self.written)

    def leave(self):
        self.written.append(2)
        raise SystemExit
"""
SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Log")
    s.method("write")
    s.method("size")
    s.method("leave")
    return s
"""
NEW, WRITE, SIZE, LEAVE = Call(0, ()), Call(1, (0,)), Call(2, (0,)), Call(3, (0,))


def outcomes(folder: Path, sequences: list[list[Call]], reset: str = "Log.written.clear()") -> list[bytes]:
    """Return the outcomes of the original's last call in each sequence."""
    bench = SequenceBench(folder, SOURCE.replace("RESET", reset), SPEC, sequences, SequencePolicy.SNAPSHOT)
    return [bench.baseline.values[number] for number in bench.baseline.outcomes]


def test_what_last_calls_do_to_a_list_of_a_class_is_not_seen_by_the_prefixes(tmp_path: Path) -> None:
    sequences = [[NEW, WRITE, SIZE], [NEW, WRITE, WRITE], [NEW, WRITE, WRITE, SIZE]]
    first, second, third = outcomes(tmp_path, sequences)
    separate = [outcomes(tmp_path / str(number), [one])[0] for number, one in enumerate(sequences)]
    assert [first, second, third] == separate
    assert second == RETURNED_NONE
    assert len({first, third}) == 2


def test_a_prefix_may_leave_the_program(tmp_path: Path) -> None:
    left, after_write = outcomes(tmp_path, [[NEW, LEAVE, SIZE], [NEW, WRITE, SIZE]])
    assert left == after_write


def test_a_state_that_outlives_its_sequence_is_refused(tmp_path: Path) -> None:
    sequences = [[NEW, WRITE, SIZE], [NEW, SIZE], [NEW, WRITE, WRITE, SIZE]]
    with pytest.raises(BaselineError, match=r"^input 1, .*the program keeps a state between sequences") as raised:
        outcomes(tmp_path, sequences, reset="pass")
    assert "\n" not in str(raised.value)
