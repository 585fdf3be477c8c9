"""Types are observed at one scope, whatever is run, in bounded work, and tell which helpers are reached."""

import logging
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr
from multiprocessing import get_context
from pathlib import Path

import pytest
from support.own_subject import write_subject
from support.terminals import Terminal

from harness.errors import EndlessSpecError, SpecError
from harness.kernel.running import type_profile
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.runner.logs import LOGGER
from harness.runner.mutant_set import check_targets, mutated_functions
from harness.runner.observed_types import MOST_OBSERVED, observe_types
from harness.runner.subjects import load_subject
from harness.runner.suites import SuiteTooLarge, bounded_suite

IMPL = """
class Shelf:
    def __init__(self):
        self.count = 0
        self.items = []

    def put(self, item):
        self.items.append(item)
        return self.size()

    def size(self):
        return len(self.items)

    def wrong(self):
        return len(self.count)


class Box(Shelf):
    def append(self, item):
        pass

    def size(self):
        return 0
"""
SPEC = """
from harness.spec import Finitization


def rep_ok(shelf):
    return shelf.count >= 0


def finitization(scope):
    assert scope < 3, "too large to be asked for"
    f = Finitization("Shelf")
    f.set("Shelf.count", range(scope + 1))
    f.set("Shelf.items", f.lists(1, lengths=range(scope + 1), elements=range(scope)))
    f.method("put", range(scope))
    f.method("wrong")
    return f
"""


@pytest.fixture
def shelf(tmp_path):
    return write_subject(tmp_path / "shelf", f"{IMPL}\n# Of {tmp_path}, so nothing is known of it.\n", SPEC)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


def observed_scopes(subject: Subject) -> set[str]:
    """The scopes of the suites on which types are observed now, as a terminal shows them."""
    with redirect_stderr(Terminal()) as seen:
        observe_types(subject)
    return set(re.findall(r"observe types of shelf at scope (\d)", seen.getvalue()))


@pytest.mark.slow
def test_types_are_observed_once_and_kept_in_the_cache(shelf):
    subject = load_subject(shelf)
    assert observed_scopes(subject) == {"2"}, "the largest that the spec allows"
    assert observed_scopes(subject) == set()
    with ProcessPoolExecutor(1, get_context("spawn")) as another:  # which knows nothing but the cache
        assert another.submit(observed_scopes, subject).result() == set()
        assert another.submit(observe_types, subject).result() == observe_types(subject)


@pytest.mark.slow
def test_helpers_are_those_of_the_classes_seen(shelf):
    assert list(mutated_functions(load_subject(shelf))) == ["Shelf.put", "Shelf.size", "Shelf.wrong"]


MANY = "lengths=[6] if scope > 1 else [1], elements=range(8)"
"""Makes 8 ** 6 lists."""
assert MOST_OBSERVED < 8**6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("def rep_ok", "profile_scope = 1\n\n\ndef rep_ok"),
        ("lengths=range(scope + 1), elements=range(scope)", MANY),
    ],
    ids=["as the spec sets it", "as the suite is too large"],
)
def test_types_are_observed_at_a_smaller_scope(old, new, shelf):
    spec = Path(shelf) / "spec.py"
    spec.write_text(spec.read_text().replace(old, new))
    assert observed_scopes(load_subject(shelf)) == {"1"}


@pytest.mark.slow
def test_a_clock_does_not_decide_at_which_scope_types_are_observed(shelf, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.5")
    spec = Path(shelf) / "spec.py"
    endless = "    while shelf.count == 2:\n        pass\n    return shelf.count >= 0"
    spec.write_text(spec.read_text().replace("    return shelf.count >= 0", endless))
    with pytest.raises(EndlessSpecError, match=r"did not return .* are observed at scope 2, unless profile_scope in "):
        observe_types(load_subject(shelf))


def test_a_scope_with_targets_that_are_not_mutated_is_refused(shelf):
    spec = Path(shelf) / "spec.py"
    spec.write_text(spec.read_text().replace('f.method("wrong")', 'scope > 1 and f.method("wrong")'))
    check_targets(load_subject(shelf), 1)
    with pytest.raises(SpecError, match=r"scope 2 has the target Shelf\.wrong, .* or set profile_scope = 2"):
        check_targets(load_subject(shelf), 2)


@pytest.mark.slow
def test_a_target_that_refuses_all_its_arguments_is_told(shelf, caplog):
    with caplog.at_level(logging.WARNING, LOGGER.name):
        observe_types(load_subject(shelf))
    (message,) = {record.getMessage() for record in caplog.records}
    assert "target 'wrong' raises TypeError on every input tried at scope 2" in message
    assert "object of type 'int' has no len()" in message


def test_a_profile_ends_by_its_work_not_by_a_clock(monkeypatch):
    monkeypatch.setattr(type_profile, "MOST_WORK", 20)
    done: list[int] = []

    def execution(number: int) -> None:
        done.append(number)
        assert _step(number) == number

    module = sys.modules[__name__]
    type_profile.profile((lambda number=number: execution(number) for number in range(100)), module)
    assert 0 < len(done) < 20


def _step(number: int) -> int:
    return number


ENDLESS = """
from harness.spec import Finitization


def rep_ok(shelf):
    return sum(shelf.items) == -1 or shelf.items[0] == 0


def finitization(scope):
    f = Finitization("Shelf")
    f.set("Shelf.count", [0])
    f.set("Shelf.items", f.lists(1, lengths=[40], elements=range(9)))
    f.method("size")
    return f
"""


def test_a_generation_that_is_too_large_to_be_observed_is_ended(shelf):
    (Path(shelf) / "spec.py").write_text(ENDLESS)
    with pytest.raises(SuiteTooLarge):
        bounded_suite(load_subject(shelf), Trial(shelf, "korat", 2), 1000)
