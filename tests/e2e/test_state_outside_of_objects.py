"""What a program keeps outside of its objects is put back before each input, in runs, `verify` and exported suites."""

import pytest
from support.exported_suites import outcome
from support.own_subject import write_subject

from harness import api

TASKS = """
import functools
import itertools

_ids = itertools.count(1)
_log = []
total = 0


class Task:
    created = 0

    def __init__(self, name="a"):
        self.name = name
        self.id = next(_ids)
        self.done = False
        Task.created += 1

    def finish(self, seen={}):
        global total
        seen[self.name] = seen.get(self.name, 0) + 1
        total += 1
        _log.append(self.name)
        self.done = True
        return seen[self.name] + total + len(_log)

    @functools.lru_cache(maxsize=None)
    def cost(self, n):
        _log.append(n)
        return n * 2

    def spend(self, n):
        cost = self.cost(n)
        if self.done and Task.created > 1:
            return cost + 1
        return cost + len(_log)
"""
TASKS_SPEC = """
from harness.spec import Finitization, SequenceScope
def rep_ok(t):
    return t.name in ("a", "b")


def finitization(scope):
    f = Finitization("Task")
    f.set("Task.name", "a", "b"); f.set("Task.id", range(1, 3)); f.set("Task.done", False, True)
    f.method("finish"); f.method("spend", range(scope + 1))
    return f


def sequences(scope):
    s = SequenceScope("Task"); s.constructor(("a", "b")); s.method("finish"); s.method("spend", range(scope))
    return s
"""
"""A counter, a log, a cache, a default value and a global."""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


@pytest.mark.end_to_end
@pytest.mark.parametrize(("generator", "killed", "mutants"), [("korat", 29, 46), ("random:40", 33, 46)])
def test_mutants_are_killed_by_inputs_that_kill_them_alone(tmp_path, generator, killed, mutants):
    subject = write_subject(tmp_path / "tasks", TASKS, TASKS_SPEC)
    run = api.run(api.subject_experiment(subject, generator, [2]), tmp_path / "run", jobs=1)
    summary = api.load(run).summary().iloc[0]
    assert (summary["killed"], summary["counted"]) == (killed, mutants)
    verification = api.verify(run, jobs=1)
    assert (verification.checked, verification.disagreements) == (mutants, ())


@pytest.mark.end_to_end
@pytest.mark.parametrize("generator", ["korat", "beapi"])
def test_exported_tests_pass_in_any_order(tmp_path, generator):
    folder = write_subject(tmp_path / "tasks", TASKS, TASKS_SPEC)
    file = api.export_pytest(folder, generator, 2, path=tmp_path / "test_all.py")
    order = "def pytest_collection_modifyitems(items):\n    import random\n    random.Random(1).shuffle(items)\n"
    (tmp_path / "conftest.py").write_text(order)
    passed, failed = outcome(file)
    assert (passed > 10, failed) == (True, 0)
