"""Runs many hostile programs: in one run where that is contained, in smaller ones where it is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .hostile.program import Program
from .trial import MUTANT, Fact, Outcome, Role, Trial

Report = Callable[[str], None]


def survey(
    programs: Sequence[Program],
    honest: dict[str, Fact],
    levels: str | None = None,
    verify: bool = True,
    report: Report = lambda _: None,
    role: Role = MUTANT,
) -> dict[str, list[str]]:
    """Return what is wrong with each program, by its name; nothing if it is contained.

    A run that fails, or in which what is said of `honest` mutants differs, is taken apart until it is known who
    does it. A single program that acts elsewhere than in a mutant may have its run refused.
    """
    with Trial(programs, levels, role=role) as trial:
        outcome = trial.run(verify)
    wrong = broken(outcome, honest)
    report(f"{len(programs)} programs: {wrong or 'the run is sound'}")
    if not wrong:
        return {program.name: outcome.faults(program) for program in programs}
    if len(programs) == 1:
        wrong = wrong if role.is_mutant else badly_ended(outcome)
        return {programs[0].name: [*wrong, *outcome.faults(programs[0])]}
    found: dict[str, list[str]] = {}
    for part in _parts(programs):
        found |= survey(part, honest, levels, verify, report, role)
    return found


def broken(outcome: Outcome, honest: dict[str, Fact]) -> list[str]:
    """Return the faults of a run as a whole."""
    found = []
    for ended in (outcome.ended, *([outcome.verified] if outcome.verified else [])):
        lines = ended.err.strip().splitlines()
        if ended.status not in (0, 1) or (ended is outcome.ended and ended.status):
            found.append(f"it ended with status {ended.status}: {lines[-1] if lines else ''}"[:300])
    if outcome.honest() != honest:
        found.append("other mutants' verdicts changed")
    return found + _left_behind(outcome)


def badly_ended(outcome: Outcome) -> list[str]:
    """Return what is wrong with the end of a run that may be refused, in one line."""
    said = outcome.ended.err
    lines = [line for line in said.splitlines() if line.startswith("mutascope: ")]
    found = []
    if outcome.ended.status not in (0, 1, 2) or "Traceback" in said:
        found.append(f"it ended with status {outcome.ended.status}: {said.strip()[-300:]}")
    elif outcome.ended.status and len(lines) != 1:
        found.append(f"it was refused in {len(lines)} lines: {said.strip()[-300:]}")
    return found + _left_behind(outcome)


def _left_behind(outcome: Outcome) -> list[str]:
    return [f"left behind: {what}" for what in outcome.left[:5]]


def honest_facts(levels: str | None = None, role: Role = MUTANT) -> dict[str, Fact]:
    """Return what is said of the honest mutants if nobody is hostile."""
    with Trial((), levels, role=role) as trial:
        outcome = trial.run()
    assert outcome.ended.status == 0, outcome.ended
    return outcome.honest()


def _parts(programs: Sequence[Program]) -> list[Sequence[Program]]:
    """Split programs: each one that may spoil its run stands alone, and the others are divided into halves."""
    tame = [program for program in programs if not program.alone]
    if tame and len(tame) < len(programs):
        return [tame, *([program] for program in programs if program.alone)]
    if not tame:
        return [[program] for program in programs]
    half = len(tame) // 2
    return [tame[:half], tame[half:]]
