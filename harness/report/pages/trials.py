"""Loads the facts that a report shows: the trial at the largest scope of each subject, suite and seed.

It knows which tests kill and reach each mutant, and which mutants each test alone kills, as far as the run does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from harness import resources
from harness.analysis.titles import titles_apart
from harness.errors import ManifestError, MutascopeError, UsageError
from harness.generators.registry import generator_words
from harness.model.experiment import DEFAULT_OPERATORS, ExecutionMode, TrialFilter
from harness.model.outcome import EquivalenceArgument, Mutant, MutantResult, OracleName
from harness.model.pytest_suite import PYTEST, SuiteRecord, SuiteTest
from harness.model.subject import Subject, root_of
from harness.mutation.manifest import read_equivalence
from harness.runner.mutant_set import pinned_ids
from harness.runner.pytest_runs.project import find_project
from harness.runner.subjects import load_subject
from harness.store import InstrumentProof, RunStore, StoredTrial
from harness.store.facts import FailedTrial

MOST_TESTS = 5_000
"""The greatest size of a suite whose killers are named. Those of larger ones are counted, since a page could not hold
them.
"""


@dataclass(frozen=True)
class KillsOfTest:
    """The numbers of mutants that a test kills, kills as the only one of the suite, and reaches.

    In a run up to first kills, `kills` are the mutants that it was the first to kill. None if the run does not know.
    """

    kills: int
    sole_kills: int | None
    reached: int | None


@dataclass(frozen=True)
class Killers:
    """The tests (or inputs) of a suite, by number, that kill and reach the mutants of a trial.

    `complete` says that all tests ran on each mutant; otherwise only one killer of a mutant is known. Sets of tests are
    whole numbers whose bit `i` stands for test `i`. `kills` and `reached` lack mutants whose tests are unknown, or not
    kept (`MOST_TESTS`). Complete runs have `counts` and `sole_killers`, however many tests there are.
    """

    tests: int
    complete: bool
    kills: Mapping[str, int]
    reached: Mapping[str, int]
    counts: Mapping[str, int]
    """The number of tests that kill each mutant."""
    sole_killers: Mapping[str, int]
    """The killing test of each mutant that exactly one test kills."""

    def by_test(self) -> list[KillsOfTest]:
        """Return the numbers of each test of the suite; empty if it has more than `MOST_TESTS`."""
        if self.tests > MOST_TESTS:
            return []
        kills, reached = (_per_test(rows, self.tests) for rows in (self.kills.values(), self.reached.values()))
        alone_kills = [0] * self.tests
        for test in self.sole_killers.values():
            alone_kills[test] += 1
        return [
            KillsOfTest(
                kills[test], alone_kills[test] if self.complete else None, reached[test] if self.reached else None
            )
            for test in range(self.tests)
        ]


@dataclass(frozen=True)
class ReportedTrial:
    """A trial with its facts.

    `mutants` are in order of position; `results` has none for those that were not run (yet).
    `source` is None where the implementation cannot be found any more, or is another one now:
    then `without_source` says why, and locations mean nothing that could be shown.
    """

    trial: StoredTrial
    title: str
    """The title of the subject, with the subject's name if another one of the run has the same title."""
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
    killers: Killers
    tests: tuple[SuiteTest, ...] = ()
    """The tests of a pytest suite, whose source is the one that was run."""
    excluded: Mapping[str, str] = field(default_factory=dict)
    """The reasons why collected pytest tests are excluded from the suite, by node id."""
    has_other_seeds: bool = False
    """Whether the report also contains other seeds of its subject, generator and operator set."""
    suite_slug: str = ""
    """Names the suite in file names where the report is about several of its subject, generator and operator set."""

    @property
    def is_pytest(self) -> bool:
        """Whether it is of a suite of pytest, whose tests have names."""
        return self.trial.generator == PYTEST

    @property
    def slug(self) -> str:
        """Names subject, generator, and operator set and oracle but the default ones, in file names and anchors.

        Where there are several suites or seeds, it names these, too.
        """
        own = "" if self.trial.operator_set == DEFAULT_OPERATORS else f"-{self.trial.operator_set}"
        own += "" if self.trial.oracle is OracleName.DIFFERENTIAL else f"-{self.trial.oracle.value}"
        own += f"-{self.suite_slug}" if self.suite_slug else ""
        own += f"-seed-{self.trial.seed}" if self.has_other_seeds else ""
        return f"{self.trial.subject}-{generator_words(self.trial.generator)}{own}".replace("/", "_")

    @property
    def is_one_of_several(self) -> bool:
        """Whether the report has other suites or seeds of its subject, generator and operator set."""
        return self.has_other_seeds or bool(self.suite_slug)

    @property
    def label(self) -> str:
        """Names the subject and the generator, and suite and seed where there are several, for people."""
        suite = f" {self.trial.suite}" if self.suite_slug else ""
        seed = f", seed {self.trial.seed}" if self.has_other_seeds else ""
        return f"{self.title} ({self.trial.generator}{suite}{seed})"


def reported_trials(store: RunStore, oracle: OracleName = OracleName.DIFFERENTIAL) -> list[ReportedTrial]:
    """Load the finished trial of each subject, generator, suite, operator set and seed at its largest scope.

    If none is finished, take the largest begun. A trial that runs no mutant is taken only if no other one was begun. Of
    several at one scope (other modes or sources), take the last stored.

    Raises:
        UsageError: the run has no trial under the oracle.
    """
    finished, trials = store.finished.keys(), store.trials.under(oracle)
    chosen: dict[tuple[str, str, str], dict[str, dict[int, StoredTrial]]] = {}
    for trial in trials:
        by_suite = chosen.setdefault((trial.subject, trial.generator, trial.operator_set), {})
        by_seed = by_suite.setdefault(trial.suite, {})
        before = by_seed.get(trial.seed)
        if before is None or _rank(trial, finished) >= _rank(before, finished):
            by_seed[trial.seed] = trial
    if not chosen:
        raise UsageError(f"{store.path}: the run has no trial; run the experiment first")
    both: list[StoredTrial | FailedTrial] = [*trials, *store.failures.all()]
    titles = titles_apart({trial.subject: trial.title for trial in both})
    return [
        _reported(
            store,
            trial,
            titles[trial.subject],
            trial.key in finished,
            len(by_seed) > 1,
            slug if len(by_suite) > 1 else "",
        )
        for by_suite in chosen.values()
        for slug, by_seed in zip(_slugs(by_suite), by_suite.values(), strict=True)
        for trial in by_seed.values()
    ]


def chosen_trials(folder: Path, oracle: OracleName, chosen: TrialFilter) -> list[ReportedTrial]:
    """Load the reported trials of the run in a folder that a filter takes.

    Raises:
        UsageError: as `reported_trials`, or the filter names a subject or generator of which there is no trial.
    """
    with RunStore.open_existing(folder) as store:
        trials = reported_trials(store, oracle)
    names = [(one.trial.subject, one.trial.title, one.trial.generator) for one in trials]
    chosen.check(names)
    return [one for one, its_names in zip(trials, names, strict=True) if chosen.takes(*its_names)]


def _slugs(names: Iterable[str]) -> list[str]:
    """Return the names of suites as parts of file names, all different."""
    slugs: list[str] = []
    for number, name in enumerate(names, 1):
        slug = re.sub(r"[^\w.-]+", "_", name)
        slugs.append(f"{slug}-{number}" if slug in slugs else slug)
    return slugs


def _rank(trial: StoredTrial, finished: frozenset[str]) -> tuple[bool, bool, int]:
    return trial.mode.runs_mutants, trial.key in finished, trial.scope


def _reported(
    store: RunStore, trial: StoredTrial, title: str, finished: bool, has_other_seeds: bool, suite_slug: str
) -> ReportedTrial:
    key = trial.key
    mutants = tuple(store.mutants.of(trial.mutant_set))
    suite = store.suites.of(key)
    subject, why = (None, "") if suite else _subject(trial)
    results = {result.mutant: result for result in store.results.of(key)}
    arguments, unusable = _arguments(subject, mutants) if subject else ({}, "")
    return ReportedTrial(
        trial=trial,
        title=title,
        finished=finished,
        mutants=mutants,
        results=results,
        proof=store.instruments.of(key),
        file_name=_file_name(trial, subject, suite),
        source=suite.source if suite else subject.source if subject else None,
        without_source=why,
        arguments=arguments,
        without_arguments=unusable,
        killers=_killers_of(store, trial, results),
        tests=() if suite is None else suite.tests,
        excluded={} if suite is None else suite.excluded,
        has_other_seeds=has_other_seeds,
        suite_slug=suite_slug,
    )


def _subject(trial: StoredTrial) -> tuple[Subject | None, str]:
    """Return the subject if its implementation is still the one that ran, else None and the reason."""
    try:
        subject = load_subject(trial.subject)
    except MutascopeError as error:
        return None, str(error)
    if subject.source_hash != trial.source_hash:
        return None, f"{subject.name}: the implementation was changed since the run; run again to see it"
    return subject, ""


def _file_name(trial: StoredTrial, subject: Subject | None, suite: SuiteRecord | None) -> str:
    """Return a path that is equal on every machine: from the folder of the project, or else from that of the subject.

    The path of an installed module begins with its package.
    """
    if suite is not None:
        module = suite.suite.target.replace(".", "/")
        own = [name for name in suite.files if f"/{name}".endswith((f"/{module}.py", f"/{module}/__init__.py"))]
        if not own:
            with suppress(MutascopeError):
                subject = find_project(suite.suite).subject
        if subject is None:
            return min(own, key=len, default=f"{module}.py")
    if subject is None:
        return trial.subject
    path, here = subject.source_path.resolve(), Path.cwd().resolve()
    if here in path.parents:
        return str(path.relative_to(here))
    if subject.installed:
        return str(path.relative_to(root_of(subject.module, path)))
    return f"{subject.name}/{path.name}"


def _arguments(subject: Subject, mutants: tuple[Mutant, ...]) -> tuple[dict[str, EquivalenceArgument], str]:
    """Return the arguments in the first folder that has any, or a message on why they are useless (damaged, or
    outdated).
    """
    mutant_ids = frozenset(mutant.id for mutant in mutants)
    try:
        for folder in resources.mutants_folders(subject):
            arguments = read_equivalence(folder, mutant_ids | pinned_ids(folder, subject))
            if arguments:
                return {argument.mutant: argument for argument in arguments if argument.mutant in mutant_ids}, ""
    except ManifestError as error:
        return {}, str(error)
    return {}, ""


def _killers_of(store: RunStore, trial: StoredTrial, results: Mapping[str, MutantResult]) -> Killers:
    """Return the stored killers of a trial; of a run up to first kills, the killer that each result names."""
    named = trial.inputs <= MOST_TESTS
    complete = trial.mode is ExecutionMode.MATRIX
    kills: dict[str, int] = {}
    counts: dict[str, int] = {}
    only_killers: dict[str, int] = {}
    if complete:
        for row in store.results.kill_rows(trial.key):
            bits = int.from_bytes(row.bits, "little")
            counts[row.mutant] = bits.bit_count()
            if counts[row.mutant] == 1:
                only_killers[row.mutant] = bits.bit_length() - 1
            if named:
                kills[row.mutant] = bits
    else:
        kills = {name: 1 << result.input for name, result in results.items() if result.input is not None and named}
    rows = store.results.probe_rows(trial.key) if named else []
    reached = {row.mutant: int.from_bytes(row.reached, "little") for row in rows}
    return Killers(trial.inputs, complete, kills, reached, counts, only_killers)


def numbers(tests: int) -> Iterator[int]:
    """Yield the tests in a set, in ascending order."""
    while tests:
        yield (tests & -tests).bit_length() - 1
        tests &= tests - 1


def _per_test(sets: Collection[int], tests: int) -> list[int]:
    counts = [0] * tests
    for members in sets:
        for test in numbers(members):
            counts[test] += 1
    return counts
