"""A control group bounds what a sandbox and all that it starts take together, and is gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness.kernel.process.containment.plan import CGROUP
from harness.sandbox import cgroups
from harness.sandbox.cgroups import ControlGroup
from harness.sandbox.levels import available_levels

needs_groups = pytest.mark.skipif(CGROUP not in available_levels(), reason="this user may make no control groups")


@needs_groups
def test_no_more_processes_are_started_in_a_group_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "PROCESSES", 5)
    group = ControlGroup()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        started = []
        for door in group.doors:
            Path(door).write_text("0", encoding="utf-8")
        try:
            for _ in range(20):
                started.append(os.fork())
                if started[-1] == 0:
                    os.read(reading, 1)
                    os._exit(0)
        except BlockingIOError:
            pass
        finally:
            for _ in started:
                os.write(writing, b"x")
            os._exit(len(started))
    _, status = os.waitpid(child, 0)
    os.close(reading)
    os.close(writing)
    group.close()
    assert os.WEXITSTATUS(status) == 4
    assert not [door for door in group.doors if Path(door).exists()]


@needs_groups
def test_empty_groups_of_killed_processes_are_collected() -> None:
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
