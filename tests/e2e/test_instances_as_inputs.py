"""Instances of a declarative invariant are state inputs like others: run, verified, measured, exported, reproduced."""

import pytest
from support.exported_suites import outcome
from support.own_subject import write_subject

from harness import api

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
