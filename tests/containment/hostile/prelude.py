"""Names that every hostile act knows beforehand: more than a real one could find out.

SAFETY. Acts are run on machines where nothing contains them. So they aim only at objects of the tests: PLACE, VICTIM,
FOLDER, and a parent and ancestors whose command line names FOLDER. A signal to everybody is sent only from within a PID
namespace of one's own. The scales below keep a bomb from taking a machine down.
"""

from dataclasses import dataclass
from pathlib import Path

FORKS = 400
"""Processes of a fork bomb."""

FORKED_MEGABYTES = (24, 100)
"""Processes, and how much memory each takes."""

MEGABYTES = 1536
"""Memory that one process asks for."""

DISK_MEGABYTES = 400
"""Disk that is filled by files that are small each."""

SECONDS_LEFT = 40
"""How long what gets out stays, to be found."""

_PRELUDE = """\
import ctypes, gc, mmap, os, resource, signal, socket, struct, subprocess, sys, threading, time
C = ctypes.CDLL(None, use_errno=True)
class Escaped(Exception):
    pass
def here(process):
    with open(f"/proc/{process}/cmdline", "rb") as file:
        return FOLDER.encode() in file.read()
def parent():
    process = os.getppid()
    if os.readlink("/proc/self/ns/pid") == HOST and not here(process):
        raise OSError("it belongs to somebody else")
    return process
def ancestors():
    # Those that belong to this run, nearest first; in a PID namespace of one's own, whoever can be seen.
    found, process = [], os.getppid()
    if os.readlink("/proc/self/ns/pid") != HOST:
        return [process] if process else []
    while process > 1 and here(process):
        found.append(process)
        with open(f"/proc/{process}/stat") as file:
            process = int(file.read().rpartition(")")[2].split()[1])
    return found
def read(path):
    with open(path) as file:
        return file.read()
def write(path, text=None, mode="w"):
    with open(path, mode) as file:
        file.write(MARK if text is None else text)
def tell(text):
    # By the one way out that everybody has: the name of an exception is stored.
    raise type("Read_" + text, (Escaped,), {})
def stay():
    # A process that has got out waits to be found.
    C.prctl(15, MARK.encode())
    end = time.monotonic() + SECONDS_LEFT
    while time.monotonic() < end:
        time.sleep(0.2)
    os._exit(0)
def spawn(work=stay):
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child
C.prctl(15, MARK.encode())
"""


@dataclass(frozen=True)
class Aim:
    """The surroundings that an act knows: its own mark, a folder of somebody else, and a process that is not its
    own.
    """

    mark: str
    place: Path
    victim: int
    host: str
    host_mounts: str
    host_names: str
    folder: Path
    run: Path
    package: Path
    port: int
    inputs: int

    def prelude(self) -> str:
        """Return the start of an act's text."""
        values = {
            "MARK": self.mark,
            "PLACE": str(self.place),
            "VICTIM": self.victim,
            "HOST": self.host,
            "HOST_MOUNTS": self.host_mounts,
            "HOST_NAMES": self.host_names,
            "FOLDER": str(self.folder),
            "RUN": str(self.run),
            "PACKAGE": str(self.package),
            "PORT": self.port,
            "INPUTS": self.inputs,
            "FORKS": FORKS,
            "FORKED": FORKED_MEGABYTES,
            "MEGABYTES": MEGABYTES,
            "DISK": DISK_MEGABYTES,
            "SECONDS_LEFT": SECONDS_LEFT,
        }
        return "".join(f"{name} = {value!r}\n" for name, value in values.items()) + _PRELUDE


def once(text: str, name: str) -> str:
    """Return an expression that runs `text` once in a process, and lets only the exception `Escaped` out.

    `name` tells several acts of one process apart.
    """
    acted = "acted_" + name
    whole = (
        "import sys\n"
        f"if not hasattr(sys, {acted!r}):\n"
        f"    setattr(sys, {acted!r}, True)\n"
        "    names = {'__name__': 'act'}\n"
        f"    try:\n        exec({text!r}, names)\n"
        "    except Exception as error:\n"
        "        if isinstance(error, names.get('Escaped', ())): raise\n"
    )
    return f"exec({whole!r}, {{}})"
