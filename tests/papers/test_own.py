"""Published values stand beside a paper's own subjects only, whatever titles others have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd
import pytest

from harness import api, resources
from harness.analysis.frames import RunFrames
from harness.papers.beapi2023.given import SUBJECTS as SUBJECTS_BY_CALLS
from harness.papers.criteria_pruning2011.given import SUBJECTS as CASE_STUDIES
from harness.papers.exhaustive2003.given import LARGEST_SCOPES, SUBJECTS
from harness.papers.own import is_as_shipped, with_titles_apart
from harness.runner.subjects import load_subjects

FROZEN = resources.shipped("results/frozen") / "exhaustive2003"


@pytest.fixture(scope="module")
def frames() -> RunFrames:
    return api.load(FROZEN).frames


def changed(frames: RunFrames, benchmark: str, **columns: str) -> RunFrames:
    """The run as if it were of another subject of that title."""
    trials = frames.trials[frames.trials["title"] == benchmark].assign(**columns)
    return replace(frames, trials=trials)


def titles(frames: RunFrames) -> set[str]:
    return set(with_titles_apart(frames, SUBJECTS).trials["title"])


def test_the_papers_subjects_are_named_by_the_titles_of_its_benchmarks() -> None:
    assert SUBJECTS.keys() == LARGEST_SCOPES.keys()
    found = load_subjects(dict.fromkeys(SUBJECTS.values(), ()))
    assert {found[name].title: name for name in SUBJECTS.values()} == SUBJECTS


def test_the_papers_own_subjects_keep_their_titles(frames: RunFrames) -> None:
    assert titles(frames) == set(SUBJECTS)


def test_a_subject_of_ones_own_is_not_taken_for_a_benchmark(frames: RunFrames) -> None:
    assert titles(changed(frames, "LinkedList", subject="my_list")) == {"LinkedList (my_list)"}
    assert titles(changed(frames, "LinkedList", source_hash="of another text")) == {"LinkedList (linked_list)"}


def test_subjects_of_one_title_are_told_apart(frames: RunFrames) -> None:
    one = changed(frames, "HeapArray", title="Heap", subject="one").trials
    two = changed(frames, "HeapArray", title="Heap", subject="two").trials
    both = replace(frames, trials=pd.concat([one, two]))
    assert titles(both) == {"Heap (one)", "Heap (two)"}
    assert titles(replace(frames, trials=one)) == {"Heap"}


@pytest.mark.parametrize("of_paper", [SUBJECTS, SUBJECTS_BY_CALLS, CASE_STUDIES])
def test_every_subject_of_a_paper_is_known_as_it_ships(of_paper: Mapping[object, str]) -> None:
    found = load_subjects(dict.fromkeys(of_paper.values(), ()))
    assert [name for name, subject in found.items() if not is_as_shipped(name, subject.source_hash)] == []
    assert not any(is_as_shipped(name, "of another text") for name in found)


def test_what_does_not_ship_as_a_file_is_not_as_shipped() -> None:
    assert not is_as_shipped("my_list", "of my text")
    assert not is_as_shipped("heapq", load_subjects({"heapq": ()})["heapq"].source_hash)
