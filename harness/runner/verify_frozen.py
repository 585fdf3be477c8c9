"""Verifies the verdicts of a frozen run, on suites and mutants that are made again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.errors import StoreError, UsageError
from harness.generators.registry import find_generator
from harness.model.experiment import ExecutionMode
from harness.model.outcome import Mutant, MutantResult, Verdict
from harness.model.pytest_suite import PYTEST
from harness.model.subject import Subject
from harness.runner.mutant_set import mutant_set
from harness.runner.origins import FactDisagreement, field_disagreements, rank
from harness.runner.subjects import load_subject
from harness.runner.suites import stored_suite
from harness.runner.trial import fields_of
from harness.runner.verify import InputVerdict, Verification, check_sample, executed_again
from harness.store.facts import StoredTrial

_SIZES = ("inputs", "states")

FrozenTrial = tuple[StoredTrial, Sequence[MutantResult]]
"""A trial, without the fields that a frozen run does not keep, and its results."""


def verify_frozen(
    folder: Path,
    trials: Iterable[FrozenTrial],
    sample: int | None,
    seed: int,
    jobs: int,
) -> Verification:
    """Re-execute the verdicts of a frozen run along the naive path, or a seeded sample of them.

    A frozen run has no suites, no texts of mutants and no kill matrices. So suites are generated again, and their
    numbers of inputs and states are compared. Mutants are those of the operator set, by their ids. Of a kill matrix the
    first kill is compared. Trials of another version of a subject or of a generator are left out, as are those of
    pytest suites, and a note counts their verdicts.

    Raises:
        UsageError: a sample below 1.
        StoreError: no verdict is there that could be re-executed.
    """
    check_sample(sample)
    left_out: Counter[str] = Counter()
    conclusive = []
    for trial, results in trials:
        reason = _reason_to_leave_out(trial)
        if reason:
            left_out[reason] += len(results)
        else:
            conclusive += [(trial, result) for result in results if result.verdict is not Verdict.INCONCLUSIVE]
    drawn = sorted(conclusive, key=lambda one: rank(one[0], one[1].mutant, seed))[:sample]
    notes = [f"{count} verdicts are left out, {reason}" for reason, count in sorted(left_out.items()) if count]
    if not drawn:
        raise StoreError(f"{folder}: no verdict can be executed again: {'; '.join(notes) or 'none is there'}")
    disagreements: list[FactDisagreement] = []
    claims: list[InputVerdict] = []
    for trial in sorted({trial.key: trial for trial, _ in drawn}.values(), key=lambda trial: (str(trial), trial.key)):
        subject = load_subject(trial.subject)
        suite = stored_suite(subject, trial)
        fields = fields_of(subject, suite.header)
        disagreements += field_disagreements(trial, trial, {name: fields[name] for name in _SIZES}, "generated again")
        mutants = {mutant.id: mutant for mutant in mutant_set(subject, trial.operator_set).mutants}
        for result in sorted((one for of, one in drawn if of.key == trial.key), key=lambda result: result.mutant):
            if result.mutant in mutants:
                claims.append(_claim(trial, subject, suite.folder, result, mutants[result.mutant]))
            else:
                unknown = (result.mutant, result.verdict.value, "no such mutant", "derived again")
                disagreements.append(FactDisagreement(str(trial), *unknown))
    return Verification(0, tuple(disagreements), notes=tuple(notes)).joined(executed_again(claims, jobs))


def _reason_to_leave_out(trial: StoredTrial) -> str | None:
    if trial.generator == PYTEST:
        return "as their pytest suites are not kept"
    if trial.mode is ExecutionMode.GENERATE:
        return "as no mutant was executed"
    try:
        subject, generator = load_subject(trial.subject), find_generator(trial.generator)
    except UsageError:
        return "as their subject or generator is no longer there"
    if subject.source_hash != trial.source_hash:
        return "as their subject was changed since"
    if generator.version != trial.generator_version:
        return "as their generator makes other suites since"
    return None


def _claim(trial: StoredTrial, subject: Subject, suite: Path, result: MutantResult, mutant: Mutant) -> InputVerdict:
    """Claim the first kill, or that the mutant survives the inputs that were run."""
    claimed_trial = replace(trial, mode=ExecutionMode.FIRST_KILL)
    if trial.mode is not ExecutionMode.FIRST_KILL and result.verdict is Verdict.KILLED:
        result = replace(result, inputs_run=1 if result.input is None else result.input + 1, steps=None)
    elif result.verdict is Verdict.SURVIVED:
        claimed_trial = replace(claimed_trial, inputs=result.inputs_run)
    return InputVerdict(claimed_trial, mutant, result, None, subject, suite, has_detail=False)
