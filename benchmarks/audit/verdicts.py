"""Executes verdicts and kill-matrix bits of many runs of all kinds again by the naive path."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator

from e2e.command_line import Place
from support.own_project import own_project

from benchmarks.audit.finding import Found, Scale, told
from benchmarks.audit.kinds import PROJECT, failed, finished
from benchmarks.audit.rounds import ROUNDS, WRITTEN, Round
from harness import api
from harness.model.subject import Subject
from harness.runner.subjects import load_subject
from harness.store.run_store import export_facts

WANTED = 20_000
"""Verdicts of the whole audit."""
SAMPLE = 10
"""Verdicts of a round that are verified at small scope."""
_SHARE = 900
"""Verdicts of each round at most: more than its part of those wanted, as some rounds have few subjects."""


def audit(scale: Scale, name: str) -> Found:
    """Run a round's subjects, in an order that the seed draws, or its project, and verify the stored results.

    Findings are disagreements, and runs that fail. At small scale, it is one subject and a sample of its verdicts.
    """
    enough = scale.of(_SHARE, SAMPLE)
    checked = bits = runs = 0
    findings: list[str] = []
    for place, arguments in _runs(scale, ROUNDS[name], name):
        told(f"verdicts of {name}: {checked} checked; {arguments}")
        runs += 1
        problems, seen = _verified(place, arguments, scale, enough - checked)
        findings += problems
        checked += seen
        bits += 0 if scale.small else _bits(place)
        if checked >= enough:
            break
    return Found({"verdicts": checked, "kill-matrix bits": bits, "runs": runs}, findings)


def _runs(scale: Scale, one: Round, name: str) -> Iterator[tuple[Place, tuple[str, ...]]]:
    """Yield places, and the arguments of `mutascope run` in each."""
    name = f"verdicts-{name}".replace(" ", "-")
    if one.project:
        place = scale.place(name, stands=PROJECT)
        own_project(place.stands, one.project)
        yield place, one.of_project("till.core")
        return
    names = sorted(api.available_names()["subjects"])
    subjects = [one.small] if scale.small else random.Random(f"{scale.seed} {name}").sample(names, len(names))
    for number, subject in enumerate(subjects):
        arguments = one.of(load_subject(subject))
        if arguments is not None and one.generator == WRITTEN:
            place = scale.place(f"{name}-{number}", stands=PROJECT)
            _write_tests(place, load_subject(subject))
            yield place, arguments
        elif arguments is not None:
            yield scale.place(f"{name}-{number}"), arguments


def _write_tests(place: Place, subject: Subject) -> None:
    """Make a project of the subject's implementation, and of tests that are written from sequences of calls."""
    shutil.copy(subject.source_path, place.stands / f"{subject.module}.py")
    tests = place.stands / "tests" / "test_written.py"
    tests.parent.mkdir()
    suite = ("suite", subject.pinned_name, "--generator", "beapi", "--scope", 2, "--export", "code", "--select", "all")
    place.succeed(*suite, "--module", subject.module, "--out", tests)


def _verified(place: Place, asked: tuple[str, ...], scale: Scale, most: int) -> tuple[list[str], int]:
    """Return the findings of one run, and the number of its checked verdicts: at most `most`, a seeded sample."""
    cache = {"MUTASCOPE_CACHE": str(scale.folder / "cache")}
    out = place.folder / "run"
    end = finished(place, place.start("run", *asked, "--out", out, **cache))
    if end.status:
        return [f"{' '.join(asked)}: {failed(end)}"], 0
    seen = finished(place, place.start("verify", out, "--json", "--sample", most, "--seed", scale.seed, **cache))
    if seen.status not in (0, 1) or not seen.out:
        return [f"verify of {' '.join(asked)}: {failed(seen)}"], 0
    report = seen.json
    wrong = [*report["disagreements"], *report.get("changed", ()), *report.get("unchecked", ())]
    return [f"{' '.join(asked)}: {what}" for what in wrong], report["checked"]


def _bits(place: Place) -> int:
    out = place.folder / "run"
    if not out.exists():
        return 0
    facts = map(json.loads, export_facts(out).splitlines())
    return sum(fact["inputs"] for fact in facts if fact["table"] == "kill_row")
