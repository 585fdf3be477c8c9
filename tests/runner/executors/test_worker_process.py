"""A worker leaves when it is told to, whatever it is doing."""

import subprocess
import sys

CODE = """
import os, signal, time
from harness.runner.executors.worker_process import WorkerEnd, leave

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)

signal.signal(signal.SIGTERM, leave)
try:
    Finalized()
    time.sleep(30)
except WorkerEnd:
    print("it leaves")
"""


def test_a_worker_that_is_ended_within_a_finalizer_leaves_without_a_word():
    process = subprocess.run([sys.executable, "-c", CODE], capture_output=True, encoding="utf-8", check=True)
    assert (process.stdout, process.stderr) == ("it leaves\n", "")
