"""Mutants are killed by results and exceptions of calls and observers, and by nothing else; both paths agree."""

from pathlib import Path

import pytest
from support.sequence_bench import SequenceBench, reasons

from harness.errors import BaselineError, SpecError
from harness.kernel.inputs.suites import Call
from harness.model.outcome import OracleName

TALLY = """
class Tally:
    def __init__(self):
        self.marks = []

    def mark(self, value):
        self.marks.append(value)

    def undo(self):
        if not self.marks:
            raise IndexError
        return self.marks.pop()

    def total(self):
        return sum(self.marks)
"""
SPEC = """
from harness.spec import SequenceScope

observers = ["total"]

def rep_ok(tally):
    return len(tally.marks) < 3

def abstraction(tally):
    return tuple(tally.marks)

def sequences(scope):
    s = SequenceScope("Tally")
    s.method("mark", range(scope))
    s.method("undo")
    s.method("total")
    return s
"""
NEW, MARK0, MARK1, UNDO, TOTAL = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,)), Call(3, (0,))
SEQUENCES = [(NEW, MARK1), (NEW, MARK1, UNDO), (NEW, UNDO), (NEW, MARK0, MARK1, TOTAL)]
LOST = TALLY.replace("self.marks.append(value)", "pass")
REVERSED = TALLY.replace("self.marks.append(value)", "self.marks.insert(0, value)")
BLIND = TALLY.replace("sum(self.marks)", "0")
OTHER_ERROR = TALLY.replace("raise IndexError", "raise KeyError")


def judged(folder: Path, mutant: str, oracle: OracleName) -> list[str | None]:
    """Return the reasons of the fast path, after checking that they equal those of the naive one."""
    bench = SequenceBench(folder, TALLY, SPEC, SEQUENCES, oracle=oracle)
    fast, naive = bench.fast(mutant), bench.naive(mutant)
    assert [(steps, kill and (kill.reason, kill.phase, kill.detail)) for steps, kill in fast] == naive
    return [reason and reason.split(":")[0] for reason in reasons(fast)]


THERE = [None, None, None, None]
RAISES = [None, None, "exception", None]


@pytest.mark.parametrize(
    ("mutant", "differential", "public", "observers"),
    [
        (
            LOST,
            ["state", "exception", None, "output"],
            [None, "exception", None, "output"],
            ["state", "exception", None, "output"],
        ),
        (REVERSED, [None, None, None, "state"], THERE, THERE),
        (BLIND, [None, None, None, "output"], [None, None, None, "output"], ["state", None, None, "output"]),
        (OTHER_ERROR, RAISES, RAISES, RAISES),
        (TALLY, THERE, THERE, THERE),
    ],
    ids=["lost", "reversed", "blind", "other-error", "original"],
)
@pytest.mark.parametrize("oracle", [OracleName.DIFFERENTIAL, OracleName.PUBLIC, OracleName.OBSERVERS])
def test_what_each_oracle_sees(tmp_path, oracle, mutant, differential, public, observers):
    expected = {
        OracleName.DIFFERENTIAL: differential, OracleName.PUBLIC: public, OracleName.OBSERVERS: observers
    }[oracle]  # fmt: skip
    assert judged(tmp_path, mutant, oracle) == expected


def test_no_state_has_to_satisfy_rep_ok(tmp_path):
    refusing = SPEC.replace("len(tally.marks) < 3", "False")
    with pytest.raises(BaselineError, match="rep_ok"):
        SequenceBench(tmp_path, TALLY, refusing, SEQUENCES)
    bench = SequenceBench(tmp_path / "public", TALLY, refusing, SEQUENCES, oracle=OracleName.PUBLIC)
    assert reasons(bench.fast(TALLY)) == [None] * len(SEQUENCES)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("[]", "there is no observer to ask"),
        ('["undo"]', "the observer 'undo' changes the object"),
        ('["size"]', "the observer 'size' is no method of Tally"),
        ('"total"', "not a list of names"),
    ],
)
def test_what_is_no_observer_is_refused(tmp_path, named, message):
    spec = SPEC.replace('["total"]', named)
    with pytest.raises(SpecError, match=message):
        SequenceBench(tmp_path, TALLY, spec, SEQUENCES, oracle=OracleName.OBSERVERS)
