"""Written tests pass on the original, touch nothing private, and are the same each time."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from shelf import SHELF, SHELF_SPEC
from support.exported_suites import outcome
from support.own_subject import write_subject
from support.subjects import load_subject

from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.report.written_tests.choice import Select
from harness.report.written_tests.export import WrittenTests, write_tests
from harness.runner.suites import ensure_suite

pytestmark = pytest.mark.usefixtures("cache_of_these_tests")


def written(name: str, generator: str, scope: int, path: Path, select: Select = Select.ALL) -> WrittenTests:
    subject, _ = load_subject(name)
    return write_tests(subject, ensure_suite(subject, Trial(name, generator, scope)), path, select)


def shelf(folder: Path) -> Path:
    return Path(write_subject(folder, SHELF, SHELF_SPEC))


@pytest.mark.slow
def test_tests_of_a_class_with_everything_pass_and_touch_nothing_private(tmp_path):
    folder = shelf(tmp_path / "shelf")
    path = folder / "test_shelf.py"
    tests = written(str(folder), "random:50", 3, path)
    text = path.read_text()
    assert outcome(path) == (len(tests.choice.numbers), 0)
    tree = ast.parse(text)
    assert not [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr[0] == "_"]
    assert "from impl import Shelf, both\n" in text
    assert "with pytest.raises(Shelf.Full):" in text
    assert ".asked()" not in text, "an observer that changes the object"
    assert ".lock" not in text, "an attribute that is not plain"
    assert "shelf.count() == " in text
    assert ".holds(" in text
    assert "result = shelf.halves()\n" in text
    assert all(f"    assert result[{part}" in text for part in ("0] == 1", "1].count() == 1", "3] is shelf"))
    assert "book0 = object()\n" in text
    again = folder / "test_again.py"
    written(str(folder), "random:50", 3, again)
    assert again.read_text() == text


COUNTED = """
class Queue:
    def __init__(self):
        self._items = []
        self._asked = 0

    def put(self, item):
        self._items.append(item)

    def cancel(self):
        self._items = [None for _ in self._items]

    def {count}(self):
        self._asked += 1
        self._items = [item for item in self._items if item is not None]
        return len(self._items) + {asked}

    def items(self):
        return list(self._items)
"""
COUNTED_SPEC = """
from harness.spec import SequenceScope


def sequences(scope):
    s = SequenceScope("Queue")
    s.constructor()
    s.method("put", range(2))
    s.method("cancel")
    s.method("items")
    s.elements(3)
    return s
"""


@pytest.mark.slow
@pytest.mark.parametrize(("count", "asked"), [("count", "self._asked"), ("__len__", "0")])
def test_a_count_that_changes_the_object_changes_no_test(tmp_path, count, asked):
    source = COUNTED.format(count=count, asked=asked)
    folder = Path(write_subject(tmp_path / "queue", source, COUNTED_SPEC))
    tests = written(str(folder), "random:20", 3, folder / "test_queue.py")
    assert outcome(folder / "test_queue.py") == (len(tests.choice.numbers), 0)


@pytest.mark.slow
def test_functions_on_lists_are_imported_and_lists_told_whole_and_run_by_the_plain_command(tmp_path):
    path = tmp_path / "test_heapq.py"
    tests = written("heapq", "rostra", 2, path, Select.OUTCOMES)
    assert outcome(path) == (len(tests.choice.numbers), 0)
    text = path.read_text()
    assert "from heapq import heapify, heappop" in text
    assert "    items = []\n    heappush(items, 1)\n    assert items == [1]\n" in text
    line, blocked = written("heapq", "rostra", 2, path).as_text().splitlines()
    assert line.endswith(f"; run it with python -m pytest {path}")
    assert blocked.startswith(f"{path}: the spec blocks _heapq, and the tests do not")


@pytest.mark.slow
def test_what_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UsageError, match="its inputs are states, not sequences of calls"):
        written("search_tree", "korat", 1, tmp_path / "test_it.py")
    with pytest.raises(UsageError, match="tests are not for reading"):
        written("jtc_int_stack", "rostra", 5, tmp_path / "test_it.py")
    with pytest.raises(UsageError, match="cannot be written"):
        written("jtc_ub_stack", "symstra", 1, Path("/proc/nowhere/test_it.py"))


@pytest.mark.slow
@pytest.mark.parametrize(("result", "is_asked"), [("self._held.pop()", True), ("next(TURNS)", False)])
def test_what_is_answered_otherwise_each_time_is_not_asked_as_the_last_thing(result, is_asked, tmp_path):
    (tmp_path / "impl.py").write_text(
        "from itertools import count\n\nTURNS = count()\n\n\n"
        "class Bag:\n    def __init__(self):\n        self._held = []\n    def __len__(self):\n"
        "        return len(self._held)\n    def put(self, value):\n        self._held.append(value)\n"
        f"    def take(self):\n        return {result}\n"
    )
    (tmp_path / "spec.py").write_text(
        "from harness.spec import SequenceScope\n\n\ndef abstraction(bag):\n    return tuple(bag._held)\n\n\n"
        'def sequences(scope):\n    s = SequenceScope("Bag")\n    s.method("put", range(1, 3))\n'
        '    s.method("take")\n    s.elements(2)\n    s.misuse("IndexError")\n    return s\n'
    )
    path = tmp_path / "test_bag.py"
    written(str(tmp_path), "random:30", 2, path)
    assert ("    assert bag.take() == 2\n    assert bag.take() == 1\n" in path.read_text()) is is_asked


@pytest.mark.slow
def test_observers_that_wait_for_ever_are_left_out_and_told(tmp_path):
    path = tmp_path / "test_queue.py"
    tests = written("real/priority_queue", "rostra", 2, path, Select.OUTCOMES)
    assert {"get", "join"} <= set(tests.waiting)
    assert f"no test asks {', '.join(tests.waiting)}, which waited for what nobody else does" in tests.as_text()
    assert tests.as_dict()["waiting"] == list(tests.waiting)
    text = path.read_text()
    assert ".get()" not in text
    assert ".join()" not in text
    assert ".qsize() == " in text
    assert outcome(path) == (len(tests.choice.numbers), 0)


@pytest.mark.slow
def test_the_command_that_is_told_runs_the_tests_from_another_folder(tmp_path):
    path = tmp_path / "tests of mine" / "test_stack.py"
    path.parent.mkdir()
    message = written("jtc_ub_stack", "symstra", 4, path).as_text()
    command = f"{message.rpartition('; run it with ')[2]} -q -p no:cacheprovider"
    assert command.startswith("PYTHONPATH=")
    own = {name: value for name, value in os.environ.items() if name not in ("PYTEST_ADDOPTS", "PYTHONPATH")}
    own["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), own["PATH"]])
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        command, shell=True, cwd=elsewhere, env=own, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
