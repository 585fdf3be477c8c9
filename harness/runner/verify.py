"""Re-executes stored verdicts with a second, naive implementation (law 3); of a run, those of pytest suites, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from harness.amounts import counted
from harness.errors import StoreError, UsageError
from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.naive.words import NaiveJob, SubjectJob
from harness.model.experiment import ExecutionMode, Trial
from harness.model.outcome import KillReason, Location, Mutant, MutantResult, Phase, Verdict
from harness.model.pytest_suite import PYTEST
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.mutation.program import room_for
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.runner.instrument import NO_OP, PLANTED, with_planted_fault
from harness.runner.mutant_set import mutant_set
from harness.runner.origins import (
    FactDisagreement,
    StoredFacts,
    StoredVerdict,
    coverage_disagreements,
    field_disagreements,
    measured_elsewhere,
    mutant_disagreements,
    rank,
)
from harness.runner.progress import progress_bar
from harness.runner.pytest_runs.verify import SuiteVerdict, suite_again
from harness.runner.subjects import interface_of, load_subject, sequence_interface_of
from harness.runner.suites import stored_suite
from harness.runner.trial import PreparedTrial, coverage_of, fields_of
from harness.runner.witness import Reexecution, Witnessed
from harness.store.facts import FunctionCoverage, InstrumentProof, StoredTrial, latest_trials
from harness.store.run_store import RunStore

_OF_MACHINE = (KillReason.CRASH, KillReason.WALL_LIMIT, KillReason.MEMORY_LIMIT)
"""Reasons whose words say which limit or signal came first."""


@dataclass(frozen=True)
class Verification:
    """The number of verdicts that were re-executed, and the facts that were not confirmed.

    `unchecked`: verdicts that could not be re-executed. `notes`: facts for which there is nothing to compare with, and
    the number of inconclusive verdicts of each pytest suite, which pytest alone cannot confirm.
    """

    checked: int
    disagreements: tuple[FactDisagreement, ...]
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Return True if everything that there was to check is confirmed."""
        return not (self.disagreements or self.unchecked)

    def joined(self, other: Verification) -> Verification:
        """Return what both have found, in order."""
        return Verification(
            self.checked + other.checked,
            tuple(sorted((*self.disagreements, *other.disagreements), key=lambda one: (one.trial, one.fact))),
            tuple(sorted((*self.unchecked, *other.unchecked))),
            (*self.notes, *other.notes),
        )


@dataclass(frozen=True)
class InputVerdict(StoredVerdict):
    """A stored verdict on the inputs of a suite of states or sequences; frozen runs keep no details."""

    subject: Subject
    suite: Path
    has_detail: bool = True

    def checked(self, witness: Reexecution) -> FactDisagreement | str | None:
        """Return the disagreement if there is one; text says why it could not be re-executed."""
        seen = _seen(witness, self)
        return seen.result.detail if seen.result.verdict is Verdict.INCONCLUSIVE else _compared(self, seen)


Claim = InputVerdict | SuiteVerdict
Checked = FactDisagreement | str | None
MutantsOf = Callable[[Subject, StoredTrial], Sequence[Mutant]]
SuiteOf = Callable[[StoredTrial], Path]


def _suite_of(trial: StoredTrial) -> Path:
    return stored_suite(load_subject(trial.subject), trial).folder


def _mutants_of(subject: Subject, trial: StoredTrial) -> Sequence[Mutant]:
    return mutant_set(subject, trial.operator_set).mutants


def verify_run(
    folder: Path,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    *,
    suite_of: SuiteOf = _suite_of,
    mutants_of: MutantsOf = _mutants_of,
) -> Verification:
    """Re-execute the stored verdicts of `folder`, or a seeded sample of them over its latest trials.

    Verdicts of pytest suites that are inconclusive are left out, and a note tells their number.

    The mutants of their trials are derived again. Self-checks are executed again, and coverage is measured again: of
    all trials, or of one if there is a sample.

    Args:
        sample: how many verdicts, in the order of sha256 of `seed:trial:mutant`; None for all.
        jobs: processes at once.
        suite_of: returns the folder of a trial's suite of inputs, generated again if it is gone.
        mutants_of: derives mutants of a subject.

    Raises:
        UsageError: a sample below 1.
        StoreError: nothing is stored; or subject, suite or mutants are no longer those of the run.
    """
    check_sample(sample)
    with RunStore.open_existing(folder) as store:
        elsewhere = measured_elsewhere(store)
        notes = [f"coverage is not measured again, as it was measured under {elsewhere}"] * bool(elsewhere)
        stored = [*_verdicts(store)]
        left_out = Counter(str(one.trial) for one in stored if _is_left_out(one))
        notes += [
            f"{trial}: {counted(count, 'inconclusive verdict')} not re-executed" for trial, count in left_out.items()
        ]
        checkable = [one for one in stored if not _is_left_out(one)]
        drawn = sorted(checkable, key=lambda one: rank(one.trial, one.mutant.id, seed))[:sample]
        if not drawn:
            raise StoreError(f"{store.path}: no verdict is stored yet, so there is none to check; run it first")
        by_trial: dict[str, list[StoredVerdict]] = {}
        for verdict in drawn:
            by_trial.setdefault(verdict.trial.key, []).append(verdict)
        executed = [*by_trial][: None if sample is None else 1]
        trials = [_facts(store, verdicts, key in executed, elsewhere) for key, verdicts in by_trial.items()]
    # Mutants of the latest subject and operator set are kept, and a naive process serves one subject and suite.
    trials.sort(key=lambda facts: (facts.trial.subject, facts.trial.operator_set, str(facts.trial), facts.trial.key))
    disagreements: list[FactDisagreement] = []
    claims: list[Claim] = []
    for facts in trials:
        if facts.record is None:
            found, verdicts_of_inputs = _inputs_again(store.path, facts, suite_of, mutants_of)
            disagreements += found
            claims += verdicts_of_inputs
    verification = executed_again(claims, jobs)
    for facts in trials:
        if facts.record is not None:
            with suite_again(facts) as (found, verdicts_of_tests):
                disagreements += found
                verification = verification.joined(executed_again(verdicts_of_tests, jobs))
    return verification.joined(Verification(0, tuple(disagreements), notes=tuple(notes)))


def check_sample(sample: int | None) -> None:
    """Check the number of verdicts to be drawn.

    Raises:
        UsageError: it is below 1.
    """
    if sample is not None and sample < 1:
        raise UsageError(f"--sample {sample}: nothing would be checked; give a whole number from 1")


def executed_again(claims: Sequence[Claim], jobs: int) -> Verification:
    """Execute what is claimed along the naive path."""
    disagreements: list[FactDisagreement] = []
    unchecked: list[str] = []
    # If the caller stops, no process is left running.
    with progress_bar("verify", len(claims)) as advance, LocalExecutor(Work(_watching, _unwatched), jobs) as executor:
        for claim, checked in executor.run(claims):
            if isinstance(checked, str):
                unchecked.append(f"{claim}: could not be re-executed: {checked}")
            elif checked is not None:
                disagreements.append(checked)
            advance()
    return Verification(len(claims) - len(unchecked), tuple(disagreements), tuple(unchecked))


@contextmanager
def _watching(folder: Path) -> Iterator[Callable[[Claim], Checked]]:
    with Reexecution(folder) as witness:
        yield lambda claim: claim.checked(folder) if isinstance(claim, SuiteVerdict) else claim.checked(witness)


def _unwatched(claim: Claim, how: str) -> str:
    return "the process that watches its re-execution was killed twice"


# -- what is stored ------------------------------------------------------------------------------


def _verdicts(store: RunStore) -> Iterator[StoredVerdict]:
    for trial in latest_trials(store.trials.all()):
        mutants = {mutant.id: mutant for mutant in store.mutants.of(trial.mutant_set)}
        rows = {row.mutant: row for row in store.results.kill_rows(trial.key)}
        for result in store.results.of(trial.key):
            if result.mutant not in mutants:
                raise StoreError(f"{store.path}: {trial}: mutant {result.mutant} is not in its set; run it again")
            yield StoredVerdict(trial, mutants[result.mutant], result, rows.get(result.mutant))


def _is_left_out(one: StoredVerdict) -> bool:
    return one.trial.generator == PYTEST and one.result.verdict is Verdict.INCONCLUSIVE


def _facts(
    store: RunStore, verdicts: Sequence[StoredVerdict], is_executed: bool, measured_elsewhere: str
) -> StoredFacts:
    trial = verdicts[0].trial
    record = store.suites.of(trial.key) if trial.generator == PYTEST else None
    if record is None and trial.generator == PYTEST:
        raise StoreError(f"{store.path}: {trial}: the record of the suite is gone; run it again")
    return StoredFacts(
        trial=trial,
        verdicts=sorted(verdicts, key=lambda verdict: verdict.mutant.id),
        mutants=store.mutants.of(trial.mutant_set),
        proof=store.instruments.of(trial.key) if is_executed else None,
        coverage=store.coverage.of(trial.key) if is_executed and not measured_elsewhere else (),
        record=record,
    )


def _same_subject(store: Path, trial: StoredTrial) -> Subject:
    subject = load_subject(trial.subject)
    if subject.content_hash != trial.subject_hash:
        raise StoreError(
            f"{store}: {trial} was run on another version of the subject than the one in {subject.spec_path.parent}; "
            "restore that version or run the experiment again, in another folder if it no longer has this trial"
        )
    return subject


def _same_suite(store: Path, trial: StoredTrial, folder: Path) -> SuiteReader:
    suite = SuiteReader(folder)
    if suite.header.digest != trial.suite_digest:
        raise StoreError(
            f"{store}: {trial} was run on another suite than the one in {folder}; delete that folder to have it "
            "generated again, and run the experiment again if that does not help"
        )
    return suite


# -- where facts come from -----------------------------------------------------------------------


def _inputs_again(
    store: Path, facts: StoredFacts, suite_of: SuiteOf, mutants_of: MutantsOf
) -> tuple[list[FactDisagreement], list[InputVerdict]]:
    """Compare a trial and its mutants with subject and suite; return its verdicts on mutants that are derived again."""
    trial = facts.trial
    subject = _same_subject(store, trial)
    suite = _same_suite(store, trial, suite_of(trial))
    derived = mutants_of(subject, trial)
    found = [*mutant_disagreements(trial, facts.mutants, derived)]
    if suite.header.generator == trial.generator:  # else it was made again by its number of inputs
        found += field_disagreements(trial, trial, fields_of(subject, suite.header), "read again")
    by_id = {mutant.id: mutant for mutant in derived}
    # What is stored of a mutant may be another text.
    verdicts = [replace(one, mutant=by_id.get(one.mutant.id, one.mutant)) for one in facts.verdicts]
    claims = [InputVerdict(**vars(one), subject=subject, suite=suite.folder) for one in verdicts]
    if facts.proof is not None:
        found += _proven_again(claims[0], facts.proof)
    if facts.coverage:
        found += _measured_again(trial, subject, suite, facts.coverage)
    return found, claims


def _proven_again(claim: InputVerdict, proof: InstrumentProof) -> Iterator[FactDisagreement]:
    """Execute the self-checks of a trial with the naive implementation."""
    trial, subject = claim.trial, claim.subject
    calls = sequence_interface_of if trial.sequences else interface_of
    planted = with_planted_fault(subject.source, calls(subject, trial.scope), subject.driven)
    with Reexecution() as witness:
        same, raising = (
            _seen(witness, _control(claim, name, text)).result
            for name, text in ((NO_OP, subject.source), (PLANTED, planted))
        )
    if Verdict.INCONCLUSIVE in (same.verdict, raising.verdict):
        return  # as are the verdicts of its mutants
    inputs, steps = same.inputs_run if same.verdict is Verdict.SURVIVED else 0, same.steps
    checks: dict[str, object] = {"original_inputs": inputs, "no_op_inputs": inputs, "no_op_steps": steps}
    checks |= {"planted_reason": raising.reason, "planted_phase": raising.phase}
    yield from field_disagreements(trial, proof, checks, "executed again")
    yield from field_disagreements(trial, trial, {"original_steps": steps}, "executed again")


def _control(claim: InputVerdict, name: str, text: str) -> InputVerdict:
    """Make the claim about a mutant whose whole source is `text`, which runs to its first kill."""
    source = claim.subject.source
    lines = source.split("\n")
    whole = Location(1, 0, len(lines), len(lines[-1]))
    mutant = Mutant(name, name, "", whole, source, text, claim.subject.source_hash)
    return replace(claim, trial=replace(claim.trial, mode=ExecutionMode.FIRST_KILL), mutant=mutant, kill_row=None)


def _measured_again(
    trial: StoredTrial, subject: Subject, suite: SuiteReader, coverage: Sequence[FunctionCoverage]
) -> Iterator[FactDisagreement]:
    """Measure the coverage of a trial as a run does."""
    same_trial = Trial(trial.subject, trial.generator, trial.scope, trial.seed)
    with room_for(subject):
        prepared = PreparedTrial(same_trial, subject, interface_of(subject, trial.scope), suite, ())
        measured, _ = coverage_of(prepared)()
    yield from coverage_disagreements(trial, coverage, measured)


# -- checking ------------------------------------------------------------------------------------


def _seen(witness: Reexecution, claim: InputVerdict) -> Witnessed:
    trial, subject, mutant = claim.trial, claim.subject, claim.mutant
    job = NaiveJob(
        subject=SubjectJob.of(
            subject,
            trial.scope,
            suite=str(claim.suite.resolve()),
            concrete=trial.concrete,
            observed=(trial.observed or Observation.END).value,
            oracle=trial.oracle.value,
        ),
        location=mutant.location,
        original=mutant.original,
        replacement=mutant.replacement,
        every_input=trial.mode in (ExecutionMode.MATRIX, ExecutionMode.SELECTIONS),
        last=claim.kill_row.inputs if claim.kill_row else trial.inputs,
    )
    options = {} if claim.kill_row is None else {"most_deaths": None}
    seen = witness.of(mutant.id, job, **options)
    if seen.result.reason is KillReason.WALL_LIMIT and claim.result.reason is not KillReason.WALL_LIMIT:
        return witness.of(mutant.id, job, **options)  # a limit that a slow machine may have met has to be met twice
    return seen


def _compared(claim: InputVerdict, seen: Witnessed) -> FactDisagreement | None:
    row = claim.kill_row
    if not claim.has_detail:
        seen = replace(seen, result=replace(seen.result, detail=""))
    if agree(claim.result, seen.result) and (row == seen.kill_row or (row is None and _took_all(claim.result))):
        return None
    stored = _result_words(Witnessed(claim.result, row), seen)
    return FactDisagreement(str(claim.trial), claim.mutant.id, stored, _result_words(seen, seen))


def agree(stored: MutantResult, seen: MutantResult) -> bool:
    """Return True if two results of a mutant state the same facts.

    Steps are compared where both paths know them: neither does after a crash or the wall-clock
    limit. A crash that took the whole sandbox along names no input; there verdict and reason
    have to do. Details are compared without the text of the input, which a run puts in front, and not if they are about
    the machine.
    """
    if (stored.verdict, stored.reason) != (seen.verdict, seen.reason):
        return False
    if _took_all(stored):
        return True
    if (stored.phase, stored.input, stored.inputs_run) != (seen.phase, seen.input, seen.inputs_run):
        return False
    # A run puts the text of the input in front.
    is_said = stored.detail == seen.detail or (bool(seen.detail) and stored.detail.endswith(f": {seen.detail}"))
    if stored.reason not in _OF_MACHINE and not is_said:
        return False
    return stored.steps is None or seen.steps is None or stored.steps == seen.steps


def _took_all(stored: MutantResult) -> bool:
    """Return whether the mutant has crashed together with its sandbox."""
    died = stored.reason in (KillReason.CRASH, KillReason.WALL_LIMIT)
    return died and stored.phase is Phase.CALL and stored.input is None


def _result_words(witnessed: Witnessed, witness: Witnessed) -> str:
    """Return a result in words, with the number of kills in its row, or a note that only the other result has a row."""
    result = witnessed.result
    words = result.verdict.value
    if result.verdict is Verdict.KILLED and result.reason is not None and result.phase is not None:
        where = "" if result.input is None else f" on input {result.input}"
        words += f" by {result.reason.value} in {result.phase.value}{where}"
    words += f" after {result.inputs_run} inputs, {'unknown' if result.steps is None else result.steps} steps"
    if witnessed.kill_row is not None:
        kills = int.from_bytes(witnessed.kill_row.bits, "little").bit_count()
        words += f", {kills} inputs kill"
    elif witness.kill_row is not None:
        words += ", no kill row"
    return f"{words} ({result.detail})" if result.detail else words


# -- frozen runs --------------------------------------------------------------------------------


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
