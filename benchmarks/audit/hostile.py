"""The hostile programs as mutants, in one run with what verifies it, and in all other places where programs can act."""

from __future__ import annotations

import random
from collections import Counter

from containment.hostile import PROGRAMS
from containment.survey import honest_facts, survey
from containment.trial import MUTANT, ROLES, Fact, Role

from benchmarks.audit.finding import Found, Scale, told

PLACES = tuple(ROLES)
_SIDE_BY_SIDE = ("files", "secrets", "network")
"""Families whose programs leave the process as it was, so that one file can act as all of them."""
_SINGLE = 24
"""Programs of other families in each place, drawn by the seed: each wants a run of its own."""


def audit(scale: Scale, name: str) -> Found:
    """Have programs act in one place. Findings are programs that get out, harm the run, or forge a verdict.

    A forged verdict is a finding if `verify` believes it.
    """
    role = ROLES[name]
    honest = honest_facts(role=role)
    found = _as_mutants(scale, honest) if role is MUTANT else _elsewhere(scale, role, honest)
    out = {program: what for program, what in found.items() if what}
    families = Counter(PROGRAMS[program].family for program in found)
    notes = [", ".join(f"{count} {family}" for family, count in families.items()) + "."]
    return Found({"programs": len(found)}, [f"{program}: {'; '.join(what)}" for program, what in out.items()], notes)


def _as_mutants(scale: Scale, honest: dict[str, Fact]) -> dict[str, list[str]]:
    programs = [p for p in PROGRAMS.values() if not (scale.small and (p.waits or p.dear))][:: scale.of(1, 24)]
    found: dict[str, list[str]] = {}
    for wrong in (False, True):
        some = [program for program in programs if program.wrong == wrong]
        found |= survey(some, honest, verify=wrong, report=told)
    return found


def _elsewhere(scale: Scale, role: Role, honest: dict[str, Fact]) -> dict[str, list[str]]:
    programs = [p for p in PROGRAMS.values() if not (p.waits or p.dear or p.at_load)]
    together = [p for p in programs if p.family in _SIDE_BY_SIDE and not p.alone][:: scale.of(1, 6)]
    others = [p for p in programs if p.family not in _SIDE_BY_SIDE or p.alone]
    single = random.Random(f"{scale.seed} {role.name}").sample(others, scale.of(_SINGLE, 1))
    found: dict[str, list[str]] = survey(together, honest, verify=False, report=told, role=role)
    for program in single:
        found |= survey([program], honest, verify=False, report=told, role=role)
    return found
