"""Measures the greatest number of condition outcomes that generators of sequences reach.

`python -m benchmarks.saturation [GENERATOR...]`: each generator (default: symstra) makes suites of more and more calls
of each class of jtestcraft2010. The last suite is the first of more than 4,000 tests, or has 16 calls. With symstra
that takes some ten seconds of one core. It writes benchmarks/results/saturation.md. Outcomes that are never reached are
listed with the argument why they cannot be (never_reached.toml). An outcome that is never reached and has no argument
ends the run.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from benchmarks.never_reached import argued, cannot_be, missed
from harness.generators.generation import Generation
from harness.generators.registry import find_generator, makes_sequences
from harness.generators.sequences.generate import generate_sequences
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.papers.jtestcraft2010.classes import SUBJECTS
from harness.runner.subjects import load_subject

FIRST_CALLS, LAST_CALLS, MOST_TESTS = 3, 16, 4_000
"""Numbers of calls after the constructor's; the first suite of more tests is the last one."""
AT_MOST = {
    "IntStack": (9, 9), "UBStack": (13, 13), "BinSearchTree": (34, 34), "BinomialHeap": (66, 70),
    "LinkedList": (12, 12), "TreeMap": (143, 170), "HeapArray": (29, 29),
}  # fmt: skip
"""Outcomes that calls reach, and all, by class: Table 6.1 prints all; those reached are the shares that Table 6.2
prints of Symstra, but of BinomialHeap, of which it prints 91 %, 64 of 70."""


@dataclass(frozen=True)
class Suite:
    """A suite of at most so many calls; `seconds` are processor seconds of its making."""

    generator: str
    calls: int
    tests: int
    seconds: float
    reached: int
    missed: Counter[str]


def made(title: str, generator: str, calls: int) -> Suite:
    """Make a suite by a generator, and measure the outcomes that it reaches."""
    subject = load_subject(SUBJECTS[title])
    text = ModuleText.of(subject)
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    module, generator_object = execute(text), find_generator(generator)
    assert makes_sequences(generator_object)
    with TemporaryDirectory() as folder:
        begun = time.process_time()
        header = generate_sequences(
            generator_object,
            Generation(
                spec=spec,
                module=module,
                subject=subject.name,
                subject_hash="",
                scope=calls,
                seed=0,
                folder=Path(folder) / "suite",
                text=text,
            ),
        )
        seconds = time.process_time() - begun
        matrix = outcomes_of_suite(subject, SuiteReader(Path(folder) / "suite"))
    reached, own = matrix.reached_by() & matrix.of_class, matrix.of_class
    if int(own.sum()) != AT_MOST[title][1]:
        raise SystemExit(f"{title}: {int(own.sum())} outcomes, and Table 6.1 prints {AT_MOST[title][1]}")
    return Suite(generator, calls, header.inputs - 1, seconds, int(reached.sum()), missed(matrix))


def grown(title: str, generator: str) -> Iterator[Suite]:
    """Yield suites of more and more calls."""
    for calls in range(FIRST_CALLS, LAST_CALLS + 1):
        yield (suite := made(title, generator, calls))
        if suite.tests > MOST_TESTS:
            return


def best(suites: Sequence[Suite]) -> Suite:
    """Return the first of the suites that reach most."""
    return max(suites, key=lambda suite: suite.reached)


def page(generators: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the page.

    Raises:
        SystemExit: the outcomes that all generators miss differ from those with an argument.
    """
    yield from ("# Condition outcomes at saturation", "", f"{machine()} {load_average()}", "")
    rows: list[tuple[object, ...]] = []
    tries: list[tuple[object, ...]] = []
    for title, (expected, outcomes) in AT_MOST.items():
        suites = {generator: list(grown(title, generator)) for generator in generators}
        bests = {generator: best(found) for generator, found in suites.items()}
        most = max(one.reached for one in bests.values())
        shortest = min((one for one in bests.values() if one.reached == most), key=lambda one: one.tests)
        if missed_by_all(suites) != cannot_be(title):
            raise SystemExit(f"{title}: never reached and not argued, or the other way round: {shortest.missed}")
        maker = f"`{shortest.generator}`, {shortest.calls} calls"
        rows.append(
            (title, f"{shortest.reached} / {outcomes}", f"{expected} / {outcomes}", maker, shortest.tests,
             f"{shortest.seconds:.2f}", outcomes - shortest.reached)
        )  # fmt: skip
        for generator, one in bests.items():
            last = suites[generator][-1]
            tries.append(
                (title, generator, f"{one.reached} / {outcomes}", one.calls, one.tests, f"{one.seconds:.2f}",
                 last.calls, last.tests)
            )  # fmt: skip
    yield from (
        "Of each class the generator that reaches most with the fewest tests, and its least number of calls to do so. "
        "Seconds are of the processor.",
        "",
    )
    heading: tuple[str, ...] = (
        "class",
        "reached",
        "expected",
        "generator, calls",
        "tests",
        "generation, s",
        "never reached",
    )
    yield from (*markdown_table(heading, rows), "", "## What each generator reaches", "")
    yield (
        f"Suites of {FIRST_CALLS} calls and more, up to the first of more than {MOST_TESTS:,} tests or to {LAST_CALLS} "
        "calls: the most outcomes, the first number of calls that has them, and how far it went on without one more."
    )
    yield ""
    heading = ("class", "generator", "reached", "calls", "tests", "generation, s", "calls at the end", "tests then")
    yield from (*markdown_table(heading, tries), "", "## What is never reached, and why it cannot be", "")
    for title in AT_MOST:
        yield from _arguments(title)


def missed_by_all(suites: dict[str, list[Suite]]) -> Counter[str]:
    """Return the outcomes that no suite of any generator reaches."""
    first, *further = (suite.missed for found in suites.values() for suite in found)
    for other in further:
        first = first & other
    return first


def _arguments(title: str) -> Iterator[str]:
    for one in argued(title):
        for outcome, places in Counter(one.outcomes).items():
            yield f"* `{outcome}`" + ("" if places == 1 else f" ({places} places)")
        yield from ("", one.argument, "")


if __name__ == "__main__":
    write_result("saturation.md", list(page(sys.argv[1:] or ["symstra"])))
