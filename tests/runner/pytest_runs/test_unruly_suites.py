"""Tests and mutants that end processes, hoard memory, fork and delete files are contained, and told apart."""

import re

import pytest
from support.own_project import digest_of, own_project
from support.own_runs import DRAWS_WHAT_ENDS, SHORT, SHORT_TESTS, judged, results_of, rows_of, run_on, verified

from harness.errors import UsageError
from harness.model.outcome import KillReason, Phase, Verdict
from harness.store import RunStore


@pytest.mark.slow
def test_a_mutant_that_takes_too_long_is_told_the_seconds_that_a_test_really_has(tmp_path):
    core = "def total(value):\n    if value > 3:\n        return sum(range(10**12))\n    return value\n"
    tests = "from till.core import total\n\n\ndef test_total():\n    assert total(3) == 3\n"
    _, results = judged(tmp_path, core, tests)
    details = {result.detail for _, result in results if result.reason is KillReason.WALL_LIMIT}
    assert details == {"wall clock: more than 10 x the original's time + 5 s"}


@pytest.mark.slow
def test_tests_that_end_their_process_are_left_out_where_one_asks_for_it(tmp_path):
    tests = (
        SHORT_TESTS
        + """

def test_ends():
    import os

    os._exit(0)
"""
    )
    folder = own_project(tmp_path / "own", core=SHORT, tests=tests)
    before = digest_of(folder)
    run_on(folder, tmp_path / "out", flaky="exclude")
    with RunStore.open_existing(tmp_path / "out") as store:
        excluded = store.suites.of(store.trials.all()[0].key).excluded
    ends = "ends its process on the original"
    assert excluded["tests/test_core.py::test_ends"] == f"{ends} (left with exit status 0)"
    assert verified(tmp_path / "out", 2, DRAWS_WHAT_ENDS, 1) == (2, [])
    assert digest_of(folder) == before


@pytest.mark.slow
def test_crashes_memory_and_exceptions_are_told_apart(tmp_path):
    core = (
        "import os, signal\n\n\ndef ends(value):\n    if value > 3:\n        os.kill(os.getpid(), signal.SIGSEGV)\n"
        "    return value\n\n\ndef grows(value):\n    return len(bytes(value << 31)) if value > 3 else value\n\n\n"
        "def picks(items, place):\n    return items[place - 1]\n\n\n"
        "def hoards(value):\n    kept = []\n    if value > 3:\n        kept.extend(map(list, [()] * (1 << 25)))\n"
        "    return len(kept)\n"
    )
    tests = (
        "import unittest\nfrom till import core\n\n\ndef test_ends():\n    assert core.ends(3) == 3\n\n\n"
        "def test_grows():\n    assert core.grows(3) == 3\n\n\n"
        "def test_picks():\n    assert core.picks([1, 2], 2) == 2\n\n\n"
        "class Hoarding(unittest.TestCase):\n    def test_hoards(self):\n        assert core.hoards(3) == 0\n"
    )
    _, results = judged(tmp_path, core, tests, matrix=True)
    endings = {(mutant.function, result.reason, result.phase) for mutant, result in results}
    assert ("ends", KillReason.CRASH, Phase.CALL) in endings
    assert ("grows", KillReason.MEMORY_LIMIT, Phase.CALL) in endings
    assert ("hoards", KillReason.MEMORY_LIMIT, Phase.CALL) in endings  # what it holds, its traceback keeps
    assert ("hoards", KillReason.CRASH, Phase.CALL) not in endings
    assert ("picks", KillReason.EXCEPTION, Phase.CALL) in endings


@pytest.mark.slow
def test_whoever_ends_the_process_after_a_test_that_fails_is_killed_by_that_test(tmp_path):
    core = "def more(value):\n    return value + 1\n"
    tests = (
        "import os\nfrom till.core import more\n\n\ndef test_fails():\n    assert more(1) == 2\n\n\n"
        "def test_ends():\n    if more(1) != 2:\n        os._exit(3)\n"
    )
    trial, results = judged(tmp_path, core, tests, matrix=True)
    assert {(r.verdict, r.reason) for _, r in results} == {(Verdict.KILLED, KillReason.ASSERTION)}
    assert {row.bits for row in rows_of(tmp_path / "out", trial)} == {b"\x03"}
    assert verified(tmp_path / "out", None, 0, 1)[1] == []


@pytest.mark.slow
def test_the_test_that_fails_is_run_though_another_one_filled_a_cache_before_it(tmp_path):
    core = "from functools import lru_cache\n\n\n@lru_cache\ndef made():\n    return 41 + 1\n"
    other_tests = "".join(f"def test_{name}():\n    core.made()\n\n\n" for name in "bcde")
    tests = f"from till import core\n\n\n{other_tests}def test_made():\n    assert core.made() == 42\n"
    folder = own_project(tmp_path / "own", core=core, tests=tests)
    for seed in (0, 1):
        run_on(folder, tmp_path / f"out{seed}", seed=seed)
        _, results = results_of(tmp_path / f"out{seed}")
        assert {r.verdict for _, r in results} == {Verdict.KILLED}


@pytest.mark.slow
def test_a_test_may_take_the_steps_of_what_the_first_of_all_tests_fills(tmp_path):
    core = (
        "TABLE = []\n\n\ndef table():\n    if not TABLE:\n        for number in range(3000):\n"
        "            TABLE.append(number)\n    return TABLE\n\n\n"
        "def first(value):\n    return table()[value]\n\n\ndef other(value):\n    return table()[value] + 0 * value\n"
    )
    called = "".join(f"def test_{number}():\n    core.first(1)\n\n\n" for number in range(4))
    tests = f"from till import core\n\n\n{called}def test_other():\n    core.other(2)\n"
    _, results = judged(tmp_path, core, tests)
    reasons = {result.reason for mutant, result in results if mutant.function == "other"}
    assert reasons <= {None, KillReason.EXCEPTION}


MEDDLING = """\
import os
import threading

{on_import}


def threaded(value):
    found = []
    thread = threading.Thread(target=lambda: found.append(value + 1))
    thread.start()
    thread.join()
    return found[0]


def forked(value):
    child = os.fork()
    if child == 0:
        os._exit(value)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""
MEDDLING_TESTS = """\
import os
import shutil
from pathlib import Path

from till.core import forked, threaded


def test_moves():
    os.chdir("/")
    assert threaded(1) == 2


def test_forked():
    assert forked(1) == 1


def test_deletes():
    here = Path(__file__).parents[1]
    for path in here.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert threaded(2) == 3
"""


@pytest.mark.slow
@pytest.mark.parametrize("on_import", ["", "threading.Thread(target=threading.Event().wait, daemon=True).start()"])
def test_tests_that_move_fork_start_threads_and_delete_everything_are_contained(tmp_path, capsys, on_import):
    folder = own_project(tmp_path / "own", core=MEDDLING.format(on_import=on_import), tests=MEDDLING_TESTS)
    before = digest_of(folder)
    run_on(folder, tmp_path / "out", flaky="exclude")
    assert re.search(
        r"tests/test_core.py::test_forked fails on the original \(\w+: .*\), so it is left out", capsys.readouterr().err
    )
    verdicts = [
        (mutant.function, result.verdict) for mutant, result in results_of(tmp_path / "out")[1] if result.executed
    ]
    assert set(verdicts) == {("threaded", Verdict.KILLED)}
    assert digest_of(folder) == before


@pytest.mark.slow
def test_a_mutant_may_grow_by_more_than_half_a_gigabyte_only_where_the_original_does(tmp_path):
    core = "def made(value):\n    if value > 3:\n        return len(bytes(600 << 20))\n    return 0\n"
    small = "from till.core import made\n\n\ndef test_small():\n    assert made(3) == 0\n"
    large = small + "\n\ndef test_large():\n    assert made(4) == 600 << 20\n"
    for number, (tests, reason) in enumerate(((small, KillReason.MEMORY_LIMIT), (large, KillReason.ASSERTION))):
        result_of = {mutant.replacement: one for mutant, one in judged(tmp_path / f"{number}", core, tests)[1]}
        assert result_of["value >= 3"].reason is reason


@pytest.mark.slow
def test_a_suite_whose_only_test_hangs_on_what_a_fork_lacks_is_refused(tmp_path):
    tests = "import os\n\nfrom till.core import bounded\n\nSTARTED = os.getpid()\n\n\n" + (
        "def test_bounded():\n    assert bounded(7, 3) == 1\n    assert os.getpid() == STARTED\n"
    )
    with pytest.raises(UsageError, match="passes on the original, but fails in a process that was forked"):
        judged(tmp_path, tests=tests)
