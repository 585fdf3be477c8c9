"""Writes a trial in the mutation-testing report schema (version 2), which other tools' viewers and dashboards read.

The schema has fewer statuses than Mutascope. CRASH and MEMORY_LIMIT are kills here, while the schema's RuntimeError
takes a mutant out of the score: they are Killed, with the reason in words. Step and wall-clock limits are its Timeout,
which counts as detected. Mutants that are not run on purpose (equivalent, duplicate) are Ignored; stillborn mutants are
CompileError. A mutant without a conclusive result is Pending, so that a harness fault never looks like a verdict. A
survivor that no input reaches is NoCoverage. For a pytest suite, all tests are listed in their files, and every mutant
has the tests that cover and kill it, as far as the run knows (`config.killers`).
"""

from __future__ import annotations

from typing import Any

from harness import __version__
from harness.model.outcome import Location, Mutant, MutantResult, Verdict
from harness.model.pytest_suite import oracle_label
from harness.report.pages.source_view import status
from harness.report.pages.trials import ReportedTrial, numbers

SCHEMA_VERSION = "2"
THRESHOLDS = {"high": 80, "low": 60}
"""Required by the schema; colours of a viewer, no judgement of ours."""


def mutation_report(reported: ReportedTrial) -> dict[str, Any]:
    """Return the report of one trial, which can be written as JSON; the same facts give the same report.

    Raises:
        ValueError: the source is not at hand (`reported.without_source` says why).
    """
    if reported.source is None:
        raise ValueError(reported.without_source)
    trial = reported.trial
    mutants = [_mutant(reported, mutant) for mutant in reported.mutants]
    seed = f", seed {trial.seed}" if reported.has_other_seeds else ""
    suite = f"{trial.subject}, {trial.generator} suite at scope {trial.scope}{seed}"
    return {
        "schemaVersion": SCHEMA_VERSION,
        "thresholds": THRESHOLDS,
        "files": {reported.file_name: {"language": "python", "source": reported.source, "mutants": mutants}},
        "testFiles": _files_of_tests(reported) if reported.is_pytest else {suite: {"tests": _killing_inputs(reported)}},
        "framework": {"name": "Mutascope", "version": __version__},
        "config": {
            "subject": trial.subject,
            "generator": trial.generator,
            **({"suite": trial.suite} if trial.suite else {}),
            "generatorVersion": trial.generator_version,
            "scope": trial.scope,
            "seed": trial.seed,
            "operatorSet": trial.operator_set,
            "mutantSet": trial.mutant_set,
            "inputs": trial.inputs,
            "mode": trial.mode.value,
            "killers": "all" if reported.is_pytest and reported.killers.complete else "first",
            "approach": trial.approach.value,
            "oracle": oracle_label(trial.generator, trial.oracle.value),
            "comparesConcreteState": trial.concrete,
            **({} if trial.sequences is None else {"sequences": trial.sequences}),
            **({} if trial.observed is None else {"observed": trial.observed.value}),
            "suiteDigest": trial.suite_digest,
            "sourceHash": trial.source_hash,
            "complete": reported.finished,
        },
    }


def _mutant(reported: ReportedTrial, mutant: Mutant) -> dict[str, Any]:
    result = reported.results.get(mutant.id)
    word, reason = status(reported, mutant)
    entry: dict[str, Any] = {
        "id": mutant.id,
        "mutatorName": mutant.operator,
        "replacement": mutant.replacement,
        "description": f"{mutant.function}: {mutant.original} becomes {mutant.replacement}",
        "location": _location(mutant.location),
        "status": word,
        "statusReason": reason,
    }
    if result is not None and result.verdict is not Verdict.INCONCLUSIVE:
        entry["testsCompleted"] = result.inputs_run
        killers = _killers(reported, result)
        if killers:
            entry["killedBy"] = killers
        if reported.is_pytest and mutant.id in reported.killers.reached:
            entry["coveredBy"] = [_test_id(number) for number in numbers(reported.killers.reached[mutant.id])]
    return entry


def _location(location: Location) -> dict[str, dict[str, int]]:
    """Return a location. The schema's columns count from 1; its end is exclusive, like ours."""
    return {
        "start": {"line": location.line, "column": location.column + 1},
        "end": {"line": location.end_line, "column": location.end_column + 1},
    }


def _killers(reported: ReportedTrial, result: MutantResult) -> list[str]:
    """Return all known killers in a pytest suite; for inputs, of which there may be millions, only the first killer."""
    if reported.is_pytest and result.mutant in reported.killers.kills:
        return [_test_id(number) for number in numbers(reported.killers.kills[result.mutant])]
    return [] if result.input is None else [_test_id(result.input)]


def _files_of_tests(reported: ReportedTrial) -> dict[str, Any]:
    """Return the tests of a pytest suite by file; a node id is the file's name, two colons and the test's name."""
    files: dict[str, Any] = {}
    for number, test in enumerate(reported.tests):
        file, _, name = test.node_id.partition("::")
        entry: dict[str, Any] = {"id": _test_id(number), "name": name or file}
        if test.line is not None:
            entry["location"] = {"start": {"line": test.line, "column": 1}}
        files.setdefault(file, {"tests": []})["tests"].append(entry)
    return files


def _killing_inputs(reported: ReportedTrial) -> list[dict[str, str]]:
    """Return only the inputs that a mutant names."""
    killing = {result.input for result in reported.results.values() if result.input is not None}
    return [{"id": _test_id(number), "name": f"input {number}"} for number in sorted(killing)]


def _test_id(number: int) -> str:
    return str(number)
