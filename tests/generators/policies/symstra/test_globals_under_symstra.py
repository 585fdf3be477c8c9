"""Programs whose calls change a list of their module: what Symstra makes is right, or it makes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_symstra_suites import bounds_of, written

from harness.errors import SpecError

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


def test_a_list_that_is_only_written_to_changes_no_input(tmp_path: Path) -> None:
    bounds = bounds_of("Largest", put=(range(9),))
    without, _ = written(tmp_path / "without", LOGGED.replace("        LOG.append(value)\n", ""), bounds, scope=3)
    logged, _ = written(tmp_path / "logged", LOGGED, bounds, scope=3)
    sequences = [[suite.sequence(number) for number in range(len(suite))] for suite in (without, logged)]
    assert sequences[0] == sequences[1]
    assert without.header.inputs_by_target == logged.header.inputs_by_target == {"Largest": 1, "put": 4}, (
        "two paths from each of two states"
    )


@pytest.mark.parametrize(
    ("text", "routines"),
    [(POOLED, {"put": (range(9),), "take": ()}), (SEEN, {"put": (range(9),)})],
    ids=["pool of objects", "values seen before"],
)
def test_a_list_that_calls_read_again_ends_the_generation_in_one_line(
    text: str, routines: dict[str, tuple[object, ...]], tmp_path: Path
) -> None:
    root = "Cell" if "Cell" in text else "Counter"
    with pytest.raises(SpecError, match=r"^program\.py: .*: the state depends on .*earlier calls") as failure:
        written(tmp_path, text, bounds_of(root, **routines), scope=3)
    assert "\n" not in str(failure.value)
