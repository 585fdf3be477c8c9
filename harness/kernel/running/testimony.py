"""What a child that ran a mutant says is a claim: taken for facts only where it can be one."""

from __future__ import annotations

import errno

from harness.kernel.process.child_process import Death, Facts
from harness.kernel.process.progress import NOT_STARTED, Progress
from harness.kernel.running.job import LEFT, MutantOrder
from harness.model.outcome import KillReason, Phase

LONGEST_DETAIL = 4000
NO_FACTS = "what it said can be no fact"
"""The detail of a mutant whose process reports something else than facts."""

_OURS = (errno.ENFILE, errno.EIO)
"""Of the machine, not of one process."""

_NAMES = {"reason", "phase", "detail", "input", "inputs_run", "executed", "steps"}
_REASONS = {reason.value for reason in KillReason}
_PHASES = {phase.value for phase in Phase}


def believed(facts: Facts, order: MutantOrder, progress: Progress) -> Facts | Death:
    """The facts, or a death where they are none: the mutant has broken what watches it in its process.

    What fails in the harness's own code there has not failed on the original: it is the mutant's doing.
    It is marked as from outside, to be tried once more.
    """
    broken = broken_by(facts)
    if broken is not None:
        return broken
    if not _can_be(facts, order, progress):
        return Death(KillReason.CRASH, NO_FACTS, outside=True)
    return facts


def broken_by(facts: Facts) -> Facts | Death | None:
    """Return what failed in the harness's own code: a fault of the machine, a death of the mutant, or None."""
    if facts.get("errno") in _OURS:
        return {"fault": _text(facts.get("fault"))}
    if "fault" in facts:
        return Death(KillReason.CRASH, f"what watches it broke: {_text(facts['fault'])}", outside=True)
    return None


def _text(fault: object) -> str:
    """Return the text of a fault as it can be stored."""
    return str(fault)[:LONGEST_DETAIL].encode(errors="backslashreplace").decode()


def lost(detail: str, reason: KillReason = KillReason.CRASH) -> Facts:
    """The facts of a mutant that has died nobody knows where: it has taken along, or overwritten, what tells."""
    return {
        "reason": reason.value,
        "phase": Phase.CALL.value,
        "detail": detail,
        "input": None,
        "inputs_run": 0,
        "executed": 0,
        "steps": None,
        "died": True,
    }


def is_lost(facts: Facts) -> bool:
    """Whether these are facts of `lost`: there is no row of kills then."""
    return facts.get("phase") == Phase.CALL.value and facts["input"] is None and facts["reason"] is not None


def _can_be(facts: Facts, order: MutantOrder, progress: Progress) -> bool:
    if facts.keys() - {LEFT} != _NAMES or not all(
        is_count(facts[name]) for name in ("inputs_run", "executed", "steps")
    ):
        return False
    most = order.last - order.first
    if facts["inputs_run"] > most or not is_text(facts["detail"]):
        return False
    reason, phase, number = facts["reason"], facts["phase"], facts["input"]
    position = progress.position()
    if position is None or facts["executed"] != position.executed + (position.current != NOT_STARTED):
        return False
    if reason is None:
        return phase is None and number is None
    if reason not in _REASONS or phase not in _PHASES:
        return False
    if number is None:
        return bool(phase == Phase.LOAD.value)
    return is_count(number) and order.first <= number < order.last


def is_count(value: object) -> bool:
    """Return whether a value can be stored as a number of things."""
    return type(value) is int and 0 <= value < 1 << 63


def is_text(value: object, longest: int = LONGEST_DETAIL) -> bool:
    """Return whether a value can be stored as text; half a character cannot."""
    return type(value) is str and len(value) <= longest and not any("\ud800" <= char <= "\udfff" for char in value)
