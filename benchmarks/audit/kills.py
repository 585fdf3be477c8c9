"""Kills processes of runs at random and aimed moments, and starts the runs again until they are finished."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from e2e.command_line import FinishedCommand, Place, eventually

from benchmarks.audit.finding import Found, Scale, told
from benchmarks.audit.kinds import KINDS, Kind, failed, finished, left_behind
from harness.store.run_store import export_facts

KILLS = 300
"""The number of kills in runs of all kinds."""
_MOST_TRIES = 12
"""The number of kills of one run, which is then left to finish."""

_ENDS_A_RUN = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")


def audit(scale: Scale, name: str) -> Found:
    """Kill runs of one kind. Findings are facts that differ from those of an undisturbed run, and leftovers."""
    kind = KINDS[name]
    most_kills = scale.of(KILLS // len(KINDS), 3)
    chance = random.Random(f"{scale.seed} {name}")
    reference, facts = kind.reference(scale, f"kills-{name}")
    done: Counter[str] = Counter()
    findings: list[str] = []
    runs = 0
    while sum(done.values()) < most_kills:
        runs += 1
        place = kind.place(scale, f"kills-{name}-{runs}", reference)
        left = min(_MOST_TRIES, most_kills - sum(done.values()))
        told(f"kills of {name}: {sum(done.values())} of {most_kills}")
        done += _killed(place, kind, chance, left)
        end = finished(place, place.start(*kind.command(place)))
        findings += [f"run {runs}: {what}" for what in _wrong(place, end, facts)]
    notes = [", ".join(f"{count} {what}" for what, count in sorted(done.items())) + "."]
    return Found({"kills": sum(done.values()), "runs": runs}, findings, notes)


def _wrong(place: Place, ended: FinishedCommand, facts: str) -> list[str]:
    if ended.status:
        return [f"it does not go on: {failed(ended)}"]
    problems = []
    if export_facts(place.folder / "run") != facts:
        problems.append("its facts are others")
    if not eventually(lambda: place.processes() == []):
        problems.append(f"processes are left: {place.processes()[:3]}")
    return problems + left_behind(place)


def _killed(place: Place, kind: Kind, chance: random.Random, tries: int) -> Counter[str]:
    """Start the run again and again, and kill a process of it each time, if possible."""
    done: Counter[str] = Counter()
    while sum(done.values()) < tries:
        process = place.start(*kind.command(place))
        _wait(place, process, chance)
        while process.poll() is None and sum(done.values()) < tries:
            target, number = _aim(process.pid, chance)
            name = chance.choice(_ENDS_A_RUN) if target == "orchestrator" else "SIGKILL"
            with suppress(ProcessLookupError):
                (os.killpg if target == "whole group" else os.kill)(number, signal.Signals[name])
                done[f"{name} of {'the' if target != 'descendant' else 'a'} {target}"] += 1
            if target != "descendant":
                break
            time.sleep(chance.uniform(0.0, 0.5))
        ended_by_itself = process.poll() == 0
        finished(place, process)
        eventually(lambda: place.processes() == [])
        if ended_by_itself:
            break
    return done


def _wait(place: Place, process: subprocess.Popen[str], chance: random.Random) -> None:
    """Wait until a random moment, or until a step of the run has just begun."""
    run, cache = place.folder / "run", place.folder / "cache"
    aims: list[Callable[[], bool]] = [
        lambda: run.exists(),
        lambda: any(run.glob("run.sqlite-journal")),
        lambda: any(run.glob("run.sqlite")),
        lambda: any(run.glob(".work*")),
        lambda: any(cache.glob("suites/*")),
        lambda: any(cache.glob("*")),
        lambda: any(place.temporary.iterdir()),
    ]
    if chance.random() < 0.5:
        eventually(lambda: process.poll() is not None, chance.uniform(0.05, 4.0))
    else:
        aim = chance.choice(aims)
        deadline = time.monotonic() + 5
        while not aim() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(chance.choice((0.0, 0.0, 0.01, 0.1)))


def _aim(orchestrator: int, chance: random.Random) -> tuple[str, int]:
    """Choose a target of a kill: the orchestrator, its group, or any process below it."""
    below = _descendants(orchestrator)
    choice = chance.random()
    if choice < 0.4 or not below:
        return "orchestrator", orchestrator
    return ("whole group", orchestrator) if choice < 0.5 else ("descendant", chance.choice(below))


def _descendants(process: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):
            parents.setdefault(int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1]), []).append(
                int(stat.parent.name)
            )
    processes, work = [], [process]
    while work:
        below = parents.get(work.pop(), [])
        processes += below
        work += below
    return sorted(processes)
