"""A trial in the mutation-testing report schema (version 2), which other tools' viewers and dashboards read.

The schema has fewer words than we have. CRASH and MEMORY_LIMIT are kills here, while the schema's
RuntimeError takes a mutant out of the score: they are Killed, with the reason in words. Step and
wall-clock limits are its Timeout, which counts as detected. What is not run on purpose
(equivalent, duplicate) is Ignored, what does not compile CompileError; a mutant without a
conclusive result is Pending, so that a harness fault never looks like a verdict.
"""

from __future__ import annotations

from typing import Any

from harness import __version__
from harness.model.mutant import Location, Mutant, MutantStatus
from harness.model.outcome import KillReason, MutantResult, Verdict
from harness.report.trials import ReportedTrial

SCHEMA_VERSION = "2"
THRESHOLDS = {"high": 80, "low": 60}
"""Required by the schema; colours of a viewer, no judgement of ours."""

_TIMEOUTS = frozenset({KillReason.STEP_LIMIT, KillReason.WALL_LIMIT})


def mutation_report(reported: ReportedTrial, durations: bool = False) -> dict[str, Any]:
    """The report of one trial, JSON-able; the same facts give the same report.

    Args:
        durations: add milliseconds per mutant, which no two runs share.

    Raises:
        ValueError: the source is not at hand (`reported.without_source` says why).
    """
    if reported.source is None:
        raise ValueError(reported.without_source)
    trial = reported.trial
    mutants = [_mutant(reported, mutant, durations) for mutant in reported.mutants]
    suite = f"{trial.subject}, {trial.generator} suite at scope {trial.scope}"
    return {
        "schemaVersion": SCHEMA_VERSION,
        "thresholds": THRESHOLDS,
        "files": {reported.file_name: {"language": "python", "source": reported.source, "mutants": mutants}},
        # Only the tests that a mutant names: a suite may have millions.
        "testFiles": {suite: {"tests": _tests(reported)}},
        "framework": {"name": "Mutascope", "version": __version__},
        "config": {
            "subject": trial.subject,
            "generator": trial.generator,
            "generatorVersion": trial.generator_version,
            "scope": trial.scope,
            "seed": trial.seed,
            "operatorSet": trial.operator_set,
            "inputs": trial.inputs,
            "mode": trial.mode.value,
            "approach": trial.approach.value,
            "comparesConcreteState": trial.concrete,
            **({} if trial.sequences is None else {"sequences": trial.sequences.value}),
            **({} if trial.observed is None else {"observed": trial.observed.value}),
            "suiteDigest": trial.suite_digest,
            "sourceHash": trial.source_hash,
            "complete": reported.finished,
        },
    }


def status(mutant: Mutant, result: MutantResult | None) -> tuple[str, str]:
    """The schema's status of a mutant, and the reason in words."""
    match mutant.status:
        case MutantStatus.STILLBORN:
            return "CompileError", "does not compile"
        case MutantStatus.EQUIVALENT:
            return "Ignored", "compiles to the original's code objects: trivially equivalent"
        case MutantStatus.DUPLICATE:
            return "Ignored", f"compiles to the code objects of {mutant.same_as}"
        case MutantStatus.VIABLE:
            return _status_of_run(result)


def _status_of_run(result: MutantResult | None) -> tuple[str, str]:
    if result is None:
        return "Pending", "not run yet"
    match result.verdict:
        case Verdict.KILLED:
            what = " in phase ".join(part.value for part in (result.reason, result.phase) if part)
            return ("Timeout" if result.reason in _TIMEOUTS else "Killed"), f"{what}: {result.detail}"
        case Verdict.SURVIVED:
            return "Survived", f"survived {result.inputs_run} inputs"
        case Verdict.STILLBORN:
            return "CompileError", result.detail or "does not compile"
        case Verdict.INCONCLUSIVE:
            return "Pending", f"no verdict, the harness is at fault: {result.detail}"


def _mutant(reported: ReportedTrial, mutant: Mutant, durations: bool) -> dict[str, Any]:
    result = reported.results.get(mutant.id)
    word, reason = status(mutant, result)
    argument = reported.arguments.get(mutant.id)
    if argument is not None:
        reason += f"; {argument.equivalence.value} equivalent: {argument.argument}"
    found: dict[str, Any] = {
        "id": mutant.id,
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "description": f"{mutant.function}: {mutant.original} becomes {mutant.replacement}",
        "location": _location(mutant.location),
        "status": word,
        "statusReason": reason,
    }
    if result is not None and result.verdict is not Verdict.INCONCLUSIVE:
        found["testsCompleted"] = result.inputs_run
        if result.input is not None:
            found["killedBy"] = [_test_id(result.input)]
    if durations and mutant.id in reported.seconds:
        found["duration"] = round(reported.seconds[mutant.id] * 1000)
    return found


def _location(location: Location) -> dict[str, dict[str, int]]:
    """The schema's columns count from 1; its end is exclusive, as ours."""
    return {
        "start": {"line": location.line, "column": location.column + 1},
        "end": {"line": location.end_line, "column": location.end_column + 1},
    }


def _tests(reported: ReportedTrial) -> list[dict[str, str]]:
    killing = {result.input for result in reported.results.values() if result.input is not None}
    named = dict(enumerate(reported.tests))
    return [{"id": _test_id(number), "name": named.get(number, f"input {number}")} for number in sorted(killing)]


def _test_id(number: int) -> str:
    return str(number)
