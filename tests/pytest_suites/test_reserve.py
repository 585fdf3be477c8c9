"""A reserve of memory lets failures be reported once a test has used up all memory."""

import subprocess
import sys

PROGRAM = """
import resource, sys
from mmap import mmap
from harness.pytest_suites.measuring import SIZE, Reserve

with open("/proc/self/statm") as file:
    room = int(file.read().split()[0]) * 4096 + int(1.5 * SIZE)
resource.setrlimit(resource.RLIMIT_AS, (room, room))

def fits():
    try:
        mmap(-1, SIZE).close()
    except OSError:
        return False
    return True

reserve = Reserve()
found = [fits()]
reserve.keep()
reserve.keep()
found.append(fits())
reserve.give_back()
reserve.give_back()
found.append(fits())
taken = mmap(-1, SIZE)
reserve.keep()
reserve.give_back()
print(found)
"""


def test_it_counts_while_it_is_kept_and_is_there_for_others_once_it_is_given_back():
    process = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert process.stdout.strip() == "[True, False, True]"
