"""Runs many hostile programs: in one run where that is contained, in smaller ones where it is not."""

from collections.abc import Callable, Sequence

from .hostile.program import Program
from .trial import MUTANT, Fact, Outcome, Role, Trial


def survey(
    programs: Sequence[Program],
    honest: dict[str, Fact],
    report: Callable[[str], None],
    role: Role = MUTANT,
) -> dict[str, list[str]]:
    """Return what is wrong with each program, by its name; nothing if it is contained.

    A run that fails, or in which what is said of `honest` mutants differs, is taken apart until it is known who
    does it. A single program that acts elsewhere than in a mutant may have its run refused.
    """
    with Trial(programs, role=role) as trial:
        outcome = trial.run()
    wrong = broken(outcome, honest)
    report(f"{len(programs)} programs: {wrong or 'the run is sound'}")
    if not wrong:
        return {program.name: outcome.faults(program) for program in programs}
    if len(programs) == 1:
        wrong = wrong if role.is_mutant else unexpected_endings(outcome)
        return {programs[0].name: [*wrong, *outcome.faults(programs[0])]}
    problems_of: dict[str, list[str]] = {}
    for part in _parts(programs):
        problems_of |= survey(part, honest, report, role)
    return problems_of


def broken(outcome: Outcome, honest: dict[str, Fact]) -> list[str]:
    """Return the faults of a run as a whole."""
    problems = []
    for command in (outcome.command, *([outcome.verified] if outcome.verified else [])):
        lines = command.err.strip().splitlines()
        if command.status not in (0, 1) or (command is outcome.command and command.status):
            problems.append(f"it ended with status {command.status}: {lines[-1] if lines else ''}"[:300])
    if outcome.honest() != honest:
        problems.append("other mutants' verdicts changed")
    return problems + _left_behind(outcome)


def unexpected_endings(outcome: Outcome) -> list[str]:
    """Return what is wrong with the end of a run that may be refused, in one line after those of tests left out."""
    errors = outcome.command.err
    told = [line for line in errors.splitlines() if line.startswith("mutascope: ")]
    lines = [line for line in told if not line.endswith("so it is left out")]
    problems = []
    if outcome.command.status not in (0, 1, 2) or "Traceback" in errors:
        problems.append(f"it ended with status {outcome.command.status}: {errors.strip()[-300:]}")
    elif outcome.command.status and len(lines) != 1:
        problems.append(f"it was refused in {len(lines)} lines: {errors.strip()[-300:]}")
    return problems + _left_behind(outcome)


def _left_behind(outcome: Outcome) -> list[str]:
    return [f"left behind: {what}" for what in outcome.left[:5]]


def honest_facts(role: Role = MUTANT) -> dict[str, Fact]:
    """Return what is said of the honest mutants if nobody is hostile."""
    with Trial((), role=role) as trial:
        outcome = trial.run()
    assert outcome.command.status == 0, outcome.command
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
