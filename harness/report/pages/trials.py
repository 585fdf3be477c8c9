"""What a report is about: of each subject and generator the trial at the largest scope, with all its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness import resources
from harness.errors import ManifestError, MutascopeError, UsageError
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.mutant import EquivalenceArgument, Mutant
from harness.model.outcome import MutantResult, OracleName
from harness.model.own_suite import PYTEST, SuiteTest
from harness.model.subject import Subject
from harness.mutation.equivalence import read_equivalence
from harness.report.pages.killers import Killers, killers_of
from harness.runner.mutants import pinned_ids
from harness.runner.subjects import load_subject
from harness.store import InstrumentProof, RunStore, StoredTrial


@dataclass(frozen=True)
class ReportedTrial:
    """A trial with its facts.

    `mutants` are in order of position; `results` has none for those that were not run (yet).
    `source` is None where the implementation cannot be found any more, or is another one now:
    then `without_source` says why, and locations mean nothing that could be shown.
    """

    trial: StoredTrial
    finished: bool
    mutants: tuple[Mutant, ...]
    results: Mapping[str, MutantResult]
    proof: InstrumentProof | None
    file_name: str
    source: str | None
    without_source: str
    arguments: Mapping[str, EquivalenceArgument]
    """Why mutants are held to be equivalent, by id."""
    without_arguments: str
    """Why those kept by hand cannot be used; empty where nothing is wrong with them."""
    seconds: Mapping[str, float]
    """By mutant; the only thing here that is no fact."""
    killers: Killers
    tests: tuple[SuiteTest, ...] = ()
    """Of a suite of pytest; its source is the one that was run."""
    excluded: Mapping[str, str] = field(default_factory=dict)
    """By node id, why a test of pytest that was collected is none of the suite."""

    @property
    def is_pytest(self) -> bool:
        """Whether it is of a suite of pytest, whose tests have names."""
        return self.trial.generator == PYTEST

    @property
    def slug(self) -> str:
        """Names subject, generator, and operator set and oracle but the default ones, in file names and anchors."""
        own = "" if self.trial.operator_set == DEFAULT_OPERATORS else f"-{self.trial.operator_set}"
        own += "" if self.trial.oracle is OracleName.DIFFERENTIAL else f"-{self.trial.oracle.value}"
        return f"{self.trial.subject}-{self.trial.generator}{own}".replace("/", "_")


def reported_trials(
    store: RunStore,
    scope: int | None = None,
    oracle: OracleName = OracleName.DIFFERENTIAL,
    every_seed: bool = False,
) -> list[ReportedTrial]:
    """Of each subject, generator and operator set the finished trial at `scope`, by default the largest.

    Where none is finished, the largest begun. Of several at one scope (other modes or sources) the last one stored;
    of several seeds as well, unless `every_seed` asks for one trial of each.

    Raises:
        UsageError: the run has no trial under the oracle, or none at `scope`.
    """
    finished = store.finished_trials()
    chosen: dict[tuple[str, str, str, int | None], StoredTrial] = {}
    for trial in store.trials(oracle):
        if scope is not None and trial.scope != scope:
            continue
        identity = trial.subject, trial.generator, trial.operator_set, trial.seed if every_seed else None
        before = chosen.get(identity)
        if before is None or _rank(trial, finished) >= _rank(before, finished):
            chosen[identity] = trial
    if not chosen:
        what = "no trial" if scope is None else f"no trial at scope {scope}"
        raise UsageError(f"{store.path}: the run has {what}; run the experiment first")
    return [_reported(store, trial, trial.key in finished) for trial in chosen.values()]


def _rank(trial: StoredTrial, finished: frozenset[str]) -> tuple[bool, int]:
    return trial.key in finished, trial.scope


def _reported(store: RunStore, trial: StoredTrial, finished: bool) -> ReportedTrial:
    key = trial.key
    mutants = tuple(store.mutants(trial.mutant_set))
    suite = store.suite(key)
    subject, why = (None, "") if suite else _subject(trial)
    results = {result.mutant: result for result in store.results(key)}
    arguments, unusable = _arguments(subject, mutants) if subject else ({}, "")
    return ReportedTrial(
        trial=trial,
        finished=finished,
        mutants=mutants,
        results=results,
        proof=store.instrument(key),
        file_name=f"{trial.subject.replace('.', '/')}.py" if suite else _file_name(trial, subject),
        source=suite.source if suite else subject.source if subject else None,
        without_source=why,
        arguments=arguments,
        without_arguments=unusable,
        killers=killers_of(store, trial, results),
        tests=() if suite is None else suite.tests,
        excluded={} if suite is None else suite.excluded,
        seconds={timing.what: timing.seconds for timing in store.timings(key)},
    )


def _subject(trial: StoredTrial) -> tuple[Subject | None, str]:
    """The subject if its implementation is still the one that ran; else why not."""
    try:
        subject = load_subject(trial.subject)
    except MutascopeError as error:
        return None, str(error)
    if subject.source_hash != trial.source_hash:
        return None, f"{subject.name}: the implementation was changed since the run; run again to see it"
    return subject, ""


def _file_name(trial: StoredTrial, subject: Subject | None) -> str:
    """The same on every machine: an installed module's file alone, else with the subject's folder."""
    if subject is None:
        return trial.subject
    return subject.source_path.name if subject.installed else f"{subject.name}/{subject.source_path.name}"


def _arguments(subject: Subject, mutants: tuple[Mutant, ...]) -> tuple[dict[str, EquivalenceArgument], str]:
    """From the first folder that has any; or why they are of no use (damaged, or for another mutant set)."""
    known = frozenset(mutant.id for mutant in mutants)
    try:
        for folder in resources.mutants_folders(subject):
            found = read_equivalence(folder, known | pinned_ids(folder, subject))
            if found:
                return {argument.mutant: argument for argument in found if argument.mutant in known}, ""
    except ManifestError as error:
        return {}, str(error)
    return {}, ""
