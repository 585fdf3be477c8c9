"""No hostile program harms anybody, forges a verdict or keeps a run from its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from containment.hostile import PROGRAMS
from containment.survey import broken, honest_facts
from containment.trial import Fact, Outcome, Trial

SOON = [name for name, program in PROGRAMS.items() if not program.waits and not program.dear]
LATER = [name for name in PROGRAMS if name not in SOON]


@pytest.fixture(scope="module")
def honest() -> dict[str, Fact]:
    """What is said of the honest mutants where nobody is hostile."""
    return honest_facts()


@pytest.fixture(scope="module")
def crowd() -> Iterator[Outcome]:
    """All programs that take no time, in one run, and what `verify` says of it."""
    with Trial([PROGRAMS[name] for name in SOON]) as trial:
        yield trial.run(verify=True)


@pytest.fixture(scope="module")
def slow_crowd() -> Iterator[Outcome]:
    """Those that take time."""
    with Trial([PROGRAMS[name] for name in LATER]) as trial:
        yield trial.run(verify=True)


def test_there_are_many_and_they_differ() -> None:
    assert len(SOON) > 100
    assert not [
        text for text, count in Counter(p.source for p in PROGRAMS.values() if not p.at_load).items() if count > 1
    ]


def test_a_run_among_hostile_programs_ends_as_any_other(crowd: Outcome, honest: dict[str, Fact]) -> None:
    assert {fact.verdict for fact in honest.values()} == {"killed", "survived"}
    assert broken(crowd, honest) == []


@pytest.mark.parametrize("name", SOON)
def test_a_hostile_program_gets_nowhere(name: str, crowd: Outcome) -> None:
    assert crowd.faults(PROGRAMS[name]) == [], PROGRAMS[name].tries


def test_a_second_run_says_the_same(crowd: Outcome) -> None:
    names = SOON[::3]
    with Trial([PROGRAMS[name] for name in names], jobs=3) as trial:
        again = trial.run().facts
    assert {name: again.get(f"ACT:{name}") for name in names} == {
        name: crowd.facts.get(f"ACT:{name}") for name in names
    }


@pytest.mark.slow
def test_a_run_among_programs_that_take_time_ends_as_any_other(slow_crowd: Outcome, honest: dict[str, Fact]) -> None:
    assert broken(slow_crowd, honest) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LATER)
def test_a_program_that_takes_time_gets_nowhere(name: str, slow_crowd: Outcome) -> None:
    assert slow_crowd.faults(PROGRAMS[name]) == [], PROGRAMS[name].tries
