"""Hostile programs as the original, in specs, tests, fixtures and conftest.py: nobody is harmed, and the run ends."""

import re
from functools import cache

import pytest
from containment.hostile import PROGRAMS
from containment.survey import honest_facts, unexpected_endings
from containment.trial import MUTANT, ROLES, Fact, Outcome, Role, Trial

DOERS = (
    "kill-other", "stop-other", "write", "unlink", "subject-source", "subject-spec", "results", "suite-cache", "home",
    "package", "tcp", "udp", "unix", "daemon", "deaf-daemon", "print-errors",
)  # fmt: skip
"""One file acts as all of these, one after the other."""

ENDERS = ("kill-parent", "stop-parent", "kill-orchestrator", "close-handles", "forged-error", "leave")
"""Whoever runs one of these has no next one."""

in_each_role = pytest.mark.parametrize(
    "role",
    [
        pytest.param(role, id=role.name, marks=[pytest.mark.slow] if role.is_of_pytest else [])
        for role in ROLES.values()
        if role is not MUTANT
    ],
)


@cache
def honest(role: Role) -> dict[str, Fact]:
    return honest_facts(role=role)


def without_lines(facts: dict[str, Fact]) -> list[tuple[str, str]]:
    """Return the facts by mutant, without its line: a hostile text in the module moves what stands below it."""
    return sorted((re.sub(":[0-9]+:", ":", mutant, count=1), str(fact)) for mutant, fact in facts.items())


def outcome_of(names: tuple[str, ...], role: Role) -> Outcome:
    with Trial([PROGRAMS[name] for name in names], role=role) as trial:
        outcome = trial.run()
    assert outcome.escapes == {}
    assert outcome.left == []
    return outcome


@pytest.mark.slow
@in_each_role
def test_it_harms_nobody_and_the_run_finds_what_it_finds(role):
    outcome = outcome_of(DOERS, role)
    assert outcome.command.status == 0, outcome.command
    assert without_lines(outcome.honest()) == without_lines(honest(role))
    assert outcome.honest()


@pytest.mark.slow
@in_each_role
@pytest.mark.parametrize("name", ENDERS)
def test_the_run_ends_well_or_with_one_line(name, role):
    assert unexpected_endings(outcome_of((name,), role)) == []
