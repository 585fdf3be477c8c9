"""A comparison starts again when the fast path of the exploration turns out to be wrong."""

from __future__ import annotations

from typing import Any

import pytest
from support.sequence_suites import loaded

from harness.difference.comparing import ApiComparison
from harness.difference.requests import DifferenceRequest
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.generators.sequences.witness import Contradicted, ReplayComparison
from harness.runner.subjects import load_subject


def test_what_a_wrong_fast_path_has_made_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def contradicts(self: ReplayComparison) -> None:
        if paths[-1] is SnapshotExecutor and len(paths) > 1:
            raise Contradicted("a node is kept")

    paths: list[Any] = []
    begun = SequenceExploration.__init__

    def begin(self: SequenceExploration, *arguments: Any) -> None:
        begun(self, *arguments)
        paths.append(type(self.path))
        self._extended_often = 32

    spec, module = loaded("search_tree")
    subject = load_subject("search_tree")
    request = DifferenceRequest.of(subject, 2, subject=subject.name)
    expected = ApiComparison(spec, module, request).run()
    paths.append(object)
    monkeypatch.setattr(SequenceExploration, "__init__", begin)
    monkeypatch.setattr(ReplayComparison, "look_around", contradicts)
    assert ApiComparison(spec, module, request).run() == expected
    assert paths == [object, SnapshotExecutor, ReplayExecutor]
