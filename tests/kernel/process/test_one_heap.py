"""Threads take memory from one heap, so that a limit on addresses is one on memory."""

import subprocess
import sys

import pytest

PROGRAM = """
import threading
from harness.kernel.process.confinement import share_one_heap

def addresses():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * 4096

share_one_heap()
threading.stack_size(1 << 18)
before = addresses()
barrier, kept = threading.Barrier(9), []

def work():
    kept.append([bytes(5000) for _ in range(10)])
    barrier.wait()
    barrier.wait()

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
barrier.wait()
print(addresses() - before >> 20)
barrier.wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_eight_threads_reserve_less_than_one_heap_of_a_thread_takes():
    process = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert int(process.stdout) < 64
