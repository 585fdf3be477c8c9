"""The data of the tables and figures of field_exhaustive2016: a run of its subjects, and its printed values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from harness import resources
from harness.analysis.measures import Proven
from harness.analysis.score_caption import killed
from harness.model.outcome import OracleName, ScorePolicy
from harness.papers.field_exhaustive2016.refactorings import FILE, Refactored, read_refactored
from harness.papers.suites import RunSuites, Suite, TrialFacts, executed, shipped_trials
from harness.tables.published import TableInputs
from harness.tables.stored import Run, proven_under
from harness.tables.table import Missing

NAME = "field_exhaustive2016"
OPERATORS = "mujava"
POSTCONDITION, DIFFERENTIAL = OracleName.POSTCONDITION.value, OracleName.DIFFERENTIAL.value
"""The oracles: that of the paper (section 6), and comparison with the original."""

EXHAUSTIVE, FIELD_EXHAUSTIVE, RANDOM = "korat", "field-exhaustive", "random"

SUBJECTS = {
    "SortedSinglyLinkedList": "field_sorted_list",
    "BinarySearchTree": "field_search_tree",
    "TreeSet": "field_tree_set",
    "BinomialHeap": "field_binomial_heap",
}
"""Our subjects that are the paper's, by title, in its order."""

NO_PROCESSOR_SECONDS = Missing("processor seconds of making it were not taken")


@dataclass(frozen=True)
class FieldExhaustiveInputs(TableInputs):
    """A run, of which only trials of the paper's own subjects and of the operator set `mujava` count."""

    paper = NAME
    proven: Proven = field(default_factory=dict)
    refactored: Sequence[Refactored] = ()

    def suite(self, title: str, generator: str, scope: int) -> Suite | None:
        """Return the suite of a generator that has no seed of its own; None if there is none."""
        return self._suites.get(SUBJECTS.get(title), generator, scope)

    def scopes(self, title: str, *generators: str) -> list[int]:
        """Return the scopes at which one of the generators was run, in ascending order."""
        return self._suites.scopes(SUBJECTS.get(title), *generators)

    def of(self, title: str) -> Sequence[Suite]:
        """Return the suites of a subject, by its title in the paper, in the order of the run."""
        return self._suites.of(SUBJECTS.get(title))

    def random(self, title: str, tests: int, scope: int | None = None) -> Sequence[Suite]:
        """Return the suites of `random:<tests>` by ascending seed, or of the smallest larger number of tests.

        A random suite is the prefix of each larger one of its seed (`harness.generators.policies.random`).

        Args:
            scope: the scope of the values and bounds; None: that of the largest suite of the subject.
        """
        at = self.random_scope(title) if scope is None else scope
        by_seed: dict[int, Suite] = {}
        for requested, suite in sorted(self._random(title), key=lambda pair: pair[0]):
            if min(requested, suite.inputs) >= tests and suite.scope == at:
                by_seed.setdefault(suite.seed, suite)
        return [suite for _, suite in sorted(by_seed.items())]

    def short_random(self, title: str, tests: int, scope: int) -> Sequence[Suite]:
        """Return the random suites of a scope with `tests` or more requested tests that ended earlier; largest last."""
        suites = [suite for number, suite in self._random(title) if number >= tests and suite.scope == scope]
        return sorted((suite for suite in suites if suite.inputs < tests), key=lambda suite: suite.inputs)

    def largest_random(self, title: str) -> Sequence[Suite]:
        """Return, by ascending seed, the largest random suite run with mutants, of the scope of the largest of all."""
        at = self.random_scope(title)
        ran = [pair for pair in self._random(title) if pair[1].scope == at and pair[1].first_kills]
        by_seed = {suite.seed: suite for _, suite in sorted(ran, key=lambda pair: pair[0])}
        return [suite for _, suite in sorted(by_seed.items())]

    def random_scope(self, title: str) -> int | None:
        """Return the scope of the random suite with most requested tests, the largest of several; None if there is
        none.
        """
        return max(((asked, suite.scope) for asked, suite in self._random(title)), default=(0, None))[1]

    def random_scopes(self, title: str, tests: int) -> list[int]:
        """Return the scopes of random suites with so many requested tests or more, in ascending order."""
        return sorted({suite.scope for asked, suite in self._random(title) if asked >= tests})

    def random_sizes(self, title: str, scope: int | None = None) -> list[int]:
        """Return the requested numbers of tests of random suites, in ascending order; `scope` is as for `random`."""
        at = self.random_scope(title) if scope is None else scope
        return sorted({asked for asked, suite in self._random(title) if suite.scope == at})

    def _random(self, title: str) -> list[tuple[int, Suite]]:
        """Return the random suites that are bounded only by their number of tests, with that number."""
        named = ((suite.generator.partition(":"), suite) for suite in self.of(title))
        return [(int(limit), suite) for (name, _, limit), suite in named if name == RANDOM and limit.isdecimal()]

    @property
    def counted(self) -> str:
        """The mutants that scores count, and the oracle that killed them, for captions."""
        return killed(self.policy, [POSTCONDITION], f"operator set {OPERATORS}")

    @cached_property
    def _suites(self) -> RunSuites:
        """Of trials that differ in their mode alone, the latest that was run to its end on mutants."""
        facts = TrialFacts(self.frames, self.policy, self.proven)
        return RunSuites(facts, choice=executed, oracle=OracleName.POSTCONDITION)


def paper_inputs(run: Run, policy: ScorePolicy) -> FieldExhaustiveInputs:
    """Return the run's trials of subjects as they ship and of the paper's operators, under every oracle.

    Raises:
        StoreError: the results of the second domain are damaged.
    """
    return FieldExhaustiveInputs(
        shipped_trials(run.all_frames, OPERATORS),
        resources.published_folder(),
        proven_under(run, policy),
        read_refactored(resources.shipped("results/frozen") / FILE),
        policy=policy,
    )
