"""The sandboxed worker: every way in which a mutant can end is a fact, and the worker outlives it.

Mutants that damage the worker's files, pipes, processes and memory change no other mutant and no verdict.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.bench import Bench
from support.counter import INPUTS, SCOPE, SOURCE, job

from harness.errors import BaselineError, SourceError
from harness.kernel.process import limits as process_limits
from harness.kernel.process.child_process import ChildDeath
from harness.kernel.running import child_runs
from harness.kernel.running.job import BaselineOrder, InputMask, MutantFacts, MutantOrder, ProbeOrder, RunJob
from harness.kernel.running.zygote import Zygote
from harness.model.outcome import KillReason
from harness.sandbox.levels import VARIABLE


def test_the_baseline_counts_inputs_steps_and_exceptions(bench):
    arguments = range(-1, SCOPE + 1)
    calls = (SCOPE + 1) * len(arguments)
    assert bench.facts.inputs == calls == INPUTS
    assert bench.facts.raised == SCOPE + 1
    assert bench.facts.steps == calls + (SCOPE + 1) * sum(max(argument, 0) for argument in arguments)


def test_the_unchanged_program_survives_all_inputs_with_the_originals_steps(run):
    facts = run()
    assert (facts.reason, facts.inputs_run, facts.steps) == (None, INPUTS, 24 - 3)
    assert (facts.executed, run(backwards=True).steps) == (INPUTS, facts.steps)


def test_the_matrix_has_a_bit_for_every_input_and_goes_on_behind_a_crash(run):
    def bits(facts: MutantFacts) -> list[int]:
        data = facts.bits or b""
        return [i for i in range(INPUTS) if data[i // 8] >> (i % 8) & 1]

    facts = run("by < 0", "by < -1", matrix=True)
    assert bits(facts) == [0, 4, 8]
    assert facts.inputs_run == INPUTS
    facts = run(
        "return self.value", "import os; os.abort() if by == 2 else None; return self.value + (by == 1)", matrix=True
    )
    assert bits(facts) == [2, 3, 6, 7, 10, 11]
    assert (facts.reason, facts.input, facts.inputs_run) == (KillReason.OUTPUT, 2, INPUTS)
    assert run(matrix=True).bits == bytes(2)


@pytest.mark.parametrize("new", ["by < -1", "by < 0 and __import__('os').abort()"])
def test_a_row_of_kills_can_end_with_the_byte_of_a_certain_kill(run, new):
    whole = run("by < 0", new, matrix=True)
    for most in (1, 2):
        facts = run("by < 0", new, matrix=True, most_kills=most)
        assert (facts.bits, facts.inputs_run) == ((whole.bits or b"")[:1], 8)
        assert (facts.reason, facts.phase, facts.input) == (whole.reason, whole.phase, whole.input)
    for most in (3, 4):
        assert replace(run("by < 0", new, matrix=True, most_kills=most), seconds=0) == replace(whole, seconds=0)
    assert run("by < 0", new, most_kills=1).inputs_run == 1  # rows only


DIES_BEHIND_OTHERS = """
            import sys
            sys.calls = getattr(sys, "calls", 0) + 1  # where nobody puts it back
            if sys.calls == 4:
                import os
                os.abort()
"""


def test_a_death_that_does_not_repeat_alone_is_a_fault(bench):
    dies = SOURCE.replace("if by < 0:", "if by > -9:" + DIES_BEHIND_OTHERS + "        if by < 0:")
    assert bench.fault(dies, matrix=True) == "it died of input 3 only behind others"


DIES = SOURCE.replace("self.value += 1", "import os; os.abort()")


@contextmanager
def served_here(folder: Path) -> Iterator[Zygote]:
    """A worker in this process that has run the original."""
    try:
        worker = Zygote(RunJob.read(job(folder)), str(folder))
        worker.serve(BaselineOrder("original", 0, INPUTS, str(folder)))
        yield worker
    finally:
        gc.unfreeze()


@pytest.mark.slow
def test_a_mutant_that_dies_on_more_than_a_hundred_inputs_has_its_whole_row(tmp_path):
    scope = 11
    inputs = (scope + 1) * (scope + 2)
    with Bench(job(tmp_path, scope=scope), inputs) as bench:
        facts = bench.mutant(DIES, matrix=True)
    dying = [number for number in range(inputs) if number % (scope + 2) > 1]
    assert len(dying) > 100
    assert int.from_bytes(facts.bits or b"", "little") == sum(1 << number for number in dying)
    assert (facts.inputs_run, facts.executed, facts.died) == (inputs, inputs, False)


@pytest.mark.parametrize(
    ("reason", "detail", "run"),
    [(KillReason.CRASH, "SIGABRT", 5), (KillReason.CRASH, "SIGKILL", 3), (KillReason.WALL_LIMIT, "time", 3)],
)
def test_a_row_ends_after_so_many_deaths_of_which_dear_ones_count_more(tmp_path, monkeypatch, reason, detail, run):
    def dies_of_the_next(_kind: Any, _work: Any, _limits: Any, _seconds: Any, watched: Any) -> ChildDeath:
        progress = watched.progress
        executed = progress.position().executed
        progress.set(executed, executed, 0)
        return ChildDeath(reason, detail)

    monkeypatch.setattr(child_runs, "run_child", lambda _kind, work, *_limits, **_options: work())
    with served_here(tmp_path) as worker:
        monkeypatch.setattr(child_runs, "MOST_DEATHS", 5)
        monkeypatch.setattr(process_limits, "DEAR_DEATH", 2)
        monkeypatch.setattr(child_runs, "run_child", dies_of_the_next)
        facts = worker.serve(MutantOrder("m", str(tmp_path), 0, INPUTS, source=SOURCE, matrix=True))
    assert (facts.inputs_run, facts.died, facts.input) == (run, True, 0)


def test_a_module_that_is_loaded_only_once_is_a_fault(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "")  # contained, it cannot leave a mark
    mark = str(tmp_path / "mark")
    once = f"import os\nos.abort() if os.path.exists({mark!r}) else os.mkdir({mark!r})\n"
    dies = SOURCE.replace("return self.value", "return os.abort() if by == 2 else self.value")
    with Bench(job(tmp_path), INPUTS) as bench:
        assert bench.fault(once + dies, matrix=True) == "its module was loaded once, and then not again"
        Path(mark).rmdir()
        assert bench.mutant(once + SOURCE, matrix=True).reason is None


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (
            SOURCE.replace("self.value += 1", "self.value -= 1"),
            BaselineError,
            r"input 2, Counter\(value=0\)\.up\(1\) from a valid state: its post-state does not satisfy rep_ok",
        ),
        ("import nothing_at_all\n", SourceError, r"impl\.py:1: ModuleNotFoundError while it was loaded"),
        (
            SOURCE.replace("return self.value", "import os; os.abort()"),
            BaselineError,
            r"input 1, Counter\(value=0\)\.up\(0\): SIGABRT",
        ),
    ],
    ids=["invariant", "load", "death"],
)
def test_an_original_that_fails_is_an_error_that_shows_the_input(source, error, message, tmp_path):
    with pytest.raises(error, match=message), Bench(job(tmp_path, source=source), INPUTS):
        pass


def test_a_baseline_in_slices_serves_as_one_run_through(tmp_path):
    mutant = SOURCE.replace("by < 0", "by < -1")
    with Bench(job(tmp_path), INPUTS) as whole:
        expected = whole.mutant(mutant, matrix=True)
    with Bench(tmp_path / "job.json", 8) as sliced:
        sliced.order(BaselineOrder("rest", 8, INPUTS, sliced.baseline))
        facts = sliced.mutant(mutant, matrix=True, last=INPUTS)
    assert replace(facts, seconds=0) == replace(expected, seconds=0)


def test_inputs_that_are_not_wanted_count_as_run_with_the_originals_steps(bench):
    mutant = SOURCE.replace("by < 0", "by < -1")
    executed = bench.mutant(mutant)
    row = Path(bench.baseline, "row")
    row.write_bytes(b"??" + bytes([0b0001_0000, 0]))
    skipped = bench.mutant(mutant, input_mask=InputMask(str(row), 2))
    assert (executed.input, executed.executed) == (0, 1)
    assert (skipped.input, skipped.inputs_run, skipped.executed) == (4, 5, 1)
    survivor = bench.mutant(SOURCE, input_mask=InputMask(str(row), 2))
    everything = bench.mutant(SOURCE)
    assert survivor.executed == 1
    assert everything.executed == INPUTS
    assert (survivor.inputs_run, survivor.steps) == (everything.inputs_run, everything.steps)


def test_probes_tell_who_is_reached_and_who_differs(bench, tmp_path):
    compared = "__mutascope_probe__(__mutascope_reach__(0), by < 0, lambda: by <= 0, lambda: by < nothing)"
    text = SOURCE.replace("by < 0", compared).replace("self.value += 1", "__mutascope_reach__(1); self.value += 1")
    probes = Path(bench.baseline, "probes.json")
    probes.write_text(
        json.dumps({"text": text, "sites": [[[0, 1], [], [0, 1]], [[2], [2], []]], "mutants": 3}), encoding="utf-8"
    )
    rows = tmp_path / "rows"
    bench.order(ProbeOrder("probes", 0, INPUTS, str(probes), str(rows), judged=True))
    width = (INPUTS + 7) // 8
    data = rows.read_bytes()
    sets = [[i for i in range(INPUTS) if data[at * width + i // 8] >> (i % 8) & 1] for at in range(len(data) // width)]
    arguments = [i % (SCOPE + 2) - 1 for i in range(INPUTS)]
    everywhere = list(range(INPUTS))
    looped = [i for i in everywhere if arguments[i] > 0]
    assert sets == [everywhere, everywhere, looped, [i for i in everywhere if arguments[i] == 0], everywhere, looped]


def test_the_name_of_an_exception_is_told_in_part_where_it_is_long(run):
    facts = run("return self.value", "raise type('X' * 50_000_000, (Exception,), {})")
    assert (facts.reason, len(facts.detail)) == (KillReason.EXCEPTION, len("raised ") + 200)


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


@pytest.mark.parametrize("detach", ["", "os.setsid(); "])
def test_nothing_below_a_mutant_lives_on(detach, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "")  # where system calls are refused, no mutant starts a process
    mark = tmp_path / "alive"
    forking = (
        "import os, time\n        if os.fork() == 0:\n"
        f"            {detach}time.sleep(1); os.mkdir({str(mark)!r})\n        return self.value"
    )
    with Bench(job(tmp_path), INPUTS) as bench:
        bench.mutant(SOURCE.replace("return self.value", forking))
        time.sleep(1.5)
    assert not mark.exists()


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
