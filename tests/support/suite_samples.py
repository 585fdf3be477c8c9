"""A made-up run of a suite of pytest on a made-up module, of any size; no number in it was measured."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from support.report_samples import PROVENANCE, trial

from harness.model.experiment import Approach, ExecutionMode
from harness.model.outcome import KillReason, Location, Mutant, MutantResult, Phase, Verdict
from harness.model.pytest_suite import PytestSuite, SuiteRecord, SuiteTest
from harness.store import InstrumentProof, KillRow, ProbeRow, RunStore

OPERATORS = ("AOR", "CRP", "ROR", "VRR")
Kills = Callable[[int], Sequence[int]]
"""Of a mutant by number, the tests that kill it; those that reach it are one more, the one before the first."""


def module(functions: int) -> str:
    """Return the text of a module of functions with three lines and a blank one each."""
    return "\n".join(
        f"def step_{number}(value):\n    if value > {number}:\n        return value - {number}\n    return value + 1\n"
        for number in range(functions)
    )


def suite_mutants(source: str, count: int) -> list[Mutant]:
    """Return `count` mutants, spread over the functions, each with another replacement."""
    lines = source.split("\n")
    hashed = hashlib.sha256(source.encode()).hexdigest()
    functions = source.count("def ")
    mutants_of_text = []
    for number in range(count):
        function = number % functions
        row = 4 * function + function + 2 + (number // functions) % 2
        column = lines[row - 1].index("value")
        replacement = f"(value + {number})"
        operator = OPERATORS[number % len(OPERATORS)]
        mutants_of_text.append(
            Mutant(
                f"{operator}:{row}:{column}:{replacement}",
                operator,
                f"step_{function}",
                Location(row, column, row, column + 5),
                "value",
                replacement,
                hashed,
            )
        )
    return mutants_of_text


def suite_run(
    folder: Path,
    kills: Kills,
    *,
    mutants: int = 8,
    tests: int = 5,
    functions: int = 4,
    mode: ExecutionMode = ExecutionMode.MATRIX,
    finish: bool = True,
    name: str = "tests",
    module_file: str = "shop/steps.py",
) -> Path:
    """Store a run of `tests` tests, in two files, on `mutants` mutants. No test reaches mutants whose number ends in 9.

    Into one folder several suites may be run, by names.
    """
    source = module(functions)
    mutant_set = suite_mutants(source, mutants)
    nodes = [f"tests/test_{'ab'[number % 2]}.py::test_{number}[<{number}>]" for number in range(tests)]
    with RunStore.open(folder) as store:
        store.sessions.add(PROVENANCE)
        files = {"tests/test_a.py": (tests + 1) // 2, "tests/test_b.py": tests // 2}
        stored = trial(
            store.mutants.add(mutant_set), 1, subject="shop.steps", title="shop.steps", generator="pytest",
            generator_version="8.4", inputs=tests, states=tests, explored=tests + 1, inputs_by_target=files, mode=mode,
            approach=Approach.METAMUTANT, source_hash=mutant_set[0].source_hash, subject_hash=mutant_set[0].source_hash,
            suite=name, suite_digest=hashlib.sha256(f"{name} {tests}".encode()).hexdigest(),
        )  # fmt: skip
        key = store.trials.add(stored)
        suite_tests = tuple(SuiteTest(node, 3, 7 * number + 1) for number, node in enumerate(nodes))
        record = SuiteRecord(
            PytestSuite("shop.steps", (name,), "."), source, suite_tests, {"tests/test_b.py::test_x": "is skipped"},
            {module_file: "0"},
        )  # fmt: skip
        store.suites.add(key, record)
        store.instruments.add(key, InstrumentProof(tests, KillReason.EXCEPTION, Phase.CALL, tests, 3 * tests))
        for number, mutant in enumerate(mutant_set):
            killing = sorted(set(kills(number)))
            before = ((killing[0] if killing else number) - 1) % tests
            reaching = [] if number % 10 == 9 else sorted({before, *killing})
            add(store, key, mutant.id, tests, killing, reaching, mode)
        if finish:
            store.finished.add(key)
    return folder


def add(
    store: RunStore, key: str, mutant: str, tests: int, killing: list[int], reaching: list[int], mode: ExecutionMode
) -> None:
    if killing:
        result = MutantResult(
            mutant, Verdict.KILLED, tests, 10, KillReason.ASSERTION, Phase.CALL, killing[0], "assert 1 == 2",
            executed=len(reaching), reached=len(reaching),
        )  # fmt: skip
    else:
        detail = "" if reaching else "no test reaches it"
        result = MutantResult(
            mutant, Verdict.SURVIVED, tests, 10, detail=detail, executed=len(reaching), reached=len(reaching)
        )
    bits = KillRow.of_kills(mutant, tests, reaching).bits
    store.results.add(
        key,
        result,
        kill_row=KillRow.of_kills(mutant, tests, killing) if mode is ExecutionMode.MATRIX else None,
        probe_row=ProbeRow(mutant, bits, bits),
    )
