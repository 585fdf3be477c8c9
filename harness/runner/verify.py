"""Re-executes stored verdicts with a second, naive implementation (law 3); of a run, those of pytest suites, too."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from harness.errors import StoreError, UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.naive.words import NaiveJob, SubjectJob
from harness.model.experiment import ExecutionMode, Trial
from harness.model.mutant import Location, Mutant
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.model.pytest_suite import PYTEST
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.mutation.depth import room_for
from harness.runner.executors.local import LocalExecutor
from harness.runner.executors.worker_process import Work
from harness.runner.instrument import NO_OP, PLANTED, with_planted_fault
from harness.runner.mutant_set import mutant_set
from harness.runner.origins import (
    FactDisagreement,
    coverage_disagreements,
    field_disagreements,
    measured_elsewhere,
    mutant_disagreements,
    rank,
)
from harness.runner.progress import progress_bar
from harness.runner.pytest_runs.verify import has_suites, verify_suites
from harness.runner.subjects import interface_of, load_subject, sequence_interface_of
from harness.runner.suites import stored_suite
from harness.runner.trial import PreparedTrial, coverage_of, fields_of
from harness.runner.witness import Reexecution, Witnessed, unheard
from harness.sandbox.folders import collect_leftovers
from harness.store.facts import FunctionCoverage, InstrumentProof, KillRow, StoredTrial, latest_trials
from harness.store.run_store import RunStore

_OF_MACHINE = (KillReason.CRASH, KillReason.WALL_LIMIT, KillReason.MEMORY_LIMIT)
"""Reasons whose words say which limit or signal came first."""


@dataclass(frozen=True)
class Verification:
    """The number of verdicts that were re-executed, and the facts that were not confirmed.

    `unchecked`: verdicts that could not be re-executed. `notes`: facts for which there is nothing to compare with.
    """

    checked: int
    disagreements: tuple[FactDisagreement, ...]
    unchecked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Return True if everything that there was to check is confirmed."""
        return not (self.disagreements or self.unchecked)


@dataclass(frozen=True)
class StoredVerdict:
    """One stored verdict with everything needed to re-execute it; frozen runs keep no details."""

    trial: StoredTrial
    subject: Subject
    suite: Path
    mutant: Mutant
    result: MutantResult
    kill_row: KillRow | None
    has_detail: bool = True


def verify(
    folder: Path,
    *,
    suite_of: Callable[[StoredTrial], Path],
    mutants_of: Callable[[Subject, StoredTrial], Sequence[Mutant]] | None = None,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> Verification:
    """Re-execute the stored verdicts of `folder`, or a seeded sample of them over its latest trials.

    The mutants of their trials are derived again. Self-checks are executed again, and coverage is measured again: of
    all trials, or of one if there is a sample.

    Args:
        suite_of: returns the folder of a trial's suite, generated again if it is gone.
        mutants_of: derives mutants (default: those of the trial's operator set).
        sample: how many verdicts, in the order of sha256 of `seed:trial:mutant`; None for all.
        jobs: naive processes at once.

    Raises:
        UsageError: a sample below 1.
        StoreError: nothing is stored; or subject, suite or mutants are no longer those of the run.
    """
    check_sample(sample)
    collect_leftovers()
    with RunStore.open_existing(folder) as store:
        drawn = sorted(_claims(store, suite_of), key=lambda claim: rank(claim.trial, claim.mutant.id, seed))[:sample]
        if not drawn:
            raise StoreError(f"{store.path}: no verdict is stored yet, so there is none to check; run it first")
        derived = _derived(drawn, mutants_of or _mutants_of)
        disagreements = list(_of_origins(store, drawn, derived, sample is not None))
    # By trial, as a judge serves one subject and suite.
    claims = sorted(
        (_on_derived(claim, derived[claim.trial.key]) for claim in drawn),
        key=lambda claim: (str(claim.trial), claim.trial.key, claim.mutant.id),
    )
    return executed_again(claims, jobs, disagreements)


def check_sample(sample: int | None) -> None:
    """Check the number of verdicts to be drawn.

    Raises:
        UsageError: it is below 1.
    """
    if sample is not None and sample < 1:
        raise UsageError(f"--sample {sample}: nothing would be checked; give a whole number from 1")


def executed_again(
    claims: Sequence[StoredVerdict],
    jobs: int,
    before: Iterable[FactDisagreement],
    notes: Iterable[str] = (),
) -> Verification:
    """Execute what is claimed along the naive path, and add the disagreements to those of `before`."""
    disagreements = list(before)
    unchecked: list[str] = []
    with progress_bar("verify", len(claims)) as advance, closing(_witnessed(claims, jobs)) as witnessed:
        for claim, seen in witnessed:
            if seen.result.verdict is Verdict.INCONCLUSIVE:
                unchecked.append(f"{claim.trial}, {claim.mutant.id}: could not be re-executed: {seen.result.detail}")
            else:
                disagreement = _compared(claim, seen)
                disagreements += [disagreement] if disagreement else []
            advance()
    return Verification(
        len(claims) - len(unchecked),
        tuple(sorted(disagreements, key=lambda d: (d.trial, d.fact))),
        tuple(sorted(unchecked)),
        notes=tuple(notes),
    )


def _witnessed(claims: Sequence[StoredVerdict], jobs: int) -> Generator[tuple[StoredVerdict, Witnessed], None, None]:
    """Yield each claim with the second result for its mutant; if the caller stops, no process is left running."""
    with LocalExecutor(Work(_witnessing, _unwitnessed), jobs) as executor:
        yield from executor.run(claims)


@contextmanager
def _witnessing(folder: Path) -> Iterator[Callable[[StoredVerdict], Witnessed]]:
    with Reexecution(folder) as witness:
        yield partial(_seen, witness)


def _unwitnessed(claim: StoredVerdict, how: str) -> Witnessed:
    return unheard(claim.mutant.id, "the process that watches its re-execution was killed twice")


# -- what is claimed -----------------------------------------------------------------------------


def _claims(store: RunStore, suite_of: Callable[[StoredTrial], Path]) -> Iterator[StoredVerdict]:
    for trial in latest_trials(store.trials.all()):
        results = store.results.of(trial.key)
        if not results or trial.generator == PYTEST:  # of those, harness.runner.pytest_runs.verify
            continue
        subject = _same_subject(store.path, trial)
        suite = _same_suite(store.path, trial, suite_of(trial))
        mutants = {mutant.id: mutant for mutant in store.mutants.of(trial.mutant_set)}
        rows = {row.mutant: row for row in store.results.kill_rows(trial.key)}
        for result in results:
            if result.mutant not in mutants:
                raise StoreError(f"{store.path}: {trial}: mutant {result.mutant} is not in its set; run it again")
            yield StoredVerdict(trial, subject, suite, mutants[result.mutant], result, rows.get(result.mutant))


def _same_subject(store: Path, trial: StoredTrial) -> Subject:
    subject = load_subject(trial.subject)
    if subject.content_hash != trial.subject_hash:
        raise StoreError(
            f"{store}: {trial} was run on another version of the subject than the one in {subject.spec_path.parent}; "
            "restore that version or run the experiment again, in another folder if it no longer has this trial"
        )
    return subject


def _same_suite(store: Path, trial: StoredTrial, folder: Path) -> Path:
    suite = SuiteReader(folder)
    if suite.header.digest != trial.suite_digest:
        raise StoreError(
            f"{store}: {trial} was run on another suite than the one in {folder}; delete that folder to have it "
            "generated again, and run the experiment again if that does not help"
        )
    return folder


# -- where facts come from -----------------------------------------------------------------------


def _of_origins(
    store: RunStore, drawn: Sequence[StoredVerdict], derived: Mapping[str, Sequence[Mutant]], sampled: bool
) -> Iterator[FactDisagreement]:
    """Compare trials and mutants with subject and suite. Execute facts again: if sampled, of the first trial only."""
    trials = {claim.trial.key: claim for claim in drawn}
    executed = [drawn[0].trial.key] if sampled else [*trials]
    for key, claim in sorted(trials.items()):
        trial = claim.trial
        suite = SuiteReader(claim.suite)
        if suite.header.generator == trial.generator:  # else it was made again by its number of inputs
            yield from field_disagreements(trial, trial, fields_of(claim.subject, suite.header), "read again")
        yield from mutant_disagreements(trial, store.mutants.of(trial.mutant_set), derived[key])
        proof = store.instruments.of(key)
        if key in executed and proof is not None:
            yield from _proven_again(claim, proof)
        if key in executed and not measured_elsewhere(store):
            yield from _measured_again(claim, suite, store.coverage.of(key))


def _proven_again(claim: StoredVerdict, proof: InstrumentProof) -> Iterator[FactDisagreement]:
    """Execute the self-checks of a trial with the naive implementation."""
    trial, subject = claim.trial, claim.subject
    calls = sequence_interface_of if trial.sequences else interface_of
    planted = with_planted_fault(subject.source, calls(subject, trial.scope), False, subject.driven)
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


def _control(claim: StoredVerdict, name: str, text: str) -> StoredVerdict:
    """Make the claim about a mutant whose whole source is `text`, which runs to its first kill."""
    source = claim.subject.source
    lines = source.split("\n")
    whole = Location(1, 0, len(lines), len(lines[-1]))
    mutant = Mutant(name, name, "", whole, source, text, claim.subject.source_hash)
    return replace(claim, trial=replace(claim.trial, mode=ExecutionMode.FIRST_KILL), mutant=mutant, kill_row=None)


def _measured_again(
    claim: StoredVerdict, suite: SuiteReader, coverage: Sequence[FunctionCoverage]
) -> Iterator[FactDisagreement]:
    """Measure the coverage of a trial as a run does, if it has any."""
    if coverage:
        trial, subject = claim.trial, claim.subject
        same_trial = Trial(trial.subject, trial.generator, trial.scope, trial.seed)
        with room_for(subject):
            prepared = PreparedTrial(same_trial, subject, interface_of(subject, trial.scope), suite, ())
            measured, _ = coverage_of(prepared)()
        yield from coverage_disagreements(trial, coverage, measured)


def _derived(
    drawn: Sequence[StoredVerdict], mutants_of: Callable[[Subject, StoredTrial], Sequence[Mutant]]
) -> dict[str, Sequence[Mutant]]:
    """Return the mutants of each trial as its source gives them."""
    trials = {claim.trial.key: claim for claim in drawn}
    ordered = sorted(trials.items(), key=lambda item: (item[1].trial.subject, item[1].trial.operator_set))
    return {key: mutants_of(claim.subject, claim.trial) for key, claim in ordered}


def _on_derived(claim: StoredVerdict, derived: Sequence[Mutant]) -> StoredVerdict:
    """Return the claim with its mutant as it was derived again, if it was: what is stored may be another text."""
    return replace(claim, mutant={mutant.id: mutant for mutant in derived}.get(claim.mutant.id, claim.mutant))


def _mutants_of(subject: Subject, trial: StoredTrial) -> Sequence[Mutant]:
    return mutant_set(subject, trial.operator_set).mutants


# -- checking ------------------------------------------------------------------------------------


def _seen(witness: Reexecution, claim: StoredVerdict) -> Witnessed:
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


def _compared(claim: StoredVerdict, seen: Witnessed) -> FactDisagreement | None:
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
    if stored.reason not in _OF_MACHINE and not _says(stored.detail, seen.detail):
        return False
    return stored.steps is None or seen.steps is None or stored.steps == seen.steps


def _says(stored: str, seen: str) -> bool:
    """Return True if a stored detail is the one that was seen, with or without the text of the input before it."""
    return stored == seen or (bool(seen) and stored.endswith(f": {seen}"))


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


def verify_run(
    folder: Path,
    sample: int | None,
    seed: int,
    jobs: int,
) -> Verification:
    """Compare the facts of a run with facts that are derived, measured and executed again.

    Raises:
        MutascopeError: as `verify` and `verify_suites`.
    """
    with RunStore.open_existing(folder) as store:
        there = measured_elsewhere(store)
    verification = _reexecuted(folder, sample, seed, jobs)
    if not there:
        return verification
    note = f"coverage is not measured again, as it was measured under {there}"
    return replace(verification, notes=(*verification.notes, note))


def _reexecuted(folder: Path, sample: int | None, seed: int, jobs: int) -> Verification:
    of_suites, of_inputs = has_suites(folder)
    if of_suites and not of_inputs:
        checked, disagreements = verify_suites(folder, sample, seed, jobs)
        return Verification(checked, tuple(disagreements))

    def suite_of(trial: StoredTrial) -> Path:
        return stored_suite(load_subject(trial.subject), trial).folder

    verification = verify(folder, suite_of=suite_of, sample=sample, seed=seed, jobs=jobs)
    if not of_suites:
        return verification
    checked, disagreements = verify_suites(folder, sample, seed, jobs)
    return replace(
        verification,
        checked=verification.checked + checked,
        disagreements=(*verification.disagreements, *disagreements),
    )
