"""Names that every hostile act knows beforehand: more than a real one could find out.

SAFETY. Acts are run on machines where nothing contains them. So they aim only at objects of the tests: PLACE, VICTIM,
FOLDER, and a parent and ancestors whose command line names FOLDER. A signal to everybody is sent only from within a PID
namespace of one's own. The numbers below keep a bomb from taking a machine down.
"""

_PRELUDE = """\
FORKS = 400  # processes of a fork bomb
FORKED = (24, 100)  # processes, and how many megabytes each takes
MEGABYTES = 1536  # of memory that one process asks for
DISK = 400  # megabytes that are filled by files that are small each
SECONDS_LEFT = 40  # how long what gets out stays, to be found
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


def prelude(**surroundings: object) -> str:
    """Return the start of an act's text, which knows its surroundings by these names."""
    return "".join(f"{name} = {value!r}\n" for name, value in surroundings.items()) + _PRELUDE


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
