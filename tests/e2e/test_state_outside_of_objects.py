"""What a program keeps outside of its objects is put back before each input, in runs, `verify` and exported suites."""

import pytest
from support.exported_suites import outcome
from support.own_subject import write_subject

from harness import api

ACCOUNTS = """
class Base:
    opened = 0
    fee = 1

    def __init__(self, owner="a"):
        self.owner = owner
        self.money = 0
        type(self).opened += 1

    def pay(self, amount):
        self.money += amount
        return self.money

    def take(self, amount):
        if amount + self.fee > self.money:
            raise ValueError(amount)
        self.money -= amount + self.fee
        return amount


class Saver(Base):
    fee = 0

    def __init__(self, owner="a", rate=1):
        super().__init__(owner)
        self.rate = rate

    def pay(self, amount):
        money = super().pay(amount)
        if amount > 1:
            money += self.rate
            self.money = money
        return money

    def year(self):
        Saver.fee = 1 - Saver.fee
        return super().pay(self.rate)
"""
ACCOUNTS_SPEC = """
from harness.spec import Finitization


def rep_ok(saver):
    return saver.money >= 0 and saver.rate >= 0 and saver.owner != ""


def finitization(scope):
    f = Finitization("Saver")
    f.set("Saver.owner", "a", "b")
    f.set("Saver.money", range(scope + 1))
    f.set("Saver.rate", range(scope))
    f.method("pay", range(scope + 1))
    f.method("take", range(scope + 1))
    f.method("year")
    return f


def sequences(scope):
    from harness.spec import SequenceScope
    s = SequenceScope("Saver")
    s.constructor()
    s.constructor(("a", "b"), range(scope))
    s.method("pay", range(scope + 1), requires=lambda saver, amount: saver.money <= scope)
    s.method("take", range(scope + 1))
    s.method("year", requires=lambda saver: saver.money <= scope)
    return s
"""
"""The fee of savers is toggled in their class."""

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

PROGRAMS = {"accounts": (ACCOUNTS, ACCOUNTS_SPEC), "tasks": (TASKS, TASKS_SPEC)}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "generator", "killed", "mutants"),
    [
        ("accounts", "korat", 50, 59),
        ("accounts", "beapi", 50, 59),
        ("tasks", "korat", 29, 46),
        ("tasks", "random:40", 33, 46),
    ],
)
def test_mutants_are_killed_by_inputs_that_kill_them_alone(tmp_path, name, generator, killed, mutants):
    subject = write_subject(tmp_path / name, *PROGRAMS[name])
    run = api.run(api.subject_experiment(subject, generator, [2]), tmp_path / "run", jobs=1)
    summary = api.load(run).summary().iloc[0]
    assert (summary["killed"], summary["counted"]) == (killed, mutants)
    verification = api.verify(run, jobs=1)
    assert (verification.checked, verification.disagreements) == (mutants, ())


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["korat", "beapi"])
def test_exported_tests_pass_in_any_order(tmp_path, generator):
    folder = write_subject(tmp_path / "tasks", TASKS, TASKS_SPEC)
    file = api.export_pytest(folder, generator, 2, path=tmp_path / "test_all.py")
    order = "def pytest_collection_modifyitems(items):\n    import random\n    random.Random(1).shuffle(items)\n"
    (tmp_path / "conftest.py").write_text(order)
    passed, failed = outcome(file)
    assert (passed > 10, failed) == (True, 0)
