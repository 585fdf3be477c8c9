"""A child that runs several programs in turn says where it is, and its threads share one heap."""

import subprocess
import sys

import pytest

from harness.kernel.process.progress import NOT_STARTED, Position, Progress, Turns


def test_each_input_of_each_program_comes_behind_the_one_before():
    parts = [Progress(8, 12), Progress(8, 12)]
    turns = Turns(parts, 8, 12)
    seen = NOT_STARTED
    inputs = []
    for turn, part in enumerate(parts):
        turns.begin(turn)
        for number in (NOT_STARTED, *range(8, 12)):
            part.set(number, 0, 0)
            position = turns.position()
            assert turns.is_behind(seen, position.current)
            seen = position.current
            assert not turns.is_behind(seen, seen)
            inputs.append(turns.input(seen))
    assert inputs == [NOT_STARTED, 8, 9, 10, 11] * 2
    assert turns.input(NOT_STARTED) == NOT_STARTED


def test_a_turn_that_cannot_be_is_no_position():
    turns = Turns([Progress(0, 4)], 0, 4)
    turns.begin(1)
    assert turns.position() is None


def test_programs_that_one_child_runs_have_positions_of_their_own_in_one_memory():
    parts = Progress.of_several(3, 8, 21)
    for number, part in enumerate(parts):
        part.set(9 + number, number, -number)
        part.mark(20 - number)
    assert [part.position() for part in parts] == [Position(9, 0, 0), Position(10, 1, -1), Position(11, 2, -2)]
    assert [part.first_kill() for part in parts] == [20, 19, 18]
    assert [part.kills() for part in parts] == [1, 1, 1]
    assert Progress.of_several(0, 8, 21) == []


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
