"""A control group limits the resources of a sandbox and its child processes together, and is removed afterwards."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.kernel.process.containment.plan import CGROUP
from harness.sandbox.levels import PROCESSES, ControlGroup, available_levels

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
