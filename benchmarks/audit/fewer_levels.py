"""Runs all kinds on a machine with fewer levels of containment: the facts must be the same."""

from __future__ import annotations

import random

from benchmarks.audit.finding import Found, Scale, told
from benchmarks.audit.kinds import KINDS, Kind, failed, finished, left_behind
from harness.kernel.process.containment.contain import LEVELS
from harness.sandbox.levels import VARIABLE
from harness.store.run_store import export_facts

SETS = {
    **{f"without {left_out}": tuple(level for level in LEVELS if level != left_out) for left_out in LEVELS},
    "without any": (),
}
"""The levels that are left to be used, by what is left out."""


def audit(scale: Scale, name: str) -> Found:
    """Run and verify each kind with these levels. Findings are other facts than with all, and disagreements.

    At small scope it is one kind, drawn by the seed.
    """
    findings: list[str] = []
    checked = 0
    kinds = random.Random(scale.seed).sample(list(KINDS.values()), scale.of(len(KINDS), 1))
    for kind in kinds:
        told(f"levels: {name}, {kind.name}")
        wrong, seen = _compared(scale, kind, name)
        findings += [f"{kind.name}: {what}" for what in wrong]
        checked += seen
    return Found({"runs": len(kinds), "verdicts": checked}, findings)


def _compared(scale: Scale, kind: Kind, name: str) -> tuple[list[str], int]:
    """Return findings, and the number of checked verdicts."""
    reference, facts = kind.reference(scale, f"levels-{kind.name}")
    place = kind.place(scale, f"{name}-{kind.name}".replace(" ", "-"), reference)
    levels = {VARIABLE: ",".join(SETS[name])}
    end = finished(place, place.start(*kind.command(place), **levels))
    if end.status:
        return [failed(end)], 0
    problems = [] if export_facts(place.folder / "run") == facts else ["its facts are others"]
    seen = finished(place, place.start("verify", place.folder / "run", "--json", "--sample", scale.of(60, 6), **levels))
    if seen.status not in (0, 1) or not seen.out:
        return [*problems, f"verify: {failed(seen)}", *left_behind(place)], 0
    return [*problems, *seen.json["disagreements"], *left_behind(place)], seen.json["checked"]
