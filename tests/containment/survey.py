"""What becomes of many hostile programs: in one run where that holds, in smaller ones where it does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .hostile.program import Program
from .trial import Fact, Outcome, Trial

Report = Callable[[str], None]


def survey(
    programs: Sequence[Program],
    honest: dict[str, Fact],
    levels: str | None = None,
    verify: bool = True,
    report: Report = lambda _: None,
) -> dict[str, list[str]]:
    """What is wrong with each program, by its name; nothing where it is contained.

    A run that fails, or in which what is said of `honest` mutants differs, is taken apart until it is known who
    does it.
    """
    with Trial(programs, levels) as trial:
        outcome = trial.run(verify)
    wrong = broken(outcome, honest)
    report(f"{len(programs)} programs: {wrong or 'the run is sound'}")
    if not wrong:
        return {program.name: outcome.faults(program) for program in programs}
    if len(programs) == 1:
        return {programs[0].name: [*wrong, *outcome.faults(programs[0])]}
    found: dict[str, list[str]] = {}
    for part in _parts(programs):
        found |= survey(part, honest, levels, verify, report)
    return found


def broken(outcome: Outcome, honest: dict[str, Fact]) -> list[str]:
    """What is wrong with a run as a whole."""
    found = []
    for ended in (outcome.ended, *([outcome.verified] if outcome.verified else [])):
        lines = ended.err.strip().splitlines()
        if ended.status not in (0, 1) or (ended is outcome.ended and ended.status):
            found.append(f"it ended with status {ended.status}: {lines[-1] if lines else ''}"[:300])
    if outcome.honest() != honest:
        found.append("other mutants' verdicts changed")
    return found + [f"left behind: {what}" for what in outcome.left[:5]]


def honest_facts(levels: str | None = None) -> dict[str, Fact]:
    """What is said of the honest mutants where nobody is hostile."""
    with Trial((), levels) as trial:
        outcome = trial.run()
    assert outcome.ended.status == 0, outcome.ended
    return outcome.honest()


def _parts(programs: Sequence[Program]) -> list[Sequence[Program]]:
    """Those that may spoil the run each for itself, and the others; the others in halves."""
    tame = [program for program in programs if not program.alone]
    if tame and len(tame) < len(programs):
        return [tame, *([program] for program in programs if program.alone)]
    if not tame:
        return [[program] for program in programs]
    half = len(tame) // 2
    return [tame[:half], tame[half:]]
