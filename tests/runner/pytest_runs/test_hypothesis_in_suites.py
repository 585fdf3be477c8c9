"""Tests by Hypothesis in suites that people have: their state machines judge mutants, the same each time."""

import pytest
from support.own_project import own_project
from support.own_runs import verified

from harness import api
from harness.model.outcome import Verdict
from harness.runner.run import run_experiment
from harness.store import RunStore

PILE = """\
class Pile:
    def __init__(self):
        self.held = []

    def push(self, value):
        self.held.append(value)

    def size(self):
        return len(self.held) + 0
"""
MACHINE = """\
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from till.core import Pile

DRAWN = []


class PileMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.pile, self.expected = Pile(), 0

    @rule(value=st.integers())
    def push(self, value):
        DRAWN.append(value)
        self.pile.push(value)
        self.expected += 1

    @rule()
    def size(self):
        assert self.pile.size() == self.expected


TestPile = PileMachine.TestCase
TestPile.settings = settings(max_examples=4, stateful_step_count=8)


def test_no_clock_and_no_database():
    assert (settings().deadline, settings().database) == (None, None)


def test_what_is_drawn():
    TestPile().runTest()
    first, DRAWN[:] = DRAWN[:], []
    TestPile().runTest()
    assert DRAWN == first[-len(DRAWN):] != []
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run on a project whose suite has a state machine."""
    project = own_project(tmp_path_factory.mktemp("machine") / "own", core=PILE, tests=MACHINE)
    out = project.parent / "out"
    run_experiment(api.pytest_experiment("till.core", ["tests"], folder=project, operators="extended"), out, 1)
    return out


@pytest.mark.slow
def test_a_state_machine_of_one_s_own_kills_mutants(run):
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.all()
        verdicts = [found.verdict for found in store.results.of(trial.key)]
    assert Verdict.KILLED in verdicts


@pytest.mark.slow
def test_plain_pytest_agrees_with_a_verdict_of_theirs(run):
    assert verified(run, 1, 0, 1) == (1, [])
