"""The containment of programs under test on this machine is detected, chosen and reported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.kernel.process.containment.contain import CGROUP, LANDLOCK, LEVELS, SECCOMP
from harness.sandbox import levels
from harness.sandbox.levels import (
    PROCESSES,
    VARIABLE,
    ControlGroup,
    available_levels,
    held_levels,
    missing_levels,
    warn_of_missing_levels,
)


@pytest.fixture(autouse=True)
def all_are_there(monkeypatch):
    monkeypatch.setattr(levels, "available_levels", lambda: LEVELS)


def test_all_levels_that_there_are_are_held_and_nothing_is_said(capsys):
    warn_of_missing_levels.cache_clear()
    warn_of_missing_levels()
    assert held_levels() == LEVELS
    assert capsys.readouterr().err == ""


def test_a_level_that_the_system_refuses_is_told_in_one_line_and_once(monkeypatch, capsys):
    monkeypatch.setattr(levels, "available_levels", lambda: (LANDLOCK, SECCOMP))
    warn_of_missing_levels.cache_clear()
    for _ in range(2):
        warn_of_missing_levels()
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "mutascope: programs under test are contained by landlock and seccomp; namespaces and cgroup are not allowed"
    )
    warn_of_missing_levels.cache_clear()


def test_levels_can_be_left_out_by_name(monkeypatch):
    monkeypatch.setenv(VARIABLE, "seccomp, landlock")
    assert held_levels() == (LANDLOCK, SECCOMP)
    assert "left out by MUTASCOPE_CONTAINMENT" in (missing_levels() or "")
    monkeypatch.setenv(VARIABLE, "")
    assert held_levels() == ()
    assert "contained by nothing but limits" in (missing_levels() or "")


def test_a_level_that_is_none_is_refused_with_those_that_are(monkeypatch):
    monkeypatch.setenv(VARIABLE, "moat")
    with pytest.raises(UsageError, match="names 'moat'; there are namespaces, landlock, seccomp, cgroup"):
        held_levels()


needs_groups = pytest.mark.skipif(CGROUP not in available_levels(), reason="this user may make no control groups")


FORKING = """
import os, sys
for door in sys.argv[1:]:
    with open(door, "w") as file:
        file.write("0")
started = []
try:
    while len(started) < 600:
        started.append(os.fork())
        if not started[-1]:
            os.read(0, 1)
            os._exit(0)
except BlockingIOError:
    pass
print(len(started), flush=True)
for child in started:
    os.waitpid(child, 0)
"""


@needs_groups
def test_no_more_processes_are_started_in_a_group_than_allowed():
    group = ControlGroup()
    program = [sys.executable, "-S", "-c", FORKING, *group.doors]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as forking:
        assert int(forking.stdout.readline()) == PROCESSES - 1
    group.close()
    assert not [door for door in group.doors if Path(door).exists()]


@needs_groups
def test_empty_groups_of_killed_processes_are_collected():
    child = os.fork()
    if child == 0:
        ControlGroup()
        os._exit(0)
    os.waitpid(child, 0)
    group = ControlGroup()
    left = [Path(door).parent.parent / f"mutascope-{child}-0" for door in group.doors]
    group.close()
    assert left
    assert not [folder for folder in left if folder.exists()]
