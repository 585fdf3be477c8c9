"""Runs the hostile programs as mutants, in one run with its verification, and in all other places where they act."""

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
    """Run programs in one place. Findings are programs that escape, or harm the run."""
    role = ROLES[name]
    honest = honest_facts(role=role)
    survey_of = _as_mutants(scale, honest) if role is MUTANT else _elsewhere(scale, role, honest)
    out = {program: what for program, what in survey_of.items() if what}
    families = Counter(PROGRAMS[program].family for program in survey_of)
    notes = [", ".join(f"{count} {family}" for family, count in families.items()) + "."]
    return Found(
        {"programs": len(survey_of)}, [f"{program}: {'; '.join(what)}" for program, what in out.items()], notes
    )


def _as_mutants(scale: Scale, honest: dict[str, Fact]) -> dict[str, list[str]]:
    programs = [p for p in PROGRAMS.values() if not (scale.small and (p.waits or p.dear))][:: scale.of(1, 24)]
    survey_of: dict[str, list[str]] = survey(programs, honest, told)
    return survey_of


def _elsewhere(scale: Scale, role: Role, honest: dict[str, Fact]) -> dict[str, list[str]]:
    programs = [p for p in PROGRAMS.values() if not (p.waits or p.dear or p.at_load)]
    joint = [p for p in programs if p.family in _SIDE_BY_SIDE and not p.alone][:: scale.of(1, 6)]
    separate = [p for p in programs if p.family not in _SIDE_BY_SIDE or p.alone]
    single = random.Random(f"{scale.seed} {role.name}").sample(separate, scale.of(_SINGLE, 1))
    survey_of: dict[str, list[str]] = survey(joint, honest, told, role)
    for program in single:
        survey_of |= survey([program], honest, told, role)
    return survey_of
