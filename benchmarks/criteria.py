"""Compares Korat+ with Korat on the case studies: `python -m benchmarks.criteria [SUBJECT...]`, results/criteria.md.

Each row of criteria_pruning2011's table has the candidates explored, the valid ones and the CPU seconds of both, by the
compiled engine. It compares the ratio of Korat's time to that of Korat+ with the ratio of the printed seconds. Further
tables have Korat+ on the three engines, and one search with a criterion in several processes.
"""

from __future__ import annotations

import csv
import hashlib
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness.generators.states import engine
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.translated.parallel_search import Crew
from harness.generators.states.translated.search import CompiledSearch, NativeSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.resources import subject_folders
from harness.runner.subjects import load_subject

PRINTED = Path(__file__).parents[1] / "results" / "published" / "criteria_pruning2011_case_studies.csv"
SCOPES = {"list_as_set": range(1, 7), "binomial_heap_merge": range(2, 7), "search_tree_delete": range(1, 7)}
ENGINES_AT = {"list_as_set": 5, "binomial_heap_merge": 4, "search_tree_delete": 5}
"""Scopes at which the reference engine is fast."""
IN_PROCESSES = "binomial_heap_merge", 6
PROCESSES = (1, 2, 4)
RUNS = 3
ONCE_FROM = 1_000_000
"""Candidates from which a search is run once."""


@dataclass(frozen=True)
class Case:
    """A case study at a scope."""

    module: ModuleType
    spec: Spec
    space: StateSpace

    @property
    def pruning(self) -> Pruning:
        """The pruning by the spec's criterion."""
        assert self.spec.eq_class is not None
        return Pruning(self.spec.eq_class)


@dataclass(frozen=True)
class Measured:
    """One search: executions of rep_ok, valid vectors, CPU seconds (the least of some runs), sha256 of the vectors."""

    explored: int
    valid: int
    seconds: float
    digest: str = ""


@lru_cache(maxsize=1)
def case_of(name: str, scope: int) -> Case:
    """Load a case study."""
    subject = load_subject(name)
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    module = execute(ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked))
    return Case(module, spec, StateSpace(spec.finitization(scope)))


def native(search: NativeSearch) -> Measured:
    """Measure a search in C, without compiling."""
    seconds: list[float] = []
    while not seconds or (len(seconds) < RUNS and search.explored < ONCE_FROM):
        started = time.process_time()
        with search.begin() as running:
            valid = sum(len(block) for block in running.blocks())
        seconds.append(time.process_time() - started)
    return Measured(search.explored, valid, min(seconds))


def with_digest(search: NativeSearch) -> Measured:
    """Measure a search in C, and run it once more for the digest of its vectors."""
    with search.begin() as running:
        digest = hashlib.sha256(b"".join(bytes(block.data) for block in running.blocks()))
    return replace(native(search), digest=digest.hexdigest())


def reference(search: KoratPlusSearch) -> Measured:
    """Measure the reference engine."""
    row = struct.Struct(f"={search.space.width}H")
    started = time.process_time()
    vectors = list(search)
    seconds = time.process_time() - started
    digest = hashlib.sha256(b"".join(row.pack(*vector) for vector in vectors)).hexdigest()
    return Measured(search.explored, len(vectors), seconds, digest)


def pruning_rows(names: Iterable[str], folder: Path) -> Iterator[list[object]]:
    """Yield Korat and Korat+ at every printed row.

    Raises:
        SystemExit: a count is not the printed one.
    """
    with PRINTED.open(encoding="utf-8") as file:
        printed = list(csv.DictReader(file))
    for name in names:
        for scope in SCOPES[name]:
            case = case_of(name, scope)
            title = case.spec.title
            row = [line for line in printed if line["case_study"] == title][scope - SCOPES[name][0]]
            plus = native(CompiledSearch(*_given(case), folder, criterion=case.pruning))
            _check(name, scope, plus, row, "koratplus")
            print(name, scope, plus, flush=True)
            cells: list[object] = [name, row["scope"], *(f"{count:,}" for count in (plus.explored, plus.valid))]
            if not row["korat_explored"]:
                yield [*cells, _time(plus.seconds), "", "", "", "", "", ""]
                continue
            korat = native(CompiledSearch(*_given(case), folder))
            _check(name, scope, korat, row, "korat")
            printed_ratio = float(row["korat_seconds"]) / float(row["koratplus_seconds"])
            yield [
                *cells,
                _time(plus.seconds),
                *(f"{count:,}" for count in (korat.explored, korat.valid)),
                _time(korat.seconds),
                f"{korat.explored / plus.explored:.1f}",
                f"{korat.seconds / plus.seconds:.1f}",
                f"{printed_ratio:.1f}",
            ]


def engine_rows(names: Iterable[str], folder: Path) -> Iterator[list[object]]:
    """Yield Korat+ on the three engines.

    Raises:
        SystemExit: the engines differ.
    """
    for name in names:
        case = case_of(name, ENGINES_AT[name])
        slow = reference(KoratPlusSearch(*_given(case), case.pruning))
        measured = [slow]
        for kind in (InterpretedSearch, CompiledSearch):
            engine_class: Any = kind
            measured.append(with_digest(engine_class(*_given(case), folder, criterion=case.pruning)))
        if len({(one.explored, one.valid, one.digest) for one in measured}) > 1:
            raise SystemExit(f"{name}: the engines differ")
        times = [one.seconds / one.explored * 1e6 for one in measured]
        yield [name, ENGINES_AT[name], f"{slow.explored:,}", f"{slow.valid:,}", *(f"{value:.2f}" for value in times)]


class _Counting(Crew):
    """Records its number of parts, and the seconds of its processes before it ends them."""

    told: tuple[int, float] = (1, 0.0)

    def __exit__(self, *error: Any) -> None:
        type(self).told = self.parts, sum(seconds_below(member.process.pid or 0) for member in self._members)
        super().__exit__(*error)


def process_rows(folder: Path) -> Iterator[list[object]]:
    """Yield one search in several processes.

    Raises:
        SystemExit: they find other structures than one process.
    """
    setattr(engine, "Crew", _Counting)  # noqa: B010
    name, scope = IN_PROCESSES
    case = case_of(name, scope)
    results = set()
    for jobs in PROCESSES:
        _Counting.told = (1, 0.0)
        search = StateSearch(*_given(case), Workshop(folder, print, jobs), pruning=case.pruning)
        wall, own, digest, valid = time.perf_counter(), time.process_time(), hashlib.sha256(), 0
        row = struct.Struct(f"={search.space.width}H")
        for piece in search.pieces():
            data = row.pack(*piece) if isinstance(piece, tuple) else piece.data
            digest.update(data)
            valid += len(data) // row.size
        wall, own = time.perf_counter() - wall, time.process_time() - own
        parts, below = _Counting.told
        results.add((search.explored, valid, digest.hexdigest()))
        yield [jobs, parts, f"{own:.2f}", f"{below:.2f}", f"{own + below:.2f}", f"{wall:.1f}"]
    if len(results) > 1:
        raise SystemExit(f"{name}: several processes find something else than one")


def _given(case: Case) -> tuple[StateSpace, ModuleType, Any]:
    return case.space, case.module, case.spec.rep_ok


def _check(name: str, scope: int, found: Measured, row: dict[str, str], generator: str) -> None:
    if (found.explored, found.valid) != (int(row[f"{generator}_explored"]), int(row[f"{generator}_valid"])):
        raise SystemExit(
            f"{name} {scope}: {generator} explores {found.explored:,}, {found.valid:,} valid: not as printed"
        )


def _time(seconds: float) -> str:
    return f"{seconds:.4f}" if seconds < 1 else f"{seconds:.2f}"


_IN_PROCESSES = (
    f"Korat+ on {' '.join(map(str, IN_PROCESSES))} in several processes (decision 043): parts that they searched; "
    "CPU seconds of the process that hands them out (it searches alone at first, for 0.3 s), of the others, and of "
    "all; and wall-clock seconds, which say something only where the load above is below the number of cores. Vectors "
    "are equal (sha256)."
)


def main(chosen: list[str]) -> None:
    """Measure the existing case studies and write the tables."""
    load = load_average()
    names = [name for name in SCOPES if name in subject_folders() and (not chosen or name in chosen)]
    with TemporaryDirectory() as folder:
        engines = list(engine_rows(names, Path(folder)))
        processes = [] if chosen else list(process_rows(Path(folder)))
        pruned = list(pruning_rows(names, Path(folder)))
    lines = [
        "# Korat+ beside Korat",
        "",
        f"{machine()} {load}",
        "",
        f"By the compiled engine; CPU seconds of the search alone, the least of {RUNS} runs (of one from {ONCE_FROM:,} "
        "candidates on). Candidates and valid ones are those that the paper prints, or this benchmark ends. Ratios are "
        "Korat's numbers by those of Korat+; the last is that of the printed seconds, which hold the start of Java.",
        "",
        *markdown_table(
            (
                *("subject", "printed scope", "Korat+ explored", "valid", "s", "Korat explored", "valid", "s"),
                *("explored, ratio", "seconds, ratio", "printed seconds, ratio"),
            ),
            pruned,
        ),
        "",
        "Korat+ on the three engines, CPU microseconds per candidate explored; vectors are equal (sha256).",
        "",
        *markdown_table(
            ("subject", "scope", "explored", "valid", "reference", "interpreted", "compiled"),
            engines,
        ),
    ]
    if processes:
        lines += [
            "",
            _IN_PROCESSES,
            "",
            *markdown_table(("processes", "parts", "own s", "others' s", "all s", "wall s"), processes),
        ]
    write_result("criteria.md", lines, keep=not chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
