"""Results of the fast path are compared with a second execution, while they can be mended and afterwards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support import naive_sequences
from support.exploring import explored
from support.sequence_suites import generated_sequences, task_of_text

from harness.errors import SpecError
from harness.generators.sequences import exploration
from harness.generators.sequences.builders import find_builders
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.namespaces import Namespaces
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.generators.sequences.witness import AGAIN, Contradicted
from harness.model.sampled import Sample
from harness.model.sequence import SequenceScope

MISSING = """
class Nothing: pass
_MISSING = Nothing()
class Root:
    def __init__(self): self.v = 0
    def a(self, x):
        if self.v is _MISSING: self.v = 8
        elif self.v == 5: self.v = _MISSING
        elif type(self.v) is int and self.v < 5: self.v += 1
    def b(self, x):
        if self.v is not _MISSING: self.v = self.v
        if type(self.v) is Nothing and self.v is not _MISSING: raise TypeError
"""
KEEPING = """
class Node: pass
class Root:
    kept = {}
    def __init__(self): self.n, self.node = 0, Node()
    def a(self, x):
        self.n = min(self.n + 1, 6)
        if self.n == 4: self.node = self.kept.setdefault(0, self.node)
    def b(self, x):
        if self.n > 4 and self.node is not self.kept.get(0): self.n = -1
"""


def _task(text: str, routines: str = "ab") -> tuple[SequenceTask, list[str]]:
    bounds = SequenceScope("Root")
    for name in routines:
        bounds.method(name, 0)
    bounds.objects(3)
    notices: list[str] = []
    return replace(task_of_text(text, bounds), notice=notices.append), notices


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast path does not see which objects stand in namespaces."""

    def walk(self: Namespaces) -> list[object]:
        return []

    monkeypatch.setattr(Namespaces, "_walk", walk)


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize(("routines", "how"), [("a", "leads to another structure"), ("ab", "raises another exception")])
def test_a_wrong_fast_path_is_left_at_once_and_said_to_be_wrong(routines: str, how: str) -> None:
    task, notices = _task(MISSING, routines)
    assert explored(task, Policy()) == explored(task, Policy(restores=False))
    assert len(notices) == 1
    assert "executed from its start from there on" in notices[0]
    assert how in notices[0]


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only each fourth structure has a witness."""
    monkeypatch.setattr(exploration, "SEQUENCE_SAMPLE", Sample(first=0, every=4))


@pytest.mark.usefixtures("blind", "late")
def test_a_failure_is_never_reported_without_a_witness() -> None:
    task, _ = _task(MISSING.replace("self.v = 0", "self.v = _MISSING"), "b")
    with pytest.raises(Contradicted, match="raises another exception"):
        explored(task, Policy())
    task, _ = _task(MISSING.replace("self.v = 0", "self.v = Nothing()"), "b")
    with pytest.raises(SpecError, match=r"a failure: .* raised TypeError"):
        explored(task, Policy())


@pytest.mark.usefixtures("blind", "late")
def test_what_a_wrong_fast_path_has_found_is_thrown_away_when_it_is_seen_late(tmp_path: Path) -> None:
    task, notices = _task(MISSING + "        if self.v == 8: self.v = 9\n")
    with pytest.raises(Contradicted):
        list(SequenceExploration(task, Policy()))
    right = naive_sequences.explore(task.module, task.bounds)
    spec = (
        'from harness.spec import SequenceScope\ndef sequences(scope):\n    s = SequenceScope("Root")\n    '
        's.method("a", 0)\n    s.method("b", 0)\n    s.objects(3)\n    return s\n'
    )
    header = generated_sequences(tmp_path, "beapi", spec, "", module=task.module, notice=notices.append).header
    assert header.distinct == header.states == len(right.structures)
    assert [AGAIN in line for line in notices] == [True]
    assert find_builders("missing", task).structures_by_all == len(right.structures)
    assert [AGAIN in line for line in notices] == [True, True]


def test_an_object_that_calls_put_into_a_class_is_not_copied() -> None:
    task, notices = _task(KEEPING)
    fast = explored(task, Policy())
    again, _ = _task(KEEPING)
    assert fast[:3] == explored(again, Policy(restores=False))[:3]
    assert fast[3] is ReplayExecutor
    assert "a Node that a call has made is kept" in notices[0]


@pytest.mark.usefixtures("late")
def test_an_object_that_calls_put_into_a_class_is_seen_at_the_end() -> None:
    task, _ = _task(KEEPING.replace("self.n == 4", "self.n == 6"), "a")
    with pytest.raises(Contradicted, match="a Node that a call has made is kept"):
        list(SequenceExploration(task, Policy()))


@pytest.mark.usefixtures("late")
def test_a_right_fast_path_stays_in_use() -> None:
    task, notices = _task(
        KEEPING.replace("self.kept.setdefault(0, self.node)", "Node()").replace("is not self", "is self")
    )
    assert explored(task, Policy())[3] is SnapshotExecutor
    assert notices == []
