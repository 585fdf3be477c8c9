"""The hostile programs, in one run with what verifies it."""

from __future__ import annotations

from collections import Counter

from containment.hostile import PROGRAMS
from containment.survey import honest_facts, survey

from benchmarks.audit.finding import Found, Scale, told


def audit(scale: Scale) -> Found:
    """Findings are programs that get out, harm the run, or forge a verdict that `verify` believes."""
    programs = [p for p in PROGRAMS.values() if not (scale.small and (p.waits or p.dear))][:: scale.of(1, 6)]
    honest = honest_facts()
    found: dict[str, list[str]] = {}
    for wrong in (False, True):
        some = [program for program in programs if program.wrong == wrong]
        found |= survey(some, honest, verify=wrong, report=told)
    out = {name: what for name, what in found.items() if what}
    families = Counter(program.family for program in programs)
    figures = [f"{len(programs)} programs, {len(out)} findings",
               ", ".join(f"{count} {family}" for family, count in families.items())]  # fmt: skip
    return Found("Hostile programs", figures, [f"{name}: {'; '.join(what)}" for name, what in out.items()])
