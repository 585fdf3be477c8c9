"""What a further mutant takes through the inputs, part by part: `python -m benchmarks.further_mutants`.

It writes results/further_mutants.md; `own_suites` has whole commands, of other tools, too.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness.kernel.running.job import BatchOrder, MutantOrder
from harness.model.experiment import Approach, Experiment, Trial
from harness.model.mutant import Mutant
from harness.runner.execution import Execution, batches
from harness.runner.mutants import mutant_set
from harness.runner.pool import Facts, Pool
from harness.runner.subjects import interface_of, load_subject
from harness.runner.suites import ensure_suite

SUBJECT, SCOPE = "search_tree", 4
ROUNDS = 10
ABOUT = (
    "Where the seconds of a further mutant go, through the inputs: processor time of all processes while only this is",
    "done, divided by all mutants that are ordered, those included that no input reaches. *Judging* runs them, from",
    "the order to the facts; *probing* runs the original once with probes for all of them, and has the orchestrator",
    "write and read the rows. In the last columns a process is forked for each mutant, as of programs that could leave",
    "something behind. What whole commands spend besides is their start and end, coverage and proofs.",
)
HEADING = ("approach", "mutants", "probing", "judging", "of it the orchestrator", "judging, a process each", "facts")


def rows() -> Iterator[tuple[str, ...]]:
    """Of each approach the milliseconds of a mutant in each part."""
    subject = load_subject(SUBJECT)
    suite = ensure_suite(subject, Trial(SUBJECT, "korat", SCOPE))
    mutants = mutant_set(subject).mutants
    for approach in Approach:
        with tempfile.TemporaryDirectory() as folder:
            experiment = Experiment("parts", (), approach=approach)
            interface = interface_of(subject, SCOPE)
            execution = Execution(subject, interface, suite, mutants, experiment, Path(folder))
            with Pool(execution.write_job(), 1) as pool:
                execution.observe_original(pool)
                yield approach.value, f"{len(mutants):,}", *_parts(execution, pool, mutants, len(suite))


def _parts(execution: Execution, pool: Pool, mutants: Sequence[Mutant], inputs: int) -> list[str]:
    found: list[dict[str, Facts]] = []

    def judged(orders: Sequence[MutantOrder | BatchOrder]) -> None:
        found.append({facts["id"]: facts | {"seconds": 0} for facts in pool.run(orders)})

    def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
        """Of all processes, and of this one."""
        before, own = seconds_below(os.getpid()), time.process_time()
        for _ in range(ROUNDS):
            work()
        each = 1000 / ROUNDS / len(mutants)
        return each * (seconds_below(os.getpid()) - before), each * (time.process_time() - own)

    told = execution.probe(pool, mutants, 0, inputs)
    orders = [execution.order(mutant, 0, inputs, told.wanted(number)) for number, mutant in enumerate(mutants)]
    probing, _ = milliseconds(lambda: execution.probe(pool, mutants, 0, inputs))
    judging, own = milliseconds(lambda: judged(batches(orders, 1)))
    alone, _ = milliseconds(lambda: judged(orders))
    same = "the same" if all(facts == found[0] for facts in found) else "DIFFERENT"
    return [*(f"{spent:.2f} ms" for spent in (probing, judging, own, alone)), same]


def main() -> None:
    """Measures, and writes the table."""
    heading = f"# A further mutant through the inputs: {SUBJECT}, scope {SCOPE}"
    about = [heading, "", f"{machine()} {load_average()}", "", *ABOUT, ""]
    write_result("further_mutants.md", [*about, *markdown_table(HEADING, rows())])


if __name__ == "__main__":
    main()
