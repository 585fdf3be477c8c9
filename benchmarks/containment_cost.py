"""Measures the cost of containment per sandbox and per mutant: `python -m benchmarks.containment_cost`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness.kernel.running.facts import HarnessFault
from harness.model.experiment import Experiment, Trial
from harness.runner.mutant_set import mutant_set
from harness.runner.mutant_stages import Execution
from harness.runner.subjects import interface_of, load_subject
from harness.runner.suites import ensure_suite
from harness.runner.zygotes import zygote_executor
from harness.sandbox.levels import VARIABLE, available_levels

SCOPES = {"search_tree": 5, "heap_array": 5, "tree_map": 6}
ROUNDS = 5
EXPLANATION = (
    "All mutants of a subject on one job, baseline and probes included, by turns with and without containment; medians "
    "of processor seconds (user and system, all processes) of {rounds} rounds, and of the ratios within each round. "
    "Starting ends with the run of the original. Verdicts, reasons, inputs and steps are asserted to be the same."
)


@dataclass(frozen=True)
class Cost:
    """The processor seconds of one run, until the baseline was there and from then on, and the facts of its mutants."""

    starting: float
    running: float
    facts: dict[str, tuple[object, ...]]


def main() -> None:
    """Measure and write the result."""
    levels = ",".join(available_levels())
    started = load_average()
    rows = []
    for name, scope in SCOPES.items():
        open_, contained = [], []
        for _ in range(ROUNDS):
            open_.append(_cost(name, scope, ""))
            contained.append(_cost(name, scope, levels))
            assert open_[-1].facts == contained[-1].facts, f"{name}: containment changes facts"
        ratio = median(b.running / a.running for a, b in zip(open_, contained, strict=True))
        mutants = len(open_[0].facts)
        extra = median(b.running - a.running for a, b in zip(open_, contained, strict=True))
        rows.append(
            (
                name, scope, mutants,
                f"{median(c.starting for c in open_):.3f}", f"{median(c.starting for c in contained):.3f}",
                f"{median(c.running for c in open_):.2f}", f"{median(c.running for c in contained):.2f}",
                f"{1e3 * extra / mutants:.2f}", f"{ratio:.3f}",
            )
        )  # fmt: skip
    heading = (
        "subject", "scope", "mutants", "start, open [s]", "start, contained [s]", "run, open [s]",
        "run, contained [s]", "per mutant [ms]", "contained / open",
    )  # fmt: skip
    lines = ["# The cost of containment", "", f"{machine()} {started}", ""]
    lines += [EXPLANATION.format(rounds=ROUNDS), "", f"Levels: {levels}.", "", *markdown_table(heading, rows)]
    write_result("containment_cost.md", lines)


def _cost(name: str, scope: int, levels: str) -> Cost:
    subject = load_subject(name)
    suite = ensure_suite(subject, Trial(name, "korat", scope))
    mutants = mutant_set(subject).mutants
    os.environ[VARIABLE] = levels
    try:
        with TemporaryDirectory() as folder:
            execution = Execution(
                subject,
                interface_of(subject, scope),
                suite,
                mutants,
                Experiment("benchmark", ()),
                Path(folder),
            )
            job = execution.write_job()
            before = seconds_below(os.getpid())
            with zygote_executor(job, 1) as executor:
                execution.observe_original(executor)
                ready = seconds_below(os.getpid())
                facts: dict[str, tuple[object, ...]] = {
                    fact.id: (fact.reason, fact.input, fact.inputs_run, fact.steps)
                    for fact in execution.run(executor, mutants)
                    if not isinstance(fact, HarnessFault)
                }
                finish = seconds_below(os.getpid())
    finally:
        del os.environ[VARIABLE]
    return Cost(ready - before, finish - ready, facts)


if __name__ == "__main__":
    main()
