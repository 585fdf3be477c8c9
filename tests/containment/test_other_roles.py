"""Hostile programs as the original, and in the spec: nobody is harmed, and the run ends as it says it does."""

from __future__ import annotations

import pytest
from containment import planting
from containment.hostile import PROGRAMS
from containment.trial import Outcome, Role, Trial

pytestmark = pytest.mark.end_to_end

DOERS = (
    "kill-other", "stop-other", "write", "unlink", "subject-source", "subject-spec", "results", "suite-cache", "home",
    "package", "tcp", "udp", "unix", "daemon", "deaf-daemon", "print-errors",
)  # fmt: skip
"""One file acts as all of these, one after the other."""

ENDERS = ("kill-parent", "stop-parent", "kill-orchestrator", "close-handles", "forged-error", "leave", "interrupt-main")
"""Whoever runs one of these has no next one."""

ROLES = pytest.mark.parametrize(
    "role", [Role.ORIGINAL, Role.SPEC, Role.SPEC_AT_LOAD], ids=["original", "rep_ok", "loading the spec"]
)


def outcome_of(names: tuple[str, ...], role: Role) -> Outcome:
    with Trial([PROGRAMS[name] for name in names], role=role) as trial:
        outcome = trial.run()
    assert outcome.escapes == {}
    assert outcome.left == []
    return outcome


@ROLES
def test_it_harms_nobody_and_the_run_finds_what_it_finds(role: Role) -> None:
    outcome = outcome_of(DOERS, role)
    assert outcome.ended.status == 0, outcome.ended
    assert outcome.honest().keys() == planting.HONEST.keys()


@pytest.mark.slow
@ROLES
@pytest.mark.parametrize("name", ENDERS)
def test_the_run_ends_well_or_with_one_line(name: str, role: Role) -> None:
    ended = outcome_of((name,), role).ended
    assert ended.status in (0, 1, 2), ended
    assert "Traceback" not in ended.err
    if ended.status:
        assert len([line for line in ended.err.splitlines() if line.startswith("mutascope: ")]) == 1, ended
