"""No hostile program harms anybody or keeps a run from its end."""

from collections import Counter

import pytest
from containment.hostile import PROGRAMS
from containment.hostile.program import Program
from containment.survey import broken, honest_facts
from containment.trial import Trial

pytestmark = pytest.mark.slow

DOERS = [p for p in PROGRAMS.values() if not (p.waits or p.dear)]
LATER = [p for p in PROGRAMS.values() if p.waits or p.dear]


def named(programs: list[Program]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("program", programs, ids=[program.name for program in programs])


@pytest.fixture(scope="module")
def honest():
    """The facts about the honest mutants of a run without hostile programs."""
    return honest_facts()


@pytest.fixture(scope="module")
def doers():
    """All that do harm and take no time, in one run."""
    with Trial(DOERS) as trial:
        yield trial.run()


@pytest.fixture(scope="module")
def sluggards():
    """The outcome of the slow programs: most of them wait, so several run at once."""
    with Trial(LATER, jobs=6) as trial:
        yield trial.run(verify=True)


def test_there_are_many_and_each_is_another():
    texts = Counter((p.source, p.at_load) for p in PROGRAMS.values())
    assert len(DOERS) > 100
    assert [text for text, count in texts.items() if count > 1] == []


def test_a_run_among_harmful_programs_ends_as_any_other(doers, honest):
    assert {fact.verdict for fact in honest.values()} == {"killed", "survived"}
    assert broken(doers, honest) == []


@named(DOERS)
def test_a_harmful_program_gets_nowhere(program, doers):
    assert doers.faults(program) == [], program.tries


def test_a_second_run_says_the_same(doers):
    some = DOERS[::3]
    with Trial(some, jobs=3) as trial:
        again = trial.run().facts
    assert {p.name: again.get(p.id) for p in some} == {p.name: doers.facts.get(p.id) for p in some}


def test_a_run_among_programs_that_take_time_ends_as_any_other(sluggards, honest):
    assert broken(sluggards, honest) == []


@named(LATER)
def test_a_program_that_takes_time_gets_nowhere(program, sluggards):
    assert sluggards.faults(program) == [], program.tries


def test_the_witness_of_verdicts_is_as_safe_as_the_run(honest):
    with Trial(DOERS) as trial:
        outcome = trial.run(verify=True)
    assert broken(outcome, honest) == []
    assert {p.name: found for p in DOERS if (found := outcome.faults(p))} == {}
