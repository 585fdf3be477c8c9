"""Counts executions and processor seconds under each filter, with equal verdicts: `python -m benchmarks.execution`."""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness import resources
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import HarnessFault, InputMask
from harness.model.experiment import Approach, Experiment, Trial
from harness.model.outcome import Mutant
from harness.model.subject import Subject
from harness.mutation.reach import reachable, target_names
from harness.runner.mutant_results import ProbedFacts
from harness.runner.mutant_set import mutant_set
from harness.runner.mutant_stages import Execution, Filter
from harness.runner.subjects import interface_of, load_subject
from harness.runner.suites import ensure_suite
from harness.runner.zygotes import mutant_facts, zygote_executor

SCOPES = {
    "av_tree": 4, "binomial_heap": 4, "disj_set": 3, "fibonacci_heap": 3, "hash_set": 3, "heap_array": 4,
    "heapq": 4, "linked_list": 3, "search_tree": 5, "sorted_list": 4, "tree_map": 4,
    "tree_map_black_root": 5,
}  # fmt: skip
"""Subjects whose mutants have no more than a few seconds' worth of inputs at this scope."""
TARGET = "inputs of targets that may call the mutated method"
"""The filter that needs no run of the original; done here, as nothing else uses it."""
COMPARED = ("reason", "phase", "detail", "input", "inputs_run", "steps")


@dataclass(frozen=True)
class Cost:
    """The cost of all mutants of one subject under one filter, in one approach, without the original's own runs."""

    filter: str
    executions: int
    seconds: float


def main() -> None:
    """Measure the subjects named on the command line (default: all); write the result if none is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", help="default: all")
    names = parser.parse_args().subjects
    started = load_average()
    lines = ["# Executions under each filter", "", f"{machine()} {started}", "", EXPLANATION, ""]
    for approach in Approach:
        subjects = names or sorted(resources.subject_folders())
        rows = [row for name in subjects for row in _rows(name, SCOPES.get(name, 3), approach)]
        lines += [f"## {TITLES[approach]}", "", *markdown_table(HEADING, rows), ""]
    write_result("execution.md", lines, keep=not names)


EXPLANATION = (
    "Each mutant runs until its first kill; inputs not executed count with the original's steps. Reason, phase, "
    "killing input, inputs run and steps of every mutant are asserted to be the same under all filters. Processor "
    "seconds are user and system time of all processes, on one job, probing included and the run of the unmutated "
    "program left out, which all have in common. A process per mutant, with its compilation, costs some milliseconds "
    "under every filter."
)
TITLES = {Approach.SEPARATE: "Separate modules", Approach.METAMUTANT: "One metamutant"}
HEADING = ("subject", "scope", "inputs", "mutants", "filter", "executions", "seconds", "everything / this")


def _rows(name: str, scope: int, approach: Approach) -> Iterator[Sequence[object]]:
    subject = load_subject(name)
    suite = ensure_suite(subject, Trial(name, "korat", scope))
    mutants = mutant_set(subject).mutants
    costs = measure(subject, suite, mutants, scope, approach)
    for cost in costs:
        ratio = costs[0].seconds / cost.seconds
        yield (
            name, scope, f"{len(suite):,}", len(mutants), cost.filter,
            f"{cost.executions:,}", f"{cost.seconds:.2f}", f"{ratio:.1f}",
        )  # fmt: skip


def measure(
    subject: Subject, suite: SuiteReader, mutants: Sequence[Mutant], scope: int, approach: Approach
) -> list[Cost]:
    """Return the cost under each filter, that of every input first.

    Raises:
        AssertionError: a filter changes a fact.
    """
    interface = interface_of(subject, scope)
    experiment = Experiment("benchmark", (), approach=approach)
    costs: list[Cost] = []
    expected: dict[str, tuple[object, ...]] = {}
    with TemporaryDirectory() as folder:
        work = Path(folder)
        fixed_arguments = (subject, interface, suite, mutants, experiment, work)
        executions = {chosen: Execution(*fixed_arguments, chosen) for chosen in Filter}
        with zygote_executor(executions[Filter.NONE].write_job(), 1) as executor:
            executions[Filter.NONE].observe_original(executor)

            def by_target() -> Iterator[ProbedFacts | HarnessFault]:
                rows = _target_rows(subject, target_names(interface), suite, mutants, work / "targets.rows")
                orders = [
                    executions[Filter.NONE].order(mutant, 0, len(suite), row)
                    for mutant, row in zip(mutants, rows, strict=True)
                ]
                for fact in mutant_facts(executor, orders):
                    yield fact if isinstance(fact, HarnessFault) else ProbedFacts(**vars(fact))

            def under(chosen: Filter) -> Callable[[], Iterator[ProbedFacts | HarnessFault]]:
                return lambda: executions[chosen].run(executor, mutants)

            ways: dict[str, Callable[[], Iterator[ProbedFacts | HarnessFault]]] = {
                chosen.value: under(chosen) for chosen in Filter
            }
            ways = {Filter.NONE.value: ways.pop(Filter.NONE.value), TARGET: by_target, **ways}
            for filter_name, run in ways.items():
                gc.collect()
                before = seconds_below(os.getpid())
                facts = {fact.id: fact for fact in run() if not isinstance(fact, HarnessFault)}
                seconds = seconds_below(os.getpid()) - before
                assert len(facts) == len(mutants)
                compared = {mutant: tuple(getattr(fact, name) for name in COMPARED) for mutant, fact in facts.items()}
                expected = expected or compared
                assert compared == expected, f"{subject.name}: {filter_name} changes facts"
                costs.append(Cost(filter_name, sum(fact.executed for fact in facts.values()), seconds))
    return costs


def _target_rows(
    subject: Subject, targets: Sequence[str], suite: SuiteReader, mutants: Sequence[Mutant], path: Path
) -> list[InputMask]:
    """Return, for each mutant, the inputs of the targets from which its function can be reached, by name."""
    callers = [frozenset(reachable(subject.source, [target])) for target in targets]
    length = (len(suite) + 7) // 8
    rows: dict[str, bytearray] = {function: bytearray(length) for function in {m.function for m in mutants}}
    for number in range(len(suite)):
        target = suite.calls[suite.input(number)[1]].target
        for function, row in rows.items():
            if function in callers[target]:
                row[number >> 3] |= 1 << (number & 7)
    names = sorted(rows)
    path.write_bytes(b"".join(rows[name] for name in names))
    return [InputMask(str(path), names.index(mutant.function) * length) for mutant in mutants]


if __name__ == "__main__":
    main()
