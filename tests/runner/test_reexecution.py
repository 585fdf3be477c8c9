"""A mutant is executed again beside the original, in a process of its own, whatever it does to that process."""

import os
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from support import counter

from harness.kernel.naive.words import NaiveJob, SubjectJob
from harness.kernel.process.confinement import children_of
from harness.kernel.program.loader import ModuleText
from harness.model.outcome import KillReason, Location, MutantResult, Phase, Verdict
from harness.runner.witness import Reexecution, Witnessed


def below(process: int) -> list[int]:
    """Return the processes below one, those that were started first last."""
    return [found for child in children_of(process) for found in (*below(child), child)]


LAST = "        return self.value\n"
SURVIVED = MutantResult("m", Verdict.SURVIVED, counter.INPUTS, 21)
"""The result of a mutant that is not told from the original."""


def subject(folder: Path, source: str = counter.SOURCE, spec: str = counter.SPEC) -> SubjectJob:
    if not (folder / "suite").exists():
        counter.write_suite(folder / "suite")
    return SubjectJob(
        ModuleText("impl", source, "impl.py"), spec, "spec.py", counter.SCOPE, str(folder / "suite"), False
    )


def replaced(job: SubjectJob, new: str, every_input: bool = False) -> NaiveJob:
    """Return the job that replaces the whole of a source."""
    lines = job.implementation.source.split("\n")
    everything = Location(1, 0, len(lines), len(lines[-1]))
    return NaiveJob(job, everything, job.implementation.source, new, every_input, counter.INPUTS)


def acting(acts: str) -> str:
    """Return the counter with acts in `up`, which spend no steps."""
    faulty = counter.SOURCE.replace(LAST, f"        act(self)\n{LAST}")
    return f"{faulty}\ndef act(counter):\n    exec({acts!r}, {{'counter': counter, 'own': globals()}})\n"


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    job = subject(tmp_path_factory.mktemp("counter"))
    with Reexecution() as witness:
        yield witness, job


def honest(witness: Reexecution, job: SubjectJob) -> Witnessed:
    return witness.of("m", replaced(job, job.implementation.source.replace("self.value += 1", "self.value += 2 - 1")))


STOP = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"
LEAVE = "import os\nos._exit(3)"
ENDLESS = "while True: pass"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("acts", "reason", "detail"),
    [
        (STOP, KillReason.WALL_LIMIT, "wall-clock limit"),
        (ENDLESS, KillReason.WALL_LIMIT, "processor-time limit"),
        (LEAVE, KillReason.CRASH, "left with exit status 3"),
        ("import os\nos.write(3, b'x\\n') if False else [os.write(n, b'x\\n') for n in range(3, 9)]", None, ""),
    ],
    ids=["stops", "loops without steps", "leaves", "writes into pipes"],
)
def test_a_mutant_that_ends_or_halts_its_process_is_killed_and_the_next_one_is_not(one, acts, reason, detail):
    witness, job = one
    seen = witness.of("m", replaced(job, acting(acts))).result
    assert seen.verdict is Verdict.KILLED
    assert reason is None or (seen.reason, seen.detail) == (reason, detail)
    assert honest(witness, job) == Witnessed(SURVIVED)


def test_a_mutant_that_does_not_compile_is_stillborn(one):
    witness, job = one
    assert witness.of("m", replaced(job, "class")).result.verdict is Verdict.STILLBORN


def test_a_process_that_was_killed_is_started_again(one):
    witness, job = one
    assert honest(witness, job) == Witnessed(SURVIVED)
    naive = [one for one in below(os.getpid()) if b"kernel.naive" in Path(f"/proc/{one}/cmdline").read_bytes()]
    assert naive
    for process in naive:
        with suppress(ProcessLookupError):  # it ends with the one above it
            os.kill(process, signal.SIGKILL)
    assert honest(witness, job) == Witnessed(SURVIVED)


def test_where_the_spec_calls_the_implementation_it_calls_that_of_the_mutant(tmp_path):
    source = counter.SOURCE + "\n    def is_valid(self):\n        return self.value >= 0\n"
    spec = counter.SPEC.replace("return counter.value >= 0", "return counter.is_valid()")
    job = subject(tmp_path, source, spec)
    with Reexecution() as witness:
        assert honest(witness, job) == Witnessed(SURVIVED)
        broken = witness.of(
            "m", replaced(job, job.implementation.source.replace("self.value >= 0", "self.value > 0"), True)
        )
    assert (broken.result.reason, broken.result.input) == (KillReason.REP_INVARIANT, 0)


def test_a_file_that_a_function_imports_belongs_to_the_program_that_imports_it(tmp_path):
    called = counter.SOURCE.replace("self.value += 1", "import helper; self.value = helper.after(self.value)")
    helper = ModuleText("helper", "import impl\ndef after(value):\n    return impl.step(value)\n", "helper.py")
    job = subject(tmp_path, called + "\ndef step(value):\n    return value + 1\n")
    with Reexecution() as witness:
        alone = replace(job, implementation=replace(job.implementation, companions=(helper,)))
        seen = witness.of("m", replaced(alone, job.implementation.source.replace("value + 1", "value + 2"))).result
        assert (seen.reason, seen.phase) == (KillReason.OUTPUT, Phase.CALL)
        assert witness.of("m", replaced(alone, job.implementation.source + "\n")).result.verdict is Verdict.SURVIVED


def test_a_mutant_of_another_source_is_not_re_executed(one):
    witness, job = one
    other = NaiveJob(job, Location(1, 0, 1, 3), "def", "abc", False, counter.INPUTS)
    seen = witness.of("m", other).result
    assert (seen.verdict, seen.inputs_run) == (Verdict.INCONCLUSIVE, 0)
    assert "does not have 'def'" in seen.detail


def test_an_original_that_its_spec_rejects_is_not_re_executed(tmp_path):
    job = subject(tmp_path, spec=counter.SPEC.replace("return counter.value >= 0", "return counter.value < 0"))
    with Reexecution() as witness:
        seen = honest(witness, job).result
    assert (seen.verdict, seen.detail) == (
        Verdict.INCONCLUSIVE, "ValueError: a pre-state does not satisfy rep_ok or the precondition"
    )  # fmt: skip
