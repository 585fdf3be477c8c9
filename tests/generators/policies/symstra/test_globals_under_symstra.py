"""Programs whose calls change a list of their module: what Symstra makes is right, or it makes nothing."""

import re

import pytest
from test_symstra_suites import bounds_of, written

from harness.errors import SpecError
from harness.kernel.inputs.call_source import show_sequence

LOGGED = """
LOG = []
class Largest:
    def __init__(self):
        self.most = 0
    def put(self, value):
        LOG.append(value)
        if value > self.most:
            self.most = value
        return self.most
"""
POOLED = """
FREE = []
class Node:
    def __init__(self):
        self.value = 0
class Cell:
    def __init__(self):
        self.node = None
    def put(self, value):
        self.node = FREE.pop() if FREE else Node()
        self.node.value = value
    def take(self):
        node = self.node
        if node is None:
            return None
        self.node = None
        FREE.append(node)
        return node.value
"""
SEEN = """
SEEN = []
class Counter:
    def __init__(self):
        self.count = 0
    def put(self, value):
        if value in SEEN:
            return False
        SEEN.append(value)
        self.count += 1
        return True
"""
NUMBERED = """
NUMBERS = iter(range(1_000_000))
class Counter:
    def __init__(self):
        self.count = 0
    def put(self, value):
        if value > next(NUMBERS):
            self.count += 1
"""


def test_a_list_that_is_only_written_to_changes_no_input(tmp_path):
    bounds = bounds_of("Largest", put=(range(9),))
    without, _ = written(tmp_path / "without", LOGGED.replace("        LOG.append(value)\n", ""), bounds, scope=3)
    logged, _ = written(tmp_path / "logged", LOGGED, bounds, scope=3)
    sequences = [[suite.sequence(number) for number in range(len(suite))] for suite in (without, logged)]
    assert sequences[0] == sequences[1]
    assert without.header.inputs_by_target == logged.header.inputs_by_target == {"Largest": 1, "put": 4}, (
        "two paths from each of two states"
    )


@pytest.mark.parametrize(
    ("text", "routines", "made"),
    [
        (POOLED, {"put": (range(9),), "take": ()}, ["", "p(0)", "take()", "p(0); p(0)", "p(0); take()"]),
        (
            SEEN,
            {"put": (range(9),)},
            ["", "p(0)", "p(0); p(0)", "p(0); p(1)", "p(0); p(1); p(0)", "p(0); p(1); p(1)", "p(0); p(1); p(2)"],
        ),
    ],
    ids=["pool of objects", "values seen before"],
)
def test_a_list_that_calls_read_again_is_as_earlier_calls_of_the_same_input_left_it(text, routines, made, tmp_path):
    bounds = bounds_of("Cell" if "Cell" in text else "Counter", **routines)
    suite, _ = written(tmp_path, text, bounds, scope=3)
    shown = [show_sequence(bounds, suite.sequence(number)).partition("; ")[2] for number in range(len(suite))]
    assert [re.sub(r"\w+\.(put|take)", lambda call: call[1].replace("put", "p"), calls) for calls in shown] == made


def test_what_is_not_put_back_ends_the_generation_in_one_line(tmp_path):
    with pytest.raises(SpecError, match=r"^program\.py: .*: the state depends on .*earlier calls") as failure:
        written(tmp_path, NUMBERED, bounds_of("Counter", put=(range(9),)), scope=3)
    assert "\n" not in str(failure.value)
