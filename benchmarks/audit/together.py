"""Two and three runs at once: into one folder, and into folders of their own with one cache."""

from __future__ import annotations

import random
import time

from e2e.command_line import Ended, Place

from benchmarks.audit.finding import Found, Scale, told
from harness.store.export import export_facts

ROUNDS = 10
_RUN = ("run", "--subject", "search_tree", "--scope", "1-3", "--jobs", 2, "--out")


def audit(scale: Scale) -> Found:
    """Findings are facts that differ from those of a run alone, and refusals without their one line."""
    chance = random.Random(scale.seed)
    rounds = scale.of(ROUNDS, 1)
    reference = scale.place("together-reference")
    reference.succeed("mutate", "search_tree", "--pin", "--size", 60)
    reference.succeed(*_RUN, "run")
    facts = export_facts(reference.folder / "run")
    findings: list[str] = []
    runs = 0
    for number in range(rounds):
        for many in (2, 3):
            for apart in (False, True):
                told(f"together: {runs} runs")
                place = scale.place(f"together-{number}-{many}-{apart}")
                (place.folder / "mutants").symlink_to(reference.folder / "mutants")
                folders = [f"run{index}" if apart else "run" for index in range(many)]
                ended = _at_once(place, folders, chance)
                runs += many
                what = f"{many} runs into {'folders of their own' if apart else 'one folder'}"
                findings += [f"{what}: {finding}" for finding in _wrong(place, folders, ended, facts)]
    return Found("Runs at once", [f"{runs} runs, {len(findings)} findings"], findings)


def _at_once(place: Place, folders: list[str], chance: random.Random) -> list[Ended]:
    processes = []
    for folder in folders:
        processes.append(place.start(*_RUN, folder))
        time.sleep(chance.choice((0.0, 0.05, 0.5)))
    return [place.finish(process) for process in processes]


def _wrong(place: Place, folders: list[str], ended: list[Ended], facts: str) -> list[str]:
    found = []
    one = len(set(folders)) == 1
    finished = [end for end in ended if end.status == 0]
    for end in ended:
        if end.status and not (one and end.status == 2 and end.err.count("\n") == 1):
            found.append(f"one ended with status {end.status}: {end.err.strip()[-300:]}")
    if not finished:
        found.append("none finished")
        return found
    for folder in sorted(set(folders)):
        if export_facts(place.folder / folder) != facts:
            found.append("the facts are others")
    return found + [f"a process is left: {line}" for line in place.processes()]
