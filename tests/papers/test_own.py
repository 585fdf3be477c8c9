"""Papers are found by their names, and published values stand beside a paper's own subjects only."""

import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import pandas as pd
import pytest

from harness import api, resources
from harness.analysis.frames import RunFrames
from harness.errors import UsageError
from harness.papers import PAPERS, beapi2023, criteria_pruning2011, paper
from harness.papers.exhaustive2003.run import LARGEST_SCOPES, SUBJECTS
from harness.papers.suites import are_as_shipped, shipped_subject, with_titles_apart
from harness.runner.subjects import load_subjects

FROZEN = resources.shipped("results/frozen") / "exhaustive2003"


@pytest.fixture(scope="module")
def frames():
    return api.load(FROZEN).frames


def changed(frames: RunFrames, benchmark: str, **columns: str) -> RunFrames:
    """The run as if it were of another subject of that title."""
    trials = frames.trials[frames.trials["title"] == benchmark].assign(**columns)
    return replace(frames, trials=trials)


def titles(frames: RunFrames) -> set[str]:
    return set(with_titles_apart(frames, SUBJECTS).trials["title"])


def test_the_papers_subjects_are_named_by_the_titles_of_its_benchmarks():
    assert SUBJECTS.keys() == LARGEST_SCOPES.keys()
    subjects = load_subjects(dict.fromkeys(SUBJECTS.values(), ()))
    assert {subjects[name].title: name for name in SUBJECTS.values()} == SUBJECTS


def test_the_papers_own_subjects_keep_their_titles(frames):
    assert titles(frames) == set(SUBJECTS)


def test_a_subject_of_ones_own_is_not_taken_for_a_benchmark(frames):
    assert titles(changed(frames, "LinkedList", subject="my_list")) == {"LinkedList (my_list)"}
    assert titles(changed(frames, "LinkedList", source_hash="of another text")) == {"LinkedList (linked_list)"}


def test_a_subject_with_another_spec_is_not_the_papers_own(frames):
    whole = {name: subject.content_hash for name, subject in load_subjects({"linked_list": ()}).items()}["linked_list"]
    trials = changed(frames, "LinkedList").trials
    assert trials["subject_hash"].isna().all()
    assert all(are_as_shipped(trials))
    assert all(are_as_shipped(trials.assign(subject_hash=whole)))
    assert not any(are_as_shipped(trials.assign(subject_hash="of another spec")))
    assert titles(changed(frames, "LinkedList", subject_hash="of another spec")) == {"LinkedList (linked_list)"}


def test_read_alone_the_papers_subjects_are_what_they_are_executed():
    named = {*SUBJECTS.values(), *criteria_pruning2011.run.SUBJECTS.values(), *beapi2023.run.SUBJECTS.values()}
    read = {name: subject.content_hash for name in sorted(named) if (subject := shipped_subject(name)) is not None}
    assert read == {name: subject.content_hash for name, subject in load_subjects(dict.fromkeys(read, ())).items()}
    assert read.keys() == named


def test_subjects_of_one_title_are_told_apart(frames):
    one = changed(frames, "HeapArray", title="Heap", subject="one").trials
    two = changed(frames, "HeapArray", title="Heap", subject="two").trials
    both = replace(frames, trials=pd.concat([one, two]))
    assert titles(both) == {"Heap (one)", "Heap (two)"}
    assert titles(replace(frames, trials=one)) == {"Heap"}


def test_what_does_not_ship_as_a_file_is_not_as_shipped():
    assert shipped_subject("my_list") is None
    assert shipped_subject("heapq") is None


IMPORTING = """
import sys
from harness import papers
papers.paper("exhaustive2003") if len(sys.argv) > 1 else papers.PAPERS
print("pandas" in sys.modules, "matplotlib" in sys.modules)
"""


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_is_the_package_of_its_name(name):
    assert paper(name) is import_module(f"harness.papers.{name}")
    assert name == paper(name).NAME


def test_an_unknown_paper_is_refused_with_the_names_of_those_that_there_are():
    with pytest.raises(UsageError, match=f"no paper 'korat2002'; there are {', '.join(sorted(PAPERS))}"):
        paper("korat2002")


@pytest.mark.slow
def test_naming_the_papers_imports_neither_pandas_nor_matplotlib():
    def output(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", IMPORTING, *words], encoding="utf-8", capture_output=True
        ).stdout.strip()

    assert output() == "False False"
    assert output("one of them") == "True True"
