"""Starts two and three runs at once, into one folder, and into separate folders with one cache."""

from __future__ import annotations

import random
import time

from e2e.command_line import FinishedCommand, Place

from benchmarks.audit.finding import Found, Scale, told
from benchmarks.audit.kinds import KINDS, Kind, failed, finished
from harness.store.run_store import export_facts

ROUNDS = 10
"""Over all kinds; a round has ten runs."""


def audit(scale: Scale, name: str) -> Found:
    """Run one kind several times at once. Findings are facts that differ from a single run's, and refusals of many
    lines.
    """
    kind = KINDS[name]
    chance = random.Random(f"{scale.seed} {name}")
    reference, facts = kind.reference(scale, f"together-{name}")
    findings: list[str] = []
    runs = 0
    for number in range(scale.of(ROUNDS // len(KINDS), 1)):
        for many in (2,) if scale.small else (2, 3):
            for separate in (False, True):
                told(f"{name} together: {runs} runs")
                place = kind.place(scale, f"together-{name}-{number}-{many}-{separate}", reference)
                folders = [f"run{index}" if separate else "run" for index in range(many)]
                ends = _at_once(place, kind, folders, chance)
                runs += many
                title = f"{many} runs into {'folders of their own' if separate else 'one folder'}"
                findings += [f"{title}: {finding}" for finding in _wrong(place, folders, ends, facts)]
    return Found({"runs": runs}, findings)


def _at_once(place: Place, kind: Kind, folders: list[str], chance: random.Random) -> list[FinishedCommand]:
    processes = []
    for folder in folders:
        processes.append(place.start(*kind.command(place, folder)))
        time.sleep(chance.choice((0.0, 0.05, 0.5)))
    return [finished(place, process) for process in processes]


def _wrong(place: Place, folders: list[str], ended: list[FinishedCommand], facts: str) -> list[str]:
    problems = []
    one = len(set(folders)) == 1
    for end in ended:
        if end.status and not (one and end.status == 2 and end.err.count("\n") == 1):
            problems.append(f"one ended with {failed(end)}")
    if all(end.status for end in ended):
        problems.append("none finished")
        return problems
    for folder in sorted({folder for folder, end in zip(folders, ended, strict=True) if end.status == 0}):
        if export_facts(place.folder / folder) != facts:
            problems.append("the facts are others")
    return problems + [f"a process is left: {line}" for line in place.processes()]
