"""A declarative and an operational invariant are compared state by state; disagreements have a smallest witness."""

from __future__ import annotations

import pytest

from harness import api
from harness.command_line.main import main
from harness.difference.difference import invariant_difference
from harness.errors import InvariantError, SpecError, UsageError
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

CHAIN = """
class Link:
    def __init__(self):
        self.next = None

class Chain:
    def __init__(self):
        self.first, self.size = None, 0

    def pop(self):
        if self.first is not None:
            self.first = self.first.next
"""
SPEC = """
from harness.relational import all_of, closure, count, for_all, reflexive_closure
from harness.spec import Finitization

def rep_ok(chain):
    met, link = [], chain.first
    while link is not None:
        if link in met{operational}:
            return False
        met.append(link)
        link = link.next
    return chain.size == len(met)

def invariant(thiz, heap):
    links = thiz.first @ reflexive_closure(heap.next)
    return all_of(
        for_all(links, lambda link: ~link.within(link @ closure(heap.next))),
        thiz.size == count(links){declarative},
    )

def finitization(scope):
    f = Finitization("Chain")
    links = f.objects("Link", scope)
    f.set("Chain.first", None, links)
    f.set("Chain.size", range(scope + 1))
    f.set("Link.next", None, links)
    f.method("pop")
    return f
"""


@pytest.fixture
def chain(tmp_path):
    """Writes a chain with additions to either invariant; its folder."""
    folder = tmp_path / "chain"
    folder.mkdir()

    def write(operational: str = "", declarative: str = "", spec: str = SPEC) -> str:
        (folder / "impl.py").write_text(CHAIN)
        (folder / "spec.py").write_text(spec.format(operational=operational, declarative=declarative))
        return str(folder)

    return write


@pytest.mark.parametrize(("name", "scope", "states", "pairs"), [("field_search_tree", 3, 15, 26)])
def test_a_subject_whose_invariants_agree_is_equal_in_states_and_pairs(name, scope, states, pairs):
    result = invariant_difference(load_subject(name), scope)
    assert (result.invariant, result.rep_ok, result.invariant_only, result.rep_ok_only) == (states, states, 0, 0)
    assert (result.extension_of_invariant, result.extension_of_rep_ok, result.pairs_of_one_alone) == (pairs, pairs, 0)
    assert not result.is_finding
    assert "equal, state by state" in result.as_text()


def test_what_invariant_allows_and_rep_ok_refuses_has_the_smallest_state_first(chain):
    result = invariant_difference(load_subject(chain(operational=" or len(met) > 1")), 4)
    assert (result.invariant, result.rep_ok, result.invariant_only, result.rep_ok_only) == (5, 3, 2, 0)
    assert result.is_finding
    assert [vector[1] for vector in result.of_invariant] == [3, 4]
    assert result.pairs_of_one_alone == result.extension_of_invariant - result.extension_of_rep_ok > 0
    assert "of invariant alone 2, of rep_ok alone 0: invariant is too weak" in result.as_text()


def test_what_rep_ok_allows_and_invariant_refuses_is_found_as_well(chain):
    result = invariant_difference(load_subject(chain(declarative=", thiz.size > 1")), 3)
    assert (result.invariant, result.rep_ok, result.invariant_only, result.rep_ok_only) == (2, 4, 0, 2)
    assert [vector[1] for vector in result.of_rep_ok] == [0, 1]
    assert "invariant is too strong" in result.as_text()


def test_the_command_shows_the_witnesses_and_exits_with_1(chain, capsys, tmp_path):
    subject = chain(" or len(met) > 1", ", thiz.size > 0")
    status = main(["difference", subject, "--scope", "3", "--invariant", "--figure", str(tmp_path / "figures")])
    output = capsys.readouterr().out
    assert status == 1
    assert "each has what the other lacks" in output
    assert "of invariant alone:" in output
    assert "Chain(size=3)" in output
    assert "of rep_ok alone:" in output
    assert "Chain(size=0)" in output
    drawn = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert drawn == ["chain_scope3_invariant_only.svg", "chain_scope3_rep_ok_only.svg"]


@pytest.mark.parametrize("generator", ["field-exhaustive", "sat-exhaustive"])
def test_a_suite_is_not_made_of_instances_that_rep_ok_refuses(chain, generator):
    subject = load_subject(chain(operational=" or len(met) > 1"))
    with pytest.raises(InvariantError, match=r"the smallest of them Chain\(first=Link0.*size=3\); correct one"):
        ensure_suite(subject, Trial(subject.name, generator, 3, 0))


def test_a_spec_without_either_invariant_is_told_what_is_missing(chain):
    without = chain(spec=SPEC.replace("def invariant(", "def other("))
    with pytest.raises(UsageError, match="has no function invariant"):
        api.invariant_difference(without, 2)
    with pytest.raises(SpecError, match="has no function rep_ok"):
        api.invariant_difference(chain(spec=SPEC.replace("def rep_ok(", "def other(")), 2)
