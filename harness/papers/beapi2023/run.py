"""The data of the tables and figures of beapi2023: generation by Korat and by BEAPI, and the printed values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from harness import resources
from harness.difference.flaws import Flaw, measured
from harness.difference.result import Difference
from harness.model.outcome import ScorePolicy
from harness.papers.suites import WITHOUT_SEED, RunSuites, TrialFacts, shipped_trials
from harness.tables.published import PublishedRow, TableInputs
from harness.tables.stored import Run
from harness.tables.table import Missing

NAME = "beapi2023"
KORAT, BEAPI = "korat", "beapi"

CONFIGURATIONS = {
    "SM/BLD": (BEAPI, "sm_bld_seconds"),
    "SM": ("beapi-sm", "sm_seconds"),
    "BLD": ("beapi-bld", "bld_seconds"),
    "NoOpt": ("beapi-noopt", "no_opt_seconds"),
}
"""The columns of Table 2 (section 4.2): our generator, and the column among the published values."""

SUBJECTS = {
    ("Korat", "DDList"): "doubly_linked_list",
    ("Korat", "FibHeap"): "fib_heap",
    ("Korat", "BinHeap"): "binomial_heap",
    ("Korat", "BST"): "search_tree",
    ("Korat", "SLList"): "sentinel_list",
    ("Korat", "RBT"): "red_black_tree",
    ("Fajita", "BinTree"): "parent_tree",
    ("Fajita", "AVL"): "avl_tree",
    ("Fajita", "RBT"): "red_black_tree",
    ("Fajita", "BinHeap"): "binomial_heap",
    ("Roops", "AVL"): "avl_tree",
    ("Roops", "NCL"): "node_caching_list",
    ("Roops", "BinTree"): "parent_tree",
    ("Roops", "LList"): "sentinel_list",
    ("Roops", "RBT"): "red_black_tree",
    ("Roops", "FibHeap"): "fib_heap",
    ("Roops", "BinHeap"): "binomial_heap",
    ("Kiasan", "BST"): "search_tree",
    ("Kiasan", "DDL"): "sentinel_list",
    ("Kiasan", "RBT"): "red_black_tree",
    ("Kiasan", "DisjSetFast"): "disj_set_fast",
    ("Kiasan", "StackList"): "linked_stack",
    ("Kiasan", "BHeap"): "binary_heap",
    ("Kiasan", "TreeMap"): "tree_map_values",
}
"""Our subject that stands for a class of the paper's benchmarks: one with the same structures, of which there may be
several. Table 2's classes of the Java library ("Real World") have none."""

WITH_SUITES = "with suites written (each structure with each call)"
"""The scope of the seconds that compare Korat with BEAPI: both write the same kind of suite."""

NOT_RUN = Missing("not run at this scope")
NO_SUBJECT = Missing("no subject stands for this class of a Java library with its 20 to 32 methods")


def subject_of(benchmark: str, name: str) -> str | None:
    """Return the subject that represents a class of a benchmark, however a table writes the benchmark's name."""
    names = {(known.lower(), title): subject for (known, title), subject in SUBJECTS.items()}
    return names.get((benchmark.lower(), name))


@dataclass(frozen=True)
class GenerationNumbers:
    """One way of generating at one scope: structures, what was executed to find them, seconds.

    `explored` are executions of rep_ok (Korat) or of sequences (BEAPI). `seconds` are with the suite written, unless
    it is said otherwise. None: not known.
    """

    generated: int | None
    explored: int | None
    seconds: Fraction | float | None


@dataclass(frozen=True)
class BeapiInputs(TableInputs):
    """A run, of which only trials of the subjects that ship count, and the folder of published values."""

    paper = NAME
    measure_flaws: Callable[[], Iterable[tuple[Flaw, Difference]]] = measured

    @cached_property
    def flaws(self) -> Sequence[tuple[Flaw, Difference]]:
        """The flaws of Table 3 as found now, in sandboxed processes; not a fact of the run."""
        return tuple(self.measure_flaws())

    @cached_property
    def generations(self) -> Mapping[tuple[str, str, int], GenerationNumbers]:
        """By subject, generator and scope, what the latest trial tells; its seconds are with the suite written."""
        return self._generations("generate")

    @cached_property
    def configurations(self) -> Mapping[tuple[str, str, int], GenerationNumbers]:
        """The same to compare BEAPI with itself: its seconds are of finding structures alone, if `tells_exploring`."""
        return self._generations("explore" if self.tells_exploring else "generate")

    def _generations(self, activity: str) -> Mapping[tuple[str, str, int], GenerationNumbers]:
        return {
            (suite.subject, suite.generator, suite.scope): GenerationNumbers(
                suite.states, suite.explored, suite.seconds(activity)
            )
            for suite in self.suites
        }

    @cached_property
    def suites(self) -> RunSuites:
        """The suites of the latest trials."""
        return RunSuites(TrialFacts(self.frames), WITHOUT_SEED)

    @cached_property
    def tells_exploring(self) -> bool:
        """Whether the run has, for every trial of BEAPI, the seconds of finding structures without writing inputs."""
        ways = {generator for generator, _ in CONFIGURATIONS.values()}
        of_beapi = [suite for suite in RunSuites(TrialFacts(self.frames), ("trial",)) if suite.generator in ways]
        return bool(of_beapi) and all(suite.seconds("explore") is not None for suite in of_beapi)

    @property
    def clocked(self) -> str:
        """The scope of the seconds that compare BEAPI with itself, for captions."""
        if self.tells_exploring:
            return "of finding structures, without the inputs (each structure with each call)"
        return WITH_SUITES

    def scopes(self, subject: str, *generators: str) -> list[int]:
        """Return the scopes at which one of the generators was run for the subject, in ascending order."""
        return self.suites.scopes(subject, *generators)


def printed_generation(row: PublishedRow, way: str) -> GenerationNumbers | None:
    """Return the printed numbers of `korat` or `beapi` in a row of Table 1; None if it timed out or is missing."""
    generated, explored, seconds = (row.exact(f"{way}_{measure}") for measure in ("generated", "explored", "seconds"))
    if generated is None or explored is None:
        return None
    return GenerationNumbers(int(generated), int(explored), None if seconds is None else Fraction(seconds))


def paper_inputs(run: Run, _: ScorePolicy) -> BeapiInputs:
    """Return the run without trials of modified subjects; the tables have no score, so they need no policy."""
    return BeapiInputs(shipped_trials(run.frames), resources.published_folder())
