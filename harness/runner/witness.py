"""The parent of naive children: starts them, listens, and puts what they testify into the form of a run's results."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import harness
from harness.kernel.children import IDLE_FACTOR, MOST_DEATHS, WALL_CONSTANT, WALL_FACTOR, weight
from harness.kernel.naive import NaiveJob
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.sandbox.addresses import fixed_addresses
from harness.sandbox.folders import own_folder
from harness.store.facts import KillRow

LONGEST_SILENCE = 600.0
"""Seconds for what is not the mutant's doing: starting, and the original's runs, which end by assumption."""

Line = dict[str, Any]
Death = tuple[KillReason, str]


@dataclass(frozen=True)
class Witnessed:
    """What the naive path saw of one mutant; `kill_row` where every input was run."""

    result: MutantResult
    kill_row: KillRow | None = None


@dataclass
class _Heard:
    """What one child said: the last line, and the lines on finished inputs taken together.

    `death` is how the mutant ended it, `fault` what went wrong in no mutant's turn.
    """

    last: Line = field(default_factory=dict)
    finished: int = 0
    steps: int = 0
    kills: dict[int, list[str]] = field(default_factory=dict)
    death: Death | None = None
    fault: str | None = None

    def add(self, line: Line) -> None:
        self.last = line
        if "steps" in line:
            self.finished += 1
            self.steps += line["steps"]
            if line["kill"]:
                self.kills[line["input"]] = line["kill"]

    @property
    def mutants_turn(self) -> bool:
        """Whether the child is loading the mutant or running it on an input."""
        return "loading" in self.last or "seconds" in self.last

    @property
    def complete(self) -> bool:
        """Whether the child has nothing more to say."""
        return not self.last.keys().isdisjoint({"end", "fault", "stillborn", "unloadable"})


def witness(mutant: str, job: NaiveJob, most_deaths: int | None = MOST_DEATHS) -> Witnessed:
    """Re-executes a mutant, going on in a new process behind an input that killed one, if every input is to be run."""
    kills: dict[int, list[str]] = {}
    finished = steps = deaths = 0
    no_program = KillRow.full(mutant, job.last) if job.every_input else None
    while True:
        heard = _hear(replace(job, first=finished))
        if heard.fault is not None:
            return Witnessed(MutantResult(mutant, Verdict.INCONCLUSIVE, 0, None, detail=heard.fault))
        if "stillborn" in heard.last:
            return Witnessed(MutantResult(mutant, Verdict.STILLBORN, 0, None, detail=heard.last["stillborn"]))
        if "unloadable" in heard.last:
            return Witnessed(_killed(mutant, heard.last["unloadable"], None, 0, 0), no_program)
        kills |= heard.kills
        finished += heard.finished
        steps += heard.steps
        if heard.death is None:
            break
        reason, detail = heard.death
        if "loading" in heard.last:
            return Witnessed(
                _killed(mutant, [reason.value, Phase.LOAD.value, detail], None, finished, None), no_program
            )
        kills[heard.last["input"]] = [reason.value, Phase.CALL.value, detail]
        finished += 1
        deaths += weight(reason, detail)
        if not job.every_input or finished == job.last or (most_deaths is not None and deaths >= most_deaths):
            break
    row = KillRow.of_kills(mutant, finished, kills) if job.every_input and finished == job.last else None
    if not kills:
        return Witnessed(MutantResult(mutant, Verdict.SURVIVED, finished, steps), row)
    first = min(kills)
    return Witnessed(_killed(mutant, kills[first], first, finished, None if deaths else steps), row)


def _killed(mutant: str, kill: list[str], number: int | None, inputs_run: int, steps: int | None) -> MutantResult:
    reason, phase, detail = kill
    return MutantResult(
        mutant, Verdict.KILLED, inputs_run, steps, KillReason(reason), Phase(phase), number, detail
    )  # fmt: skip


# -- one child -----------------------------------------------------------------------------------


def _hear(job: NaiveJob) -> _Heard:
    """What a child said. SIGKILL may be the machine's doing (memory): believed at the second time."""
    heard = _hear_once(job)
    return _hear_once(job) if heard.death == (KillReason.CRASH, "SIGKILL") else heard


def _hear_once(job: NaiveJob) -> _Heard:
    heard = _Heard()
    ours, theirs = os.pipe()
    with own_folder() as folder:
        with fixed_addresses():
            child = subprocess.Popen(
                [sys.executable, "-m", "harness.kernel.naive", str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=_environment(),
                pass_fds=(theirs,),
            )
        os.close(theirs)
        try:
            _give(child, job.text())
            in_time = _listen(ours, heard)
        finally:
            os.close(ours)
            status = _end(child)
    if "fault" in heard.last:
        heard.fault = heard.last["fault"]
    elif not heard.complete:
        if not heard.mutants_turn:
            how = f"ended with status {status}" if in_time else f"said nothing for {LONGEST_SILENCE:g} s"
            heard.fault = f"the naive process {how} while it was not the mutant's turn"
        else:
            heard.death = _death(status) if in_time else (KillReason.WALL_LIMIT, "wall-clock limit")
    return heard


def _environment() -> dict[str, str]:
    return {
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(Path(harness.__file__).parents[1]),
    }


def _give(child: subprocess.Popen[bytes], text: str) -> None:
    assert child.stdin is not None
    try:
        with child.stdin as end:
            end.write(text.encode())
    except BrokenPipeError:
        pass  # it has ended already, which its silence will tell


def _listen(end: int, heard: _Heard) -> bool:
    """Hears the child to its end; False if it is silent for too long.

    A mutant that computes is ended by the limit on processor time, 10 T_o + 1 s, that the child
    sets itself; here is the limit for one that sleeps, as generous as the fast path's.
    """
    data = b""
    while not heard.complete:
        waiting = IDLE_FACTOR * (WALL_FACTOR * heard.last.get("seconds", 0.0) + WALL_CONSTANT)
        ready, _, _ = select.select([end], [], [], waiting if heard.mutants_turn else LONGEST_SILENCE)
        if not ready:
            return False
        chunk = os.read(end, 1 << 16)
        if not chunk:
            return True
        *lines, data = (data + chunk).split(b"\n")
        for line in lines:
            heard.add(json.loads(line))
    return True


def _death(status: int) -> Death:
    if status >= 0:
        return KillReason.CRASH, f"left with exit status {status}"
    if status == -signal.SIGXCPU:
        return KillReason.WALL_LIMIT, "processor-time limit"
    return KillReason.CRASH, signal.Signals(-status).name


def _end(child: subprocess.Popen[bytes]) -> int:
    """Ends the child and everything below it; its status, which nothing changes once its pipe is closed."""
    for kill in (os.killpg, os.kill):
        try:
            kill(child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # ended, or not yet a group of its own
    return child.wait()
