"""Benches on which both paths judge mutants."""

import pytest
from support import pile
from support.both_paths import Bench
from support.own_subject import standing_beside
from support.subjects import load_subject

from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite


@pytest.fixture(scope="module")
def beside_pile(tmp_path_factory):
    """A folder in which one stands, beside the subject `pile`."""
    home = tmp_path_factory.mktemp("home")
    with standing_beside(home, "pile", pile.SOURCE, pile.SPEC):
        yield home


def bench(name, home):
    subject, _ = load_subject(name)
    return Bench.opened(subject, ensure_suite(subject, Trial(name, "korat", 2)).folder, 2, home / f"{name}.json")


@pytest.fixture(scope="module")
def tree(beside_pile):
    with bench("search_tree", beside_pile) as opened:
        yield opened


@pytest.fixture(scope="module")
def piles(beside_pile):
    with bench("pile", beside_pile) as opened:
        yield opened
