"""Measures the time of a further mutant through the inputs, part by part: `python -m benchmarks.further_mutants`.

It writes results/further_mutants.md; `own_suites` measures whole commands, including other tools. The costs that a run
has only once are in a separate table, and so are the times of whole trials of half and of all mutants.
"""

from __future__ import annotations

import compileall
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median

import harness
from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from benchmarks.own_suites import SECONDS, spent
from harness.kernel.running.facts import HarnessFault, MutantFacts
from harness.kernel.running.job import BatchOrder, MutantOrder
from harness.model.experiment import Approach, Experiment, Trial
from harness.model.mutant import Mutant
from harness.model.sequence import SequencePolicy
from harness.runner.executors.local import LocalWorkforce
from harness.runner.mutant_set import mutant_set
from harness.runner.mutant_stages import Execution, batches
from harness.runner.subjects import interface_of, load_subject
from harness.runner.suites import ensure_suite
from harness.runner.trial import PreparedTrial, coverage_of, prepare, run_trial
from harness.runner.zygotes import TrialExecutor, mutant_facts, zygote_executor
from harness.store.run_store import RunStore

SUBJECT, SCOPE = "search_tree", 4
ROUNDS = 5
ABOUT = (
    "Where the seconds of a further mutant go, through the inputs: processor time of all processes while only this is",
    "done, divided by all mutants that are ordered, those included that no input reaches. *Judging* runs them, from",
    "the order to the facts; *probing* runs the original once with probes for all of them, and has the orchestrator",
    "write and read the rows. In the last columns a process is forked for each mutant, as of programs that could leave",
    "something behind. Each is done once before: the first time, the program is looked at. What whole commands spend",
    "besides stands below.",
)
SLOPE = (
    "Whole trials, from the suite to the results stored, coverage and proofs included, with every second mutant and",
    f"with all: the least of {ROUNDS} runs each, and the difference divided by the mutants that are more.",
)
ONCE = (
    "The seconds that a run spends once, with its mutants: all processes, user and system. The parts below the first "
    f"two lines are medians of {ROUNDS} rounds within one process that has imported everything.",
)
HEADING = ("approach", "mutants", "probing", "judging", "of it the orchestrator", "judging, a process each", "facts")


def rows() -> Iterator[tuple[str, ...]]:
    """Yield, for each approach, the milliseconds of a mutant in each part."""
    subject = load_subject(SUBJECT)
    suite = ensure_suite(subject, Trial(SUBJECT, "korat", SCOPE))
    mutants = mutant_set(subject).mutants
    for approach in Approach:
        with tempfile.TemporaryDirectory() as folder:
            experiment = Experiment("parts", (), approach=approach)
            interface = interface_of(subject, SCOPE)
            execution = Execution(subject, interface, suite, mutants, experiment, Path(folder))
            with zygote_executor(execution.write_job(), 1) as executor:
                execution.observe_original(executor)
                yield approach.value, f"{len(mutants):,}", *_parts(execution, executor, mutants, len(suite))


def _parts(execution: Execution, executor: TrialExecutor, mutants: Sequence[Mutant], inputs: int) -> list[str]:
    facts_of_rounds: list[dict[str, MutantFacts | HarnessFault]] = []

    def judged(orders: Sequence[MutantOrder | BatchOrder]) -> None:
        facts_of_rounds.append({facts.id: replace(facts, seconds=0) for facts in mutant_facts(executor, orders)})

    def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
        """Return the milliseconds of all processes, and of this one."""
        before, own = seconds_below(os.getpid()), time.process_time()
        for _ in range(ROUNDS):
            work()
        each = 1000 / ROUNDS / len(mutants)
        return each * (seconds_below(os.getpid()) - before), each * (time.process_time() - own)

    probed_facts = execution.probe(executor, mutants, 0, inputs)
    orders = [
        execution.order(mutant, 0, inputs, probed_facts.input_mask(number)) for number, mutant in enumerate(mutants)
    ]
    probing, _ = milliseconds(lambda: execution.probe(executor, mutants, 0, inputs))
    judged(batches(orders, 1))  # the first execution prepares the program
    judging, own = milliseconds(lambda: judged(batches(orders, 1)))
    separate, _ = milliseconds(lambda: judged(orders))
    same = "the same" if all(facts == facts_of_rounds[0] for facts in facts_of_rounds) else "DIFFERENT"
    return [*(f"{spent:.2f} ms" for spent in (probing, judging, own, separate)), same]


def slopes() -> Iterator[tuple[str, ...]]:
    """Yield, for each approach, the times of trials of half and of all mutants, and the difference per mutant."""
    trial = Trial(SUBJECT, "korat", SCOPE)
    whole = prepare(trial)
    for approach in Approach:
        times = []
        for mutants in (whole.mutants[::2], whole.mutants):
            prepared = replace(whole, mutants=mutants)
            times.append(
                min(_of_trial(prepared, Experiment("slope", (trial,), approach=approach)) for _ in range(ROUNDS))
            )
        further = (times[1] - times[0]) / (len(whole.mutants) - len(whole.mutants[::2]))
        yield approach.value, *(f"{milliseconds:.0f} ms" for milliseconds in times), f"{further:.2f} ms"


def _of_trial(prepared: PreparedTrial, experiment: Experiment) -> float:
    with tempfile.TemporaryDirectory() as folder, RunStore.open(Path(folder)) as store:
        before = seconds_below(os.getpid())
        run_trial(prepared, experiment, store, LocalWorkforce(1))
        return 1000 * (seconds_below(os.getpid()) - before)


def parts_of_a_run() -> Iterator[tuple[str, str]]:
    """Yield the steps that a run does once for all mutants, in order, with milliseconds of all processes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "harness", "run", "--subject", SUBJECT, "--scope", str(SCOPE)]
        command += ["--metamutants", "--jobs", "1", "--out", folder]
        first, again = (spent(command, Path(folder), SECONDS).seconds for _ in range(2))
    yield "the whole command", f"{1000 * first:.0f}"
    yield (
        "of it, spent again where all results are there: Python, imports, the spec described, the summary",
        (f"{1000 * again:.0f}"),
    )
    laps_of: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for part, milliseconds in _laps():
            laps_of.setdefault(part, []).append(milliseconds)
    yield from ((part, f"{median(laps):.0f}") for part, laps in laps_of.items())


def _laps() -> Iterator[tuple[str, float]]:
    trial = Trial(SUBJECT, "korat", SCOPE)
    last = seconds_below(os.getpid())

    def lap() -> float:
        nonlocal last
        before, last = last, seconds_below(os.getpid())
        return 1000 * (last - before)

    prepared = prepare(trial)
    yield "preparing: the suite found and checked, pinned mutants read", lap()
    experiment = Experiment("parts", (trial,), approach=Approach.METAMUTANT)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        arguments = (prepared.subject, prepared.interface, prepared.suite, prepared.mutants, experiment, Path(folder))
        execution = Execution(*arguments)
        executor = opened.enter_context(zygote_executor(execution.write_job(), 1))
        yield "the metamutant made, a sandboxed process started", lap()
        original = execution.observe_original(executor)
        yield "the original observed", lap()
        execution.prove(executor, original)
        yield "the instrument and the oracle proven", lap()
        deque(execution.run(executor, prepared.mutants), maxlen=0)
        yield f"all {len(prepared.mutants)} mutants probed and judged, which begins with a look at the program", lap()
    coverage_of(prepared, SequencePolicy.ON_MUTANT)()
    yield "coverage of code and of the spec, in a sandboxed process each", lap()


def main() -> None:
    """Measure, and write the tables."""
    compileall.compile_dir(str(Path(harness.__file__).parent), quiet=1)
    heading = f"# A further mutant through the inputs: {SUBJECT}, scope {SCOPE}"
    about = [heading, "", f"{machine()} {load_average()}", "", *ABOUT, ""]
    each = markdown_table(HEADING, rows())
    sloping = markdown_table(("approach", "half of the mutants", "all", "a further mutant"), slopes())
    parts = markdown_table(("once for a run, with metamutants", "ms"), parts_of_a_run())
    write_result("further_mutants.md", [*about, *each, "", *SLOPE, "", *sloping, "", *ONCE, "", *parts])


if __name__ == "__main__":
    main()
