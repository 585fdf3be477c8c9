"""The condition outcomes of the subjects of jtestcraft2010 that are reached once more calls reach no more of them."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import saturation
from benchmarks.never_reached import argued, cannot_be
from benchmarks.saturation import AT_MOST, Suite, made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "calls"),
    [
        ("IntStack", 6),
        ("UBStack", 6),
        ("BinSearchTree", 6),
        ("BinomialHeap", 14),
        ("LinkedList", 4),
        ("TreeMap", 7),
        ("HeapArray", 7),
    ],
)
def test_symstra_reaches_all_that_is_not_argued_to_be_out_of_reach(title: str, calls: int) -> None:
    suite = made(title, "symstra", calls)
    reached, outcomes = AT_MOST[title]
    assert suite.reached == reached
    assert suite.missed == cannot_be(title)
    assert suite.missed.total() == outcomes - reached


@pytest.mark.slow
def test_one_call_less_does_not_reach_the_outcome_that_takes_thirteen_nodes() -> None:
    suite = made("BinomialHeap", "symstra", 13)
    assert suite.missed - cannot_be("BinomialHeap") == Counter(["BinomialHeap._merge: previous is None is False"])


@pytest.mark.parametrize("title", AT_MOST)
def test_each_outcome_out_of_reach_has_one_argument(title: str) -> None:
    reached, outcomes = AT_MOST[title]
    assert cannot_be(title).total() == outcomes - reached
    texts = [set(one.outcomes) for one in argued(title)]
    assert sum(map(len, texts)) == len(set().union(*texts))
    assert all(one.argument for one in argued(title))


def test_an_outcome_that_nobody_reaches_and_nobody_argues_ends_the_measurement(monkeypatch) -> None:
    unknown = Counter(["IntStack.push: True is False"])

    def one_missing(title: str, generator: str, calls: int) -> Suite:
        return Suite(generator, calls, 20_000, 0.0, 8, unknown)

    monkeypatch.setattr(saturation, "made", one_missing)
    with pytest.raises(SystemExit, match="IntStack: never reached and not argued"):
        list(saturation.page(["symstra"]))
