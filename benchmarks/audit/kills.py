"""Runs whose processes are killed at random and aimed moments, and started again until they are finished."""

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

from e2e.command_line import Place, eventually

from benchmarks.audit.finding import Found, Scale, told
from harness.store.export import export_facts

KILLS = 200
_RUN = ("run", "--subject", "search_tree", "--scope", "1-3", "--jobs", 2, "--out", "run")
_MOST_TRIES = 12
"""Of one run; then it is left in peace to finish."""

_ENDS_A_RUN = ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")


def audit(scale: Scale) -> Found:
    """Findings are facts that differ from those of a run in peace, and what a finished run leaves behind."""
    wanted = scale.of(KILLS, 6)
    chance = random.Random(scale.seed)
    reference = scale.place("kills-reference")
    reference.succeed("mutate", "search_tree", "--pin", "--size", 60)
    reference.succeed(*_RUN)
    facts = export_facts(reference.folder / "run")
    done: Counter[str] = Counter()
    findings: list[str] = []
    finished = 0
    while sum(done.values()) < wanted:
        place = scale.place(f"kills-{finished}")
        (place.folder / "mutants").symlink_to(reference.folder / "mutants")
        left = min(_MOST_TRIES, wanted - sum(done.values()))
        told(f"kills: {sum(done.values())} of {wanted}")
        done += _killed(place, chance, left)
        ended = place.run(*_RUN)
        finished += 1
        findings += [f"run {finished}: {what}" for what in _wrong(place, ended.status, ended.err, facts)]
    by_kind = ", ".join(f"{count} {kind}" for kind, count in sorted(done.items()))
    figures = [f"{sum(done.values())} kills of {finished} runs, each gone on with to its end, {len(findings)} findings",
               by_kind]  # fmt: skip
    return Found("Kills at random and aimed moments", figures, findings)


def _wrong(place: Place, status: int, said: str, facts: str) -> list[str]:
    if status:
        return [f"it does not go on: {said.strip()}"]
    found = []
    if export_facts(place.folder / "run") != facts:
        found.append("its facts are others")
    if not eventually(lambda: place.processes() == []):
        found.append(f"processes are left: {place.processes()[:3]}")
    found += [f"{path.name} is left among temporary files" for path in place.temporary.iterdir()]
    known = {"run.sqlite", "run.log", "run.lock"}
    return found + [f"{path.name} is left" for path in (place.folder / "run").iterdir() if path.name not in known]


def _killed(place: Place, chance: random.Random, tries: int) -> Counter[str]:
    """Starts the run again and again, and kills something of it each time it can."""
    done: Counter[str] = Counter()
    while sum(done.values()) < tries:
        process = place.start(*_RUN)
        _wait(place, process, chance)
        while process.poll() is None and sum(done.values()) < tries:
            what, number = _aim(process.pid, chance)
            name = chance.choice(_ENDS_A_RUN) if what == "orchestrator" else "SIGKILL"
            with suppress(ProcessLookupError):
                (os.killpg if what == "whole group" else os.kill)(number, signal.Signals[name])
                done[f"{name} of {'the' if what != 'descendant' else 'a'} {what}"] += 1
            if what != "descendant":
                break
            time.sleep(chance.uniform(0.0, 0.5))
        ended_by_itself = process.poll() == 0
        place.finish(process)
        eventually(lambda: place.processes() == [])
        if ended_by_itself:
            break
    return done


def _wait(place: Place, process: subprocess.Popen[str], chance: random.Random) -> None:
    """Until a random moment, or one at which something has just begun."""
    run, cache = place.folder / "run", place.folder / "cache"
    aims: list[Callable[[], bool]] = [
        lambda: run.exists(),
        lambda: any(run.glob("run.sqlite-journal")),
        lambda: any(run.glob("run.sqlite")),
        lambda: any(run.glob(".work*")),
        lambda: any(cache.glob("suites/*")),
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
    """What to kill: the orchestrator, its group, or any process below it."""
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
    found, work = [], [process]
    while work:
        below = parents.get(work.pop(), [])
        found += below
        work += below
    return sorted(found)
