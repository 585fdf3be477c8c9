"""A small made-up run of search trees, by exhaustive, field-exhaustive and random suites."""

from __future__ import annotations

from functools import cache
from itertools import zip_longest

from support.run_samples import coverage_row, frames_of_rows, judged_rows, trial_row

from harness import resources
from harness.papers.field_exhaustive2016.refactorings import Refactored
from harness.papers.field_exhaustive2016.run import DIFFERENTIAL, FieldExhaustiveInputs

FOLDER = resources.published_folder()
TREE = "field_search_tree"
MUTANTS = 10
SINGLE = "EncapsulateField.SingleClassFieldRef"
REFACTORED = (
    Refactored(SINGLE, "astgen", 2, None, 1, 100, 9.5, 2, 5),
    Refactored(SINGLE, "field_exhaustive", 2, None, 3, 12, 1.5, 2, 3),
    Refactored(SINGLE, "field_exhaustive", 3, None, 3, 30, 2.5, 2, 3),
    Refactored(SINGLE, "random", 2, 100, 3, 96, 9.0, 1, 1),
    Refactored("Rename", "astgen", 1, None, 1, 50, 4.0, 1, 1),
)


class SampleRun:
    """Trials of one subject with their results, coverage and seconds, as they are added."""

    def __init__(self) -> None:
        self.trials: list[dict[str, object]] = []
        self.results: list[dict[str, object]] = []
        self.coverage: list[dict[str, object]] = []
        self.timings: list[dict[str, object]] = []

    def add(
        self, generator: str, scope: int, inputs: int, stop_reason: str | None = None, **judged: list[int | None]
    ) -> SampleRun:
        """A suite, and by oracle the first kills; without any it is generated only."""
        extension = 4 * scope if generator.startswith("field-exhaustive") else None
        for oracle, firsts in (judged or {DIFFERENTIAL: None}).items():
            key = f"{generator}-{scope}-{self._seed}-{oracle}"
            self.trials.append(trial_row(
                TREE, TREE, scope, trial=key, generator=generator, mode="first-kill" if judged else "generate",
                seed=self._seed, inputs=inputs, states=inputs // 3, operator_set="mujava", oracle=oracle,
                extension=extension, ended=stop_reason,
            ))  # fmt: skip
            self.timings.append({"trial": key, "what": "generate", "seconds": float(scope)})
            parts = {"korat": {"search": scope / 8, "write": scope / 8}}.get(generator, {"generate": scope / 4})
            self.timings += [{"trial": key, "what": f"{part}_cpu", "seconds": s} for part, s in parts.items()]
            if firsts is not None:
                mutants = zip_longest((f"AOIS:{number}" for number in range(MUTANTS)), firsts)
                self.results += judged_rows(key, dict(mutants))
                self.coverage.append(coverage_row(key, "code", "f", 10, 10, 8, 4 + scope // 2))
                self.timings.append({"trial": key, "what": "baseline", "seconds": scope / 8})
        return self

    def with_seed(self, seed: int) -> SampleRun:
        """The trials added from now on have this seed."""
        self._seed = seed
        return self

    _seed = 0

    def inputs(self) -> FieldExhaustiveInputs:
        frames = frames_of_rows(self.trials, self.results, self.coverage, self.timings)
        return FieldExhaustiveInputs(frames, FOLDER, refactored=REFACTORED)


@cache
def small_run() -> FieldExhaustiveInputs:
    """Search trees: both ways at scopes 3 to 6, field-exhaustive ones to 9, with options, and four seeds of random."""
    run = SampleRun()
    for scope, size in ((3, 135), (4, 612), (5, 2820), (6, 13158)):
        run.add("korat", scope, size, postcondition=list(range(scope + 2)), differential=list(range(scope + 3)))
    for scope, size in ((3, 12), (4, 21), (5, 33), (6, 48)):
        run.add("field-exhaustive", scope, size, postcondition=list(range(min(scope + 2, 7))))
    for scope in (2, 7, 8, 9):
        run.add("field-exhaustive", scope, scope * scope + 5)
    run.add("field-exhaustive:fields=left+right", 5, 22, postcondition=list(range(6)))
    for seed, firsts in enumerate(([1, 5, 9, 12, 17, 90], [1, 5, 9, 12, 17, 30, 950], [1, 2, 3, 4, 5, 6, 60], [3]), 1):
        run.with_seed(seed).add("random:1000", 4, 1000, postcondition=firsts)
    return run.inputs()
