"""Validates the facts that a child process reports about a mutant, which may have forged them."""

from __future__ import annotations

from harness.kernel.process.child_process import NO_FACTS, Broken, ChildDeath
from harness.kernel.process.progress import NOT_STARTED, Progress
from harness.kernel.process.talk import ReportedError
from harness.kernel.running.job import LONGEST_DETAIL, HarnessFault, MutantOrder, MutantRun
from harness.model.outcome import KillReason, Phase

NO_RUN = ChildDeath(KillReason.CRASH, NO_FACTS, outside=True)
"""The death of a mutant whose process reports impossible facts. It is marked as from outside, to be tried once more."""


def validated_facts(
    reply: MutantRun | Broken | ReportedError, order: MutantOrder, progress: Progress
) -> MutantRun | HarnessFault | ChildDeath:
    """Return the facts, or a death if they are impossible: the mutant has broken the harness in its process.

    An error in the harness's own code there did not occur on the original, so the mutant has caused it. It is marked as
    from outside, to be tried once more.
    """
    if isinstance(reply, Broken):
        broken = broken_by(reply)
        return HarnessFault(order.id, broken) if isinstance(broken, str) else broken
    if isinstance(reply, ReportedError) or not _can_be(reply, order, progress):
        return NO_RUN
    return reply


def broken_by(broken: Broken) -> ChildDeath | str:
    """Return the death of a mutant that made the harness's own code fail; text is a fault of the machine."""
    fault = broken.fault[:LONGEST_DETAIL].encode(errors="backslashreplace").decode()
    if broken.of_machine:
        return fault
    return ChildDeath(KillReason.CRASH, f"what watches it broke: {fault}", outside=True)


def lost(detail: str, reason: KillReason = KillReason.CRASH) -> MutantRun:
    """Return the facts of a mutant that died at an unknown input, because it destroyed or overwrote the records."""
    return MutantRun(
        reason=reason, phase=Phase.CALL, detail=detail, input=None, inputs_run=0, executed=0, steps=None, died=True
    )


def is_lost(run: MutantRun) -> bool:
    """Return whether these are facts of `lost`: there is no row of kills then."""
    return run.phase is Phase.CALL and run.input is None and run.reason is not None


def _can_be(run: MutantRun, order: MutantOrder, progress: Progress) -> bool:
    position = progress.position()
    if run.died or run.steps is None or run.inputs_run > order.last - order.first or position is None:
        return False
    if run.executed != position.executed + (position.current != NOT_STARTED):
        return False
    if run.reason is None or run.phase is None:
        return run.reason is None and run.phase is None and run.input is None
    return run.phase is Phase.LOAD if run.input is None else order.first <= run.input < order.last
