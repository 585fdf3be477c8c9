"""Subjects with a declarative invariant, and with none, go the whole way: run, verified, measured, exported."""

from pathlib import Path

import pytest
from support.exported_suites import outcome
from support.own_subject import write_subject

from harness import api
from harness.model.outcome import Verdict
from harness.store import RunStore

IMPLEMENTATION = """
class Link:
    def __init__(self, next, item):
        self.next = next
        self.item = item


class Chain:
    def __init__(self):
        self.first = None
        self.size = 0

    def drop(self, item):
        if self.first is not None and self.first.item == item:
            self.first = self.first.next
            self.size -= 1
            return True
        return False
"""
SPEC = """
from harness.relational import all_of, closure, count, for_all, reflexive_closure
from harness.spec import Finitization


def rep_ok(chain):
    met, link = [], chain.first
    while link is not None:
        if link in met:
            return False
        met.append(link)
        link = link.next
    return chain.size == len(met)


def invariant(thiz, heap):
    links = thiz.first @ reflexive_closure(heap.next)
    return all_of(for_all(links, lambda link: ~link.within(link @ closure(heap.next))), thiz.size == count(links))


def finitization(scope):
    f = Finitization("Chain")
    links = f.objects("Link", scope)
    f.set("Chain.first", None, links)
    f.set("Chain.size", range(scope + 1))
    f.set("Link.next", None, links)
    f.set("Link.item", range(2))
    f.method("drop", range(2))
    return f
"""


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    return write_subject(tmp_path_factory.mktemp("subjects") / "chain", IMPLEMENTATION, SPEC)


@pytest.mark.slow
def test_instances_run_verify_and_export_as_states_do(chain, tmp_path):
    summaries = {}
    for generator in ("korat", "sat-exhaustive", "field-exhaustive:reduce=minimal"):
        folder = api.run(
            api.subject_experiment(chain, generator, [2], matrix=True), folder=tmp_path / generator[:5], jobs=1
        )
        run = api.load(folder)
        summaries[generator] = run.summary().iloc[0]
        assert set(run.frames.coverage["kind"]) == ({"code", "spec"} if generator == "korat" else {"code"})
    verification = api.verify(folder, jobs=1)
    assert verification.checked > 10
    assert not verification.disagreements
    assert not verification.unchecked
    korat, every, fewest = summaries.values()
    measured = ["inputs", "statement_pct", "branch_pct", "killed", "counted"]
    assert list(every[measured]) == list(korat[measured])
    assert fewest["inputs"] < korat["inputs"]
    assert 0 < fewest["killed"] <= korat["killed"]
    assert fewest["branch_pct"] == 100

    exported = api.export_pytest(chain, "field-exhaustive:reduce=minimal", 2, path=tmp_path / "test_chain.py")
    assert outcome(exported) == (fewest["inputs"], 0)


IMPL = """
class Cell:
    def __init__(self, start):
        self.value = start
        self.changes = 0

    def put(self, value):
        self.value = value
        self.changes = self.changes + 1

    def get(self):
        return self.value + 1
"""
WITHOUT_INVARIANT = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Cell")
    s.constructor(range(scope))
    s.method("put", range(scope))
    s.method("get")
    {omitted}
    s.length(3)
    return s
"""


def subject(folder: Path, omitted: str) -> str:
    return write_subject(folder, IMPL, WITHOUT_INVARIANT.format(omitted=omitted))


def killed(folder: Path, store: Path) -> set[tuple[str, str]]:
    """Original and replacement of the mutants that are killed."""
    api.run(api.subject_experiment(str(folder), "beapi", [2]), store, jobs=1)
    with RunStore.open_existing(store) as opened:
        (trial,) = opened.trials.all()
        mutants = {mutant.id: mutant for mutant in opened.mutants.of(trial.mutant_set)}
        results = opened.results.of(trial.key)
    assert len(results) == len(mutants) > 3
    return {
        (mutants[result.mutant].original, mutants[result.mutant].replacement)
        for result in results
        if result.verdict is Verdict.KILLED
    }


@pytest.mark.slow
def test_an_omitted_count_of_changes_kills_no_mutant(tmp_path):
    for name, omitted in (("with", "s.omit('changes')"), ("without", "")):
        (tmp_path / name).mkdir()
        folder = Path(subject(tmp_path / name, omitted))
        replacements = killed(folder, tmp_path / f"{name} run")
        assert ("self.value + 1", "self.value - 1") in replacements
        assert (("self.changes + 1", "self.changes - 1") in replacements) == (name == "without"), replacements
        checked = api.verify(tmp_path / f"{name} run", sample=40)
        assert checked.checked > 0
        assert not checked.disagreements
