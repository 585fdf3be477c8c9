"""Each level by itself holds what it is there for, and lets be what a program may do."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import harness
from harness.kernel.process.containment.contain import LANDLOCK, LEVELS, NAMESPACES, SECCOMP, Plan
from harness.sandbox.levels import available_levels

ACTS = {
    "write outside": "open(outside + '/new', 'w').close()",
    "change a mode outside": "os.chmod(outside + '/file', 0)",
    "read a secret": "open(outside + '/file').read()",
    "signal a stranger": "os.kill(stranger, 0)",
    "open a socket": "socket.socket()",
    "connect by TCP": "socket.create_connection(('127.0.0.1', port), 1)",
    "trace a stranger": "os.strerror(0) if ctypes.CDLL(None).ptrace(16, stranger, 0, 0) == 0 else 1 / 0",
    "fill the disk": "[open(f'{n}', 'wb').write(bytes(1 << 20)) for n in range(100)]",
    "signal by a handle": "fcntl.fcntl(os.pipe()[0], 8, stranger)",
    "write to the machine": "open('/proc/sys/kernel/core_pattern', 'a').close()",
    "fork": "os.fork() or os._exit(0)",
    "write within": "open('here', 'w').write('x')",
    "read what is named": "open(named).read()",
    "import": "__import__('decimal').Decimal('1.1')",
    "start a thread": "threading.Thread(target=print).start()",
    "signal itself": "signal.signal(10, lambda *_: None), os.kill(os.getpid(), 10)",
}
MAY = {"write within", "read what is named", "import", "start a thread", "signal itself"}

PROGRAM = """
import ctypes, fcntl, json, os, signal, socket, sys, threading
from harness.kernel.process.containment.contain import Containment
acts, outside, stranger, port, named = json.loads(sys.argv[1])
os.mkdir("own")
os.chdir("own")
Containment([os.getcwd()]).enter()
done = []
for name, act in acts.items():
    try:
        eval(act)
        done.append(name)
    except (OSError, ZeroDivisionError):
        pass
os.write(int(sys.argv[2]), json.dumps(done).encode())
os._exit(0)
"""


@pytest.fixture(scope="module")
def allowed(tmp_path_factory):
    """The acts that succeed in a program, by levels."""
    top = tmp_path_factory.mktemp("levels")
    outside, code = top / "outside", top / "code"
    for folder in (outside, code):
        folder.mkdir()
    (outside / "file").write_text("secret")
    (code / "hostile_program.py").write_text(PROGRAM)
    (code / "named").write_text("named")
    acts_by_levels = {}
    with socket.create_server(("127.0.0.1", 0)) as server, subprocess.Popen(["sleep", "300"]) as stranger:
        arguments = [ACTS, str(outside), stranger.pid, server.getsockname()[1], str(code / "named")]
        for levels in (LEVELS, (NAMESPACES,), (LANDLOCK,), (SECCOMP,), ()):
            if not set(levels) <= set(available_levels()):
                continue
            own = top / "-".join(["own", *levels])
            own.mkdir()
            plan = Plan(levels, os.getpid(), str(own), readable=(str(code),), most_bytes=8 << 20)
            reading, writing = os.pipe()
            launch = [
                sys.executable,
                "-P",
                "-m",
                "harness.kernel.process.containment.launch",
                plan.text(),
                "hostile_program",
            ]
            package = Path(harness.__file__).parents[1]
            subprocess.run(
                [*launch, json.dumps(arguments), str(writing)],
                env={"PYTHONPATH": f"{package}:{code}"},
                pass_fds=[writing],
                check=True,
            )
            os.close(writing)
            with os.fdopen(reading, encoding="utf-8") as end:
                acts_by_levels[levels] = set(json.loads(end.read()))
            (outside / "file").chmod(0o600)
            (outside / "new").unlink(missing_ok=True)
        stranger.kill()
    return acts_by_levels


def test_without_any_level_all_acts_are_possible(allowed):
    assert allowed[()] | {"write to the machine"} == ACTS.keys()  # who is not root may never do that


def test_all_levels_together_leave_only_what_a_program_may(allowed):
    assert allowed.get(LEVELS, MAY) == MAY


NETWORK_AND_OTHERS = {"connect by TCP", "signal a stranger", "trace a stranger"}


@pytest.mark.parametrize(
    ("level", "held"),
    [
        (NAMESPACES, {"write outside", "change a mode outside", "fill the disk", "write to the machine"}),
        (LANDLOCK, {"write outside", "read a secret", "write to the machine"}),
        (SECCOMP, {"open a socket", "fork", "signal by a handle"}),
    ],
)
def test_a_level_alone_holds_its_own(allowed, level, held):
    if (level,) in allowed:  # else the system does not have it, as `mutascope list` tells
        assert allowed[level,].isdisjoint(held | NETWORK_AND_OTHERS)
        assert allowed[level,] >= MAY
