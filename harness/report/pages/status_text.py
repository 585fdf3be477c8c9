"""Describes each mutant's status in a report: killed, survived or not run, and why."""

from __future__ import annotations

from harness.amounts import counted
from harness.model.mutant import Mutant, MutantStatus
from harness.model.outcome import KillReason, MutantResult, Verdict
from harness.report.pages.trials import ReportedTrial

_TIMEOUTS = frozenset({KillReason.STEP_LIMIT, KillReason.WALL_LIMIT})


def status(reported: ReportedTrial, mutant: Mutant) -> tuple[str, str]:
    """Return the status of a mutant in the schema's words, and the reason with any argument for its equivalence."""
    word, reason = _status_and_reason(reported, mutant)
    argument = reported.arguments.get(mutant.id)
    if argument is not None:
        reason += f"; {argument.equivalence.value} equivalent: {argument.argument}"
    return word, reason


def _status_and_reason(reported: ReportedTrial, mutant: Mutant) -> tuple[str, str]:
    match mutant.status:
        case MutantStatus.STILLBORN:
            return "CompileError", "does not compile"
        case MutantStatus.EQUIVALENT:
            return "Ignored", "compiles to the original's code objects: trivially equivalent"
        case MutantStatus.DUPLICATE:
            return "Ignored", f"compiles to the code objects of {mutant.same_as}"
        case MutantStatus.VIABLE:
            result = reported.results.get(mutant.id)
            return _status_of_run(result, reported.is_pytest)


def _status_of_run(result: MutantResult | None, of_pytest: bool) -> tuple[str, str]:
    if result is None:
        return "Pending", "not run yet"
    match result.verdict:
        case Verdict.KILLED:
            cause = " in phase ".join(part.value for part in (result.reason, result.phase) if part)
            return ("Timeout" if result.reason in _TIMEOUTS else "Killed"), f"{cause}: {result.detail}"
        case Verdict.SURVIVED:
            if result.reached == 0:
                return (
                    "NoCoverage",
                    result.detail or f"survived {counted(result.inputs_run, 'input')}, and none reaches it",
                )
            return "Survived", _survived(result, of_pytest)
        case Verdict.STILLBORN:
            return "CompileError", result.detail or "does not compile"
        case Verdict.INCONCLUSIVE:
            return "Pending", f"no verdict, the harness is at fault: {result.detail}"


def _survived(result: MutantResult, of_pytest: bool) -> str:
    if not of_pytest:
        return f"survived {counted(result.inputs_run, 'input')}"
    return (
        "survived the test that reaches it"
        if result.reached == 1
        else f"survived the {result.reached} tests that reach it"
    )
