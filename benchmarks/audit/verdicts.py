"""All verdicts and kill-matrix bits of many runs, executed again by the naive path."""

from __future__ import annotations

import json
from collections.abc import Iterator

from e2e.command_line import Place

from benchmarks.audit.finding import Found, Scale, told
from harness import api
from harness.store.export import export_facts

WANTED = 10_000
"""Verdicts of the whole audit."""

_ROUNDS: tuple[tuple[object, ...], ...] = (
    ("--scope", "1-2"),
    ("--scope", 2, "--matrix"),
    ("--scope", 2, "--metamutants"),
    ("--scope", 3),
    ("--scope", 2, "--concrete"),
    ("--scope", 2, "--generator", "korat-dedicated"),
    ("--scope", 3, "--matrix"),
    ("--scope", 2, "--seed", 7, "--generator", "random"),
)
"""What each subject is run with, round by round until enough was checked."""


def audit(scale: Scale) -> Found:
    """Runs every subject and verifies all that is stored; findings are disagreements and runs that fail."""
    wanted = scale.of(WANTED, 10)
    sample = ("--sample", 5) if scale.small else ()
    cache = str(scale.folder / "cache")
    checked = bits = runs = 0
    subjects: set[str] = set()
    findings: list[str] = []
    for place, subject, options in _runs(scale):
        told(f"verdicts: {checked} checked; {subject} {' '.join(map(str, options))}")
        ended = place.run("run", "--subject", subject, *options, "--out", "run", MUTASCOPE_CACHE=cache)
        if ended.status:
            if not any(
                refusal in ended.err
                for refusal in ("unknown generator", "needs", "rep_ok_dedicated", "no function fin")
            ):
                findings.append(f"{subject} {options}: {ended.err.strip()}")
            continue
        seen = place.run("verify", "run", "--json", *sample, MUTASCOPE_CACHE=cache)
        if seen.status not in (0, 1) or not seen.out:
            findings.append(f"verify of {subject} {options}: {seen.err.strip()}")
            continue
        said = seen.json
        findings += said["disagreements"]
        checked += said["checked"]
        bits += 0 if scale.small else _bits(place)
        runs += 1
        subjects.add(subject)
        if checked >= wanted and len(subjects) == len(_subjects(scale)):
            break
    if checked < wanted:
        findings.append(f"only {checked} verdicts were there to be checked, not {wanted}")
    figures = [f"{checked:,} verdicts and {bits:,} kill-matrix bits of {runs} runs on {len(subjects)} subjects, "
               f"{len(findings)} findings"]  # fmt: skip
    return Found("Verdicts executed again by the naive path", figures, findings)


def _runs(scale: Scale) -> Iterator[tuple[Place, str, tuple[object, ...]]]:
    for number, options in enumerate(_ROUNDS):
        for subject in _subjects(scale):
            place = scale.place(f"verdicts-{number}-{subject}")
            place.patience = 1800
            by_calls = subject.startswith("containers/") and "--generator" not in options
            yield place, subject, (*options, "--generator", "rostra") if by_calls else options


def _subjects(scale: Scale) -> list[str]:
    return api.known()["subjects"][:: scale.of(1, 6)]


def _bits(place: Place) -> int:
    facts = map(json.loads, export_facts(place.folder / "run").splitlines())
    return sum(fact["inputs"] for fact in facts if fact["table"] == "kill_row")
