"""Mutants that damage the worker's files, pipes, processes and memory change no other mutant and no verdict."""

import json

import pytest
from support.bench import Bench
from support.counter import INPUTS, SOURCE, job

from harness.model.outcome import KillReason


def test_one_mutants_leftovers_do_not_reach_the_next(run):
    run("return self.value", "import builtins; builtins.range = None; open('left', 'w').close(); return self.value")
    assert run().reason is None
    facts = run("return self.value", "import os; assert not os.listdir('.'); return self.value")
    assert facts.reason is None


@pytest.mark.parametrize(
    "attempt",
    [
        "open('big', 'wb').write(b'x' * (1 << 22))",
        "[open('/dev/null') for _ in range(1000)].clear()",
        "import sys; assert sys.stdin is None or not sys.stdin.read()",
        "import os; os.read(0, 1) == b'' or 1 / 0",
    ],
)
def test_limits_on_files_handles_and_input_hold(run, attempt):
    facts = run("return self.value", f"{attempt}; return self.value")
    expected = (None,) if "read" in attempt else (KillReason.EXCEPTION, KillReason.CRASH)
    assert facts.reason in expected


NOISE = "import sys; print('x' * 3_000_000, file=sys.stderr, flush=True); print('y' * 3_000_000, flush=True); "


def test_what_a_program_prints_changes_nothing_and_meets_no_limit(tmp_path):
    noisy = SOURCE.replace("return self.value", f"{NOISE}return self.value")
    with Bench(job(tmp_path, source=noisy), INPUTS) as bench:
        for _ in range(2):
            facts = bench.mutant(noisy)
            assert (facts.reason, facts.inputs_run) == (None, INPUTS)


@pytest.mark.parametrize(
    "leave",
    [
        "open('left', 'x').close()",
        "os.makedirs('a/b/c'); os.chmod('a/b', 0)",
        "[os.mkdir(d) or os.chdir(d) for d in ['deep'] * 900]",
    ],
)
def test_what_a_mutant_writes_is_gone_before_the_next_one(run, leave):
    once = f"import os; by == 0 and (os.listdir('.') == [] or 1 / 0) and {leave}; return self.value"
    assert [run("return self.value", once, last=2).reason for _ in range(2)] == [None, None]


OPEN_PIPES = """
def _pipes():
    import os, stat
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode):
                yield number
        except OSError:
            pass

class Counter"""


def with_pipes(act: str) -> str:
    return SOURCE.replace("return self.value", act).replace("class Counter", OPEN_PIPES.lstrip())


def test_a_claim_written_into_the_pipe_of_facts_is_not_believed(bench):
    claim = dict.fromkeys(("reason", "phase", "input")) | {
        "detail": "",
        "inputs_run": INPUTS,
        "executed": 1,
        "steps": 9,
    }
    line = json.dumps(claim).encode() + bytes([10])
    facts = bench.mutant(with_pipes(f"import os; [os.write(pipe, {line!r}) for pipe in _pipes()]; os._exit(0)"))
    assert (facts.reason, facts.input, facts.detail) == (
        KillReason.CRASH,
        1,
        "wrote to the harness, or was cut off as the harness wrote",
    )


@pytest.mark.parametrize("flood", ["b'x' * 65536", "b'x'"])
def test_neither_a_flood_nor_a_trickle_into_the_pipe_keeps_a_mutant_alive(bench, flood):
    pour = f"import os, time; [os.write(pipe, {flood}) and time.sleep(0.001) for pipe in [*_pipes()] * 10**6]"
    assert bench.mutant(with_pipes(pour)).reason in (KillReason.CRASH, KillReason.WALL_LIMIT)


def test_a_mutant_that_breaks_what_watches_it_gets_a_verdict(run):
    facts = run("return self.value", "import builtins; builtins.type = builtins.len = None; return self.value")
    assert (facts.reason, facts.input) == (KillReason.CRASH, 1)


def test_a_mutant_starts_no_process_and_leaves_none(run):
    facts = run("return self.value", "import os; os.fork() or os._exit(0); return self.value")
    assert (facts.reason, facts.detail) == (KillReason.EXCEPTION, "raised PermissionError")


MEMORY = "import gc, mmap; memory = [m for m in gc.get_objects() if type(m) is mmap.mmap and len(m) < 100][0]; "


@pytest.mark.parametrize("matrix", [False, True])
@pytest.mark.parametrize(
    ("write", "input_"),
    [
        ("memory[:24] = b'\\xff' * 8 + b'\\xff' * 8 + b'\\0' * 7 + b'\\x80'; import os; os._exit(0)", None),
        ("memory[:8] = (24).to_bytes(8, 'little'); import os; os._exit(0)", None),
        ("memory[24:] = b'\\xff' * len(memory[24:]); raise KeyError", 1),
    ],
)
def test_what_a_mutant_writes_into_shared_memory_is_no_position_and_no_row(run, write, input_, matrix):
    facts = run("return self.value", MEMORY + write, matrix=matrix)
    assert (facts.reason, facts.input) == (KillReason.CRASH if input_ is None else KillReason.EXCEPTION, input_)
    assert (facts.bits is not None) is (matrix and input_ is not None)


def test_a_mutant_that_pretends_to_get_on_is_ended(run):
    feign = MEMORY + "import time; [memory.__setitem__(0, n % 7) or time.sleep(0.01) for n in range(10**6)]"
    assert run("return self.value", feign).reason in (KillReason.WALL_LIMIT, KillReason.STEP_LIMIT)


def test_a_mutant_that_closes_the_pipe_of_facts_runs_to_its_end(run):
    all_facts = [run("return self.value", "import os; os.closerange(3, 64); return self.value") for _ in range(3)]
    assert {(facts.reason, facts.detail) for facts in all_facts} == {(KillReason.CRASH, "left with exit status 70")}
