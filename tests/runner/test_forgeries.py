"""A verdict that a mutant has forged is a disagreement: it is judged where no mutant runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support import counter
from support.killing import kill_processes

from harness.kernel.naive.job import NaiveJob, SubjectJob
from harness.kernel.naive.process import JUDGE
from harness.model.mutant import Location
from harness.model.outcome import KillReason, MutantResult, Verdict
from harness.runner.verify import agree
from harness.runner.witness import Reexecution, Witnessed

LAST = "        return self.value\n"
SURVIVED = MutantResult("m", Verdict.SURVIVED, counter.INPUTS, 21)
"""What is stored of a mutant that is not told from the original."""


def subject(folder: Path, source: str = counter.SOURCE, spec: str = counter.SPEC) -> SubjectJob:
    if not (folder / "suite").exists():
        counter.write_suite(folder / "suite")
    return SubjectJob("impl", "impl.py", source, (), spec, "spec.py", str(folder / "suite"), counter.SCOPE, False)


def replaced(job: SubjectJob, new: str, every_input: bool = False) -> NaiveJob:
    """Return the job that replaces the whole of a source."""
    lines = job.source.split("\n")
    everything = Location(1, 0, len(lines), len(lines[-1]))
    return NaiveJob(job, everything, job.source, new, every_input, counter.INPUTS)


def hostile(acts: str, fault: str = "self.value += 1") -> str:
    """Return the counter with acts in `up`, which spend no steps, and a fault that they are to hide."""
    faulty = counter.SOURCE.replace(LAST, f"        hide(self)\n        {fault}\n{LAST}")
    return f"{faulty}\ndef hide(counter):\n    exec({acts!r}, {{'counter': counter, 'own': globals()}})\n"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Reexecution, SubjectJob]]:
    job = subject(tmp_path_factory.mktemp("counter"))
    with Reexecution() as witness:
        yield witness, job


PATCH_MODULES = """
import sys
names = ("rep_ok", "abstraction", "equal_values", "equal", "same_outcome", "judge", "observed", "differs", "budget_for")
for module in list(sys.modules.values()):
    for name in names:
        if hasattr(module, name):
            setattr(module, name, lambda *a, **k: True)
"""
PATCH_FRAMES = """
import sys
frame = sys._getframe()
while frame is not None:
    for value in [*frame.f_locals.values(), *vars(frame.f_locals.get("self", counter)).values()]:
        if hasattr(value, "rep_ok"):
            object.__setattr__(value, "rep_ok", lambda state: True)
            object.__setattr__(value, "abstraction", lambda state: 0)
    frame = frame.f_back
"""
PATCH_OBJECTS = """
import gc
for value in gc.get_objects():
    if type(value).__name__ == "Spec":
        object.__setattr__(value, "rep_ok", lambda state: True)
        object.__setattr__(value, "abstraction", lambda state: 0)
    if type(value).__name__ == "function" and value.__name__ in ("rep_ok", "equal_values", "judge"):
        value.__code__ = (lambda *a, **k: True).__code__
"""
TRACE = """
import sys
def looked_at(frame, event, argument):
    if frame.f_code.co_name in ("rep_ok", "concrete", "_other_state", "state_of"):
        counter.value -= 1
    return None
sys.settrace(looked_at)
sys.setprofile(looked_at)
"""
STEPS_OF_FRAMES = """
import sys
frame = sys._getframe()
while frame is not None:
    for value in [*frame.f_locals.values(), *vars(frame.f_locals.get("self", counter)).values()]:
        if hasattr(value, "spent_by_others"):
            value.start(1 << 60)
    frame = frame.f_back
"""
STEPS_OF_OBJECTS = """
import gc
for value in gc.get_objects():
    if type(value).__name__ == "StepCounter":
        value.start(1 << 60)
"""
STEPS_OF_TICKS = """
tick = own["__mutascope_tick__"]
for cell in tick.__closure__:
    if type(cell.cell_contents) is int: cell.cell_contents = 1 << 60
"""
PATCH_BUILTINS = """
import builtins
builtins.all = builtins.any = builtins.isinstance = lambda *a: True
builtins.sorted = lambda *a: []
builtins.len = lambda *a: 1
"""
LINES_EVERYWHERE = """
import os
for line in (b'{"steps": 1, "kill": null}', b'{"id": "m", "reason": null}', b'{"end": true}', b'{"said": ""}'):
    for handle in range(64):
        try: os.write(handle, line + bytes([10]))
        except OSError: pass
"""
THREAD = """
import threading, os
def write():
    while True:
        for handle in range(3, 64):
            try: os.write(handle, b'{"steps": 1, "kill": null}' + bytes([10]))
            except OSError: pass
threading.Thread(target=write, daemon=True).start()
"""
AT_EXIT = """
import atexit, os
atexit.register(lambda: os.write(3, b'{"end": true}'))
raise SystemExit
"""
OTHER_TALE = """
from harness.kernel.naive import executor
executor.told = lambda *a: {"roots": [], "nodes": []}
"""
LYING_CLASS = """
class Counter:
    def __eq__(self, other): return True
    def __hash__(self): return 0
    value = property(lambda self: 0, lambda self, value: None)
counter.__class__ = Counter
"""
LYING_VALUE = """
class Liar(int):
    def __eq__(self, other): return True
    def __ge__(self, other): return True
    __hash__ = int.__hash__
counter.value = Liar(counter.value)
"""
FLOOD = """
import os
while True:
    for handle in range(3, 64):
        try: os.write(handle, b"x" * 65536)
        except OSError: pass
"""
DEEP = """
import os
for handle in range(3, 64):
    try: os.write(handle, b"[" * 60000 + bytes([10]))
    except OSError: pass
"""
LONG_NAME = """
raise type("x" * 20_000_000, (Exception,), {})
"""
KILL_PARENT = """
import os
os.kill(os.getppid(), 9)
import time; time.sleep(60)
"""
LEAVE = """
import os
os._exit(0)
"""
CLOSE = """
import os
os.closerange(0, 64)
"""


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "acts",
    [
        "0", PATCH_MODULES, PATCH_FRAMES, PATCH_OBJECTS, TRACE, STEPS_OF_FRAMES, STEPS_OF_OBJECTS, STEPS_OF_TICKS,
        PATCH_BUILTINS, LINES_EVERYWHERE, THREAD, AT_EXIT, OTHER_TALE, LYING_CLASS, LYING_VALUE, FLOOD, DEEP,
        LONG_NAME, KILL_PARENT, LEAVE, CLOSE,
    ],
    ids=lambda acts: " ".join(acts.split())[:60],
)  # fmt: skip
def test_no_act_hides_a_fault(one: tuple[Reexecution, SubjectJob], acts: str) -> None:
    witness, job = one
    of_steps = acts in (STEPS_OF_FRAMES, STEPS_OF_OBJECTS, STEPS_OF_TICKS)
    fault = "for _ in range(100_000): pass" if of_steps else "self.value += 1"
    seen = witness.of("m", replaced(job, hostile(acts, fault)))
    assert seen.result.verdict is Verdict.KILLED
    assert not agree(SURVIVED, seen.result)
    assert honest(witness, job) == Witnessed(SURVIVED)


def test_no_act_at_loading_hides_a_fault(one: tuple[Reexecution, SubjectJob]) -> None:
    witness, job = one
    source = f"class counter: pass\n{PATCH_MODULES}{PATCH_FRAMES}{PATCH_OBJECTS}{PATCH_BUILTINS}"
    seen = witness.of("m", replaced(job, source + counter.SOURCE.replace("+= 1", "+= 2")))
    assert not agree(SURVIVED, seen.result)


def honest(witness: Reexecution, job: SubjectJob) -> Witnessed:
    return witness.of("m", replaced(job, job.source.replace("self.value += 1", "self.value += 2 - 1")))


STOP = """
import os, signal
os.kill(os.getpid(), signal.SIGSTOP)
"""
TRICKLE = """
import os, time
while True:
    for handle in range(3, 64):
        try: os.write(handle, b"x")
        except OSError: pass
    time.sleep(0.05)
"""


@pytest.mark.slow
@pytest.mark.parametrize("acts", [STOP, TRICKLE], ids=["stops", "trickles"])
def test_a_mutant_that_stops_or_trickles_is_ended_by_the_clock(one: tuple[Reexecution, SubjectJob], acts: str) -> None:
    witness, job = one
    seen = witness.of("m", replaced(job, hostile(acts)))
    assert seen.result.reason is KillReason.WALL_LIMIT
    assert honest(witness, job) == Witnessed(SURVIVED)


def test_a_judge_that_was_killed_is_started_again(one: tuple[Reexecution, SubjectJob]) -> None:
    witness, job = one
    assert honest(witness, job) == Witnessed(SURVIVED)
    assert kill_processes("harness.kernel.naive.process", JUDGE)
    assert honest(witness, job) == Witnessed(SURVIVED)


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("judging", "verdict", "reason", "detail"),
    [
        ("__import__('os').abort()", Verdict.INCONCLUSIVE, None, "has died twice: ended by SIGABRT"),
        ("sum(range(10**13)) > 0", Verdict.KILLED, KillReason.WALL_LIMIT, ""),
    ],
    ids=["what kills the judge twice is neither confirmed nor denied", "endless judging is killed by the clock"],
)
def test_a_judge_that_does_not_answer_is_replaced(
    tmp_path: Path, judging: str, verdict: Verdict, reason: KillReason | None, detail: str
) -> None:
    spec = counter.SPEC.replace("return counter.value >= 0", f"return counter.value < 5 or {judging}")
    job = subject(tmp_path, spec=spec)
    leaving_five = job.source.replace("return self.value", "self.value += 5; return self.value - 5")
    with Reexecution() as witness:
        result = witness.of("m", replaced(job, leaving_five)).result
        assert (result.verdict, result.reason) == (verdict, reason)
        assert detail in result.detail
        assert honest(witness, job) == Witnessed(SURVIVED)


CALLING = counter.SOURCE + "\n    def is_valid(self):\n        return self.value >= 0\n"


@pytest.mark.end_to_end
def test_where_the_spec_calls_the_implementation_it_is_judged_inside(tmp_path: Path) -> None:
    spec = counter.SPEC.replace("return counter.value >= 0", "return counter.is_valid()")
    job = subject(tmp_path, CALLING, spec)
    with Reexecution() as witness:
        assert honest(witness, job) == Witnessed(SURVIVED, inside=True)
        broken = witness.of("m", replaced(job, job.source.replace("self.value >= 0", "self.value > 0"), True))
    assert broken.inside
    assert (broken.result.reason, broken.result.input) == (KillReason.REP_INVARIANT, 0)
    assert broken.kill_row is not None


@pytest.mark.end_to_end
def test_no_mutant_has_itself_judged_inside_where_the_original_is_judged_outside(tmp_path: Path) -> None:
    spec = counter.SPEC.replace("return counter.value >= 0", "return counter.value != -1")
    job = subject(tmp_path, counter.SOURCE + "class Other:\n    def __ne__(self, other):\n        return True\n", spec)
    with Reexecution() as witness:
        seen = witness.of(
            "m",
            replaced(
                job,
                job.source.replace(
                    LAST, f"        was = self.value\n        self.value = Other()\n{LAST.replace('self.value', 'was')}"
                ),
            ),
        )
    assert not seen.inside
    assert seen.result.reason is KillReason.STATE


def test_the_executor_is_told_neither_source_nor_expectation(one: tuple[Reexecution, SubjectJob]) -> None:
    witness, job = one
    search = """
import gc
for value in gc.get_objects():
    if type(value).__name__ in ("Judge", "SubjectJob", "Original", "JudgedInput", "Spec"):
        raise KeyError(type(value).__name__)
"""
    seen = witness.of("m", replaced(job, hostile(search, "pass")))
    assert replace(seen.result, steps=21) == SURVIVED


@pytest.mark.end_to_end
def test_a_mutant_of_another_source_is_not_re_executed(one: tuple[Reexecution, SubjectJob]) -> None:
    witness, job = one
    seen = witness.of("m", replace(replaced(job, "pass"), original="x"))
    assert (seen.result.verdict, "the source does not have 'x'" in seen.result.detail) == (Verdict.INCONCLUSIVE, True)
