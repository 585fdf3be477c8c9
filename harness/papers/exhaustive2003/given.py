"""What the paper's tables and figures are made of, and what their makers share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from harness.analysis.captions import killed
from harness.analysis.frames import RunFrames
from harness.analysis.measures import Proven
from harness.errors import UsageError
from harness.model.experiment import ExecutionMode
from harness.model.mutant import Equivalence, EquivalenceArgument
from harness.model.score import ScorePolicy
from harness.papers.source_facts import SubjectFacts
from harness.tables.published import PublishedTable, read_published

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
"""By subject and mutant, why the mutant is held to be equivalent."""


@dataclass(frozen=True)
class PaperInputs:
    """What tables and figures are made of: a run, the folder of published values, and facts of the subjects.

    `subjects` are needed by Table 1 alone; `arguments` by the tables of equivalence, and by a policy
    that leaves proven equivalents out.
    """

    frames: RunFrames
    published: Path
    subjects: Sequence[SubjectFacts] = ()
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE
    arguments: Arguments = field(default_factory=dict)

    @property
    def counted(self) -> str:
        """Which mutants the scores are of, and what killed them, for captions."""
        return killed(self.policy, self.frames.oracles, self.operators)

    @property
    def operators(self) -> str:
        """The operator set that made the mutants, for captions."""
        return f"operator set {', '.join(map(str, dict.fromkeys(self.frames.trials['operator_set'])))}"

    @property
    def proven(self) -> Proven:
        """By subject, its mutants proven equivalent."""
        return held_equivalent(self.arguments, {Equivalence.PROVEN})

    def printed(self, table: str, keys: int) -> PublishedTable:
        """The published values of a table, whose first `keys` columns name the row."""
        return read_published(self.published, NAME, table, keys)


def held_equivalent(arguments: Arguments, kinds: Iterable[Equivalence]) -> Proven:
    """By subject, the mutants held to be equivalent in one of these ways."""
    wanted = frozenset(kinds)
    return {
        subject: frozenset(mutant for mutant, argument in found.items() if argument.equivalence in wanted)
        for subject, found in arguments.items()
    }


def order(title: str) -> tuple[int, str]:
    """The paper's order of rows; other subjects follow by name."""
    names = list(LARGEST_SCOPES)
    return (names.index(title) if title in names else len(names), title)


def trials_of(frames: RunFrames) -> pd.DataFrame:
    """One trial per subject and scope (the latest), in the paper's order.

    Raises:
        UsageError: there is none.
    """
    mine = frames.trials[frames.trials["generator"] == GENERATOR]
    generated_only = mine["mode"] == ExecutionMode.GENERATE.value
    mine = pd.concat([mine[generated_only], mine[~generated_only]]).drop_duplicates(["title", "scope"], keep="last")
    if not len(mine):
        raise UsageError(f"the run has no trial of generator {GENERATOR}, which {NAME} is about; run one first")
    keys = [(*order(title), scope) for title, scope in zip(mine["title"], mine["scope"], strict=True)]
    return mine.iloc[sorted(range(len(keys)), key=keys.__getitem__)]


def largest_trials(frames: RunFrames) -> pd.DataFrame:
    """Of each subject the finished trial at the largest scope at which mutants were run, in the paper's order."""
    trials = trials_of(frames)
    return (
        trials[trials["finished"] & (trials["mode"] != ExecutionMode.GENERATE.value)]
        .groupby("title", sort=False)
        .tail(1)
    )
