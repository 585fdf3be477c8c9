"""Results are made again without the shortcuts that prove wrong."""

import pytest

from harness.generators.sequences.protocol import NotSymbolic
from harness.generators.shortcuts import Shortcuts, WrongShortcut, make_without_wrong_shortcuts
from harness.generators.states.native.untranslatable import LateDisagreement


def test_each_reason_takes_away_its_own_shortcut():
    reasons = [NotSymbolic([1, 2], "first"), LateDisagreement("C"), NotSymbolic([2, 3], "second")]
    left, dropped, runs = iter(reasons), [], []

    def make(shortcuts: Shortcuts) -> str:
        runs.append(shortcuts)
        for reason in left:
            raise reason
        return "made"

    assert make_without_wrong_shortcuts(make, dropped.append, Shortcuts()) == "made"
    assert dropped == reasons
    assert runs == [
        Shortcuts(),
        Shortcuts(concrete={1: "first", 2: "first"}),
        Shortcuts(concrete={1: "first", 2: "first"}, compiled=False),
        Shortcuts(concrete={1: "first", 2: "first", 3: "second"}, compiled=False),
    ]


def test_a_reason_that_takes_nothing_away_ends_the_runs():
    runs: list[Shortcuts] = []

    def make(shortcuts: Shortcuts) -> None:
        runs.append(shortcuts)
        raise LateDisagreement("kept")

    with pytest.raises(WrongShortcut, match="kept"):
        make_without_wrong_shortcuts(make, lambda reason: None, Shortcuts())
    assert len(runs) == 2
