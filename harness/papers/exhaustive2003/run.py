"""The data of the paper's tables and figures, and functions that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt

from harness import resources
from harness.analysis.measures import Proven, held_equivalent
from harness.analysis.score_caption import killed
from harness.errors import UsageError
from harness.model.experiment import DEFAULT_OPERATORS, ExecutionMode
from harness.model.outcome import EquivalenceArgument, MutantStatus, OracleName, ScorePolicy
from harness.model.subject import Subject
from harness.mutation.reach import target_names
from harness.papers.suites import RunSuites, Suite, TrialFacts, was_executed, with_titles_apart
from harness.runner.mutant_set import mutant_set, mutated_functions
from harness.runner.subjects import interface_of, load_subjects
from harness.tables.published import TableInputs
from harness.tables.stored import Run

NAME = "exhaustive2003"
GENERATOR = "korat"
LARGEST_SCOPES = {
    "SearchTree": 7, "DisjSet": 5, "HeapArray": 7, "BinomialHeap": 7, "FibonacciHeap": 5, "LinkedList": 7,
    "SortedList": 7, "TreeMap": 7, "HashSet": 7, "AVTree": 5,
}  # fmt: skip
"""The paper's benchmarks in its order of rows, each with the largest scope that it was run at."""

SUBJECTS = {
    "SearchTree": "search_tree", "DisjSet": "disj_set", "HeapArray": "heap_array", "BinomialHeap": "binomial_heap",
    "FibonacciHeap": "fibonacci_heap", "LinkedList": "linked_list", "SortedList": "sorted_list", "TreeMap": "tree_map",
    "HashSet": "hash_set", "AVTree": "av_tree",
}  # fmt: skip
"""Our subjects that are the paper's benchmarks, by title."""

Arguments = Mapping[str, Mapping[str, EquivalenceArgument]]
"""Arguments for equivalence, by subject and mutant."""


@dataclass(frozen=True)
class SubjectFacts:
    """One row of Table 1: names without the class of the root; counts over all functions named.

    `ncnb_lines` are lines that are neither comment (or docstring) nor blank; for `branching_points` and
    `branching_statements` see `FunctionExtent`; `mutants` of `viable` ones are in the set that is run.
    """

    title: str
    targets: tuple[str, ...]
    helpers: tuple[str, ...]
    ncnb_lines: int
    branching_points: int
    branching_statements: int
    mutants: int
    viable: int


def subject_facts(names: Iterable[str], operators: str = DEFAULT_OPERATORS) -> list[SubjectFacts]:
    """Return the facts of subjects, by their names or paths, as an operator set mutates them.

    Raises:
        MutascopeError: as loading the subjects and their mutants.
    """
    subjects = load_subjects({name: [1] for name in names}, mutated=True)
    return [_facts_of(subject, operators) for subject in subjects.values()]


def _facts_of(subject: Subject, operators: str) -> SubjectFacts:
    interface = interface_of(subject, 1)
    targets = target_names(interface)
    extents = mutated_functions(subject)
    prefix = f"{interface.root}."
    pinned = mutant_set(subject, operators)
    return SubjectFacts(
        title=subject.title,
        targets=tuple(target.removeprefix(prefix) for target in targets),
        helpers=tuple(helper.removeprefix(prefix) for helper in extents if helper not in targets),
        ncnb_lines=sum(extent.code_lines for extent in extents.values()),
        branching_points=sum(extent.branching_points for extent in extents.values()),
        branching_statements=sum(extent.branching_statements for extent in extents.values()),
        mutants=len(pinned.mutants),
        viable=len(pinned.mutants) + sum(one.status is MutantStatus.VIABLE for one in pinned.excluded),
    )


@dataclass(frozen=True)
class PaperInputs(TableInputs):
    """The data of tables and figures: a run, the folder of published values, and facts of the subjects.

    Only Table 1 needs `subjects`. The tables of equivalence need `arguments`, and so does a policy that leaves proven
    equivalents out.
    """

    paper = NAME
    subjects: Sequence[SubjectFacts] = ()
    arguments: Arguments = field(default_factory=dict)

    @property
    def counted(self) -> str:
        """The mutants that scores count, and the oracles that killed them, for captions."""
        return killed(self.policy, self.frames.oracles, self.operators) + self.samples

    @property
    def samples(self) -> str:
        """Which sets of mutants are samples, with the error of their scores, for captions; empty if none is."""
        scored = {suite.title: suite.score(OracleName.DIFFERENTIAL.value) for suite in self.largest}
        parts = []
        for one in self.subjects:
            score, left_out = scored.get(one.title), one.viable - one.mutants
            if score is not None and left_out:
                error = 196 * sqrt(score * (1 - score) * left_out / one.mutants / (one.viable - 1))
                parts.append(f"{one.title} {one.mutants} of {one.viable} (±{error:.1f} points)")
        ends = "; in brackets the error of the score of all at the largest scope, at 95 %."
        return f" Pinned random samples of the viable mutants: {', '.join(parts)}{ends}" if parts else ""

    @property
    def operators(self) -> str:
        """The operator set that made the mutants, for captions."""
        return f"operator set {', '.join(map(str, dict.fromkeys(self.frames.trials['operator_set'])))}"

    @property
    def proven(self) -> Proven:
        """The mutants proven equivalent, by subject."""
        return held_equivalent(self.arguments)

    @cached_property
    def facts(self) -> TrialFacts:
        """The facts of the run by trial."""
        return TrialFacts(self.frames, self.policy, self.proven)

    def suites_of(self, generator: str) -> RunSuites:
        """Return the suites of a generator, each trial by itself."""
        return RunSuites(self.facts, ("trial",), counts=lambda trial: trial["generator"] == generator)

    @cached_property
    def suites(self) -> Sequence[Suite]:
        """One suite per subject and scope, in the paper's order: the latest, of those with mutants if there are any.

        Raises:
            UsageError: there is none.
        """
        suites = sorted(
            self.suites_of(GENERATOR), key=lambda suite: suite.trials[0]["mode"] != ExecutionMode.GENERATE.value
        )
        by_scope = {(suite.title, suite.scope): suite for suite in suites}
        if not by_scope:
            raise UsageError(f"the run has no trial of generator {GENERATOR}, which {NAME} is about; run one first")
        return [by_scope[key] for key in sorted(by_scope, key=lambda key: (*order(key[0]), key[1]))]

    @property
    def largest(self) -> Sequence[Suite]:
        """The suite of each subject at the largest scope at which its mutants were run to the end."""
        return last_of_each(suite for suite in self.suites if was_executed(suite.trials[0]))


def order(title: str) -> tuple[int, str]:
    """Return a sort key for the paper's order of rows; other subjects follow by name."""
    names = list(LARGEST_SCOPES)
    return (names.index(title) if title in names else len(names), title)


def last_of_each(suites: Iterable[Suite], count: int = 1) -> list[Suite]:
    """Return the suites of the last scopes of each subject."""
    by_title: dict[str, list[Suite]] = {}
    for suite in suites:
        by_title.setdefault(suite.title, []).append(suite)
    return [suite for of_subject in by_title.values() for suite in of_subject[-count:]]


def paper_inputs(run: Run, policy: ScorePolicy) -> PaperInputs:
    """Return the run of one operator set, with random selections, facts of its subjects and arguments for equivalence.

    Raises:
        MutascopeError: as loading the subjects and their mutants.
    """
    frames = with_titles_apart(run.with_samples, SUBJECTS)
    titles = dict(zip(frames.trials["subject"], frames.trials["title"], strict=True))
    frames = frames.of_one_operator_set()
    subjects = list(map(str, frames.trials["subject"].unique()))
    operators = str(frames.trials["operator_set"].iloc[0])
    return PaperInputs(
        frames=frames,
        published=resources.published_folder(),
        subjects=[
            replace(facts, title=titles[subject])
            for subject, facts in zip(subjects, subject_facts(subjects, operators), strict=True)
        ],
        policy=policy,
        arguments=run.arguments,
    )
