"""Compares the interpreted engine with the bare predicate: `python -m benchmarks.interpreted [SUBJECT...]`.

For each subject, it measures CPU seconds of the whole interpreted search, of the reference engine's, and of the plain,
uninstrumented rep_ok. The plain rep_ok is called once on each candidate of the search, in its order, in two ways.
Candidates are those on which the search executes rep_ok, and the vectors that it delivers without executing it, on
which Korat in Java executes repOk.

- called: on objects made beforehand, afresh for each candidate; only the calls are timed;
- assigned: on one pool of plain objects, where the fields that differ from the candidate before are
  assigned between two calls; assignments (prepared beforehand) and calls are timed.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from math import exp, log
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.layout import Layout
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import DomainKind
from harness.resources import subject_folders
from harness.runner.subjects import load_subject

SCOPES = {
    "search_tree": (5, 6),
    "heap_array": (5, 6),
    "binomial_heap": (4, 6),
    "linked_list": (6, 8),
    "disj_set": (3, 4),
    "fibonacci_heap": (3, 4),
    "sorted_list": (4, 6),
}
"""A small and a larger one each: at the small ones the beginning of a search takes a fifth of its time."""
ENOUGH = 20_000
"""Executions that a run has at least: searches of fewer are repeated."""
ROUNDS = 5
BLOCK = 500
"""Candidates whose objects are in memory at once: few enough for the caches, as in a search."""
GOAL = 1.5

RepOk = Callable[[Any], Any]
Vector = tuple[int, ...]


class _Recording(KoratSearch):
    """Keeps the vector of every candidate, and what rep_ok says of it."""

    def __init__(self, space: StateSpace, module: ModuleType, rep_ok: RepOk) -> None:
        self.candidates: list[Vector] = []
        self.accepted: list[bool] = []
        super().__init__(space, module, self._recording(rep_ok))

    def __iter__(self) -> Generator[Vector, None, None]:
        explored = 0
        for vector in super().__iter__():
            if self.explored == explored:
                self.candidates.append(vector)
                self.accepted.append(True)
            explored = self.explored
            yield vector

    def _recording(self, rep_ok: RepOk) -> RepOk:
        def recording(root: Any) -> Any:
            self.candidates.append(tuple(self._stack.vector))
            accepted = rep_ok(root)
            self.accepted.append(bool(accepted))
            return accepted

        return recording


class _Pool:
    """One plain object for each of a state space; `steps` are the assignments that lead from vector to vector."""

    def __init__(self, space: StateSpace, module: ModuleType) -> None:
        self._space = space
        self._layout = Layout(space)
        self._vector: list[int] = [-1] * space.width
        decoder = Decoder(space, module)
        first = [0] * space.width
        self.objects: list[Any] = [decoder.decode(first).object(number) for number in range(len(space.objects))]

    def steps(self, vector: Vector) -> list[Callable[[], Any]]:
        """Return assignments of the reachable fields that differ; other fields are never read."""
        fields, _ = self._layout.reachable(vector)
        assignments: list[Callable[[], Any]] = []
        lists: list[int] = []
        for field in fields:
            if self._vector[field] == vector[field]:
                continue
            self._vector[field] = vector[field]
            field_of_space = self._space.fields[field]
            owner = self._space.objects[field_of_space.owner]
            if owner.domain.kind is DomainKind.LIST:
                lists.append(owner.number)
            else:
                assignments.append(
                    partial(setattr, self.objects[owner.number], field_of_space.name, self._value(field, vector))
                )
        for number in dict.fromkeys(lists):
            owner = self._space.objects[number]
            size = owner.domain.lengths[vector[owner.first]]
            content = [self._value(owner.first + 1 + position, vector) for position in range(size)]
            assignments.append(partial(self.objects[number].__setitem__, slice(None), content))
        return assignments

    def _value(self, field: int, vector: Vector) -> Any:
        domain = self._space.fields[field].domain
        other = domain.objects[vector[field]]
        return domain.plain[vector[field]] if other == PLAIN else self.objects[other]


def searched(search: Iterable[Vector]) -> float:
    """Return the CPU seconds of a search, whose vectors are dropped."""
    started = time.process_time()
    deque(search, maxlen=0)
    return time.process_time() - started


def called(space: StateSpace, module: ModuleType, rep_ok: RepOk, candidates: Sequence[Vector]) -> float:
    """Return the CPU seconds of calling rep_ok on newly created objects."""
    decoder = Decoder(space, module)
    total = 0.0
    for block in _blocks(candidates):
        roots = [decoder.decode(vector).root for vector in block]
        started = time.process_time()
        for root in roots:
            rep_ok(root)
        total += time.process_time() - started
    return total


def assigned(space: StateSpace, module: ModuleType, rep_ok: RepOk, candidates: Sequence[Vector]) -> float:
    """Return the CPU seconds of assigning the differences to pooled objects, and calling rep_ok."""
    pool = _Pool(space, module)
    root = pool.objects[0]
    total = 0.0
    for block in _blocks(candidates):
        steps = [pool.steps(vector) for vector in block]
        started = time.process_time()
        for changes in steps:
            for change in changes:
                change()
            rep_ok(root)
        total += time.process_time() - started
    return total


def _blocks(candidates: Sequence[Vector]) -> Iterator[list[Vector]]:
    remaining = iter(candidates)
    return iter(lambda: list(islice(remaining, BLOCK)), [])


def measure(name: str, scope: int, folder: Path) -> tuple[list[str], float, float]:
    """Return a row of the table, and the search's time as a multiple of the predicate's in either way.

    Raises:
        SystemExit: the plain objects give other answers than the search's, or the engines other vectors.
    """
    subject = load_subject(name)
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    module = execute(ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked))
    space = StateSpace(spec.finitization(scope))
    recorded = _Recording(space, module, spec.rep_ok)
    valid = sum(1 for _ in recorded)
    decoder = Decoder(space, module)
    if [bool(spec.rep_ok(decoder.decode(vector).root)) for vector in recorded.candidates] != recorded.accepted:
        raise SystemExit(f"{name} {scope}: rep_ok says otherwise on plain objects")
    interpreted = InterpretedSearch(space, module, spec.rep_ok, folder)
    reference = KoratSearch(space, module, spec.rep_ok)
    if list(interpreted) != list(reference) or interpreted.explored != reference.explored:
        raise SystemExit(f"{name} {scope}: the engines disagree")
    times = ENOUGH // len(recorded.candidates) + 1
    rows = []
    gc.freeze()
    for _ in range(ROUNDS):
        search = sum(searched(interpreted) for _ in range(times))
        slow = sum(searched(reference) for _ in range(times))
        bare = sum(called(space, module, spec.rep_ok, recorded.candidates) for _ in range(times))
        pooled = sum(assigned(space, module, spec.rep_ok, recorded.candidates) for _ in range(times))
        rows.append((search, slow, bare, pooled))
    gc.unfreeze()
    executions = times * len(recorded.candidates)
    best = [min(column) / executions * 1e6 for column in zip(*rows, strict=True)]
    by_call = median(search / bare for search, _, bare, _ in rows)
    by_assignment = median(search / pooled for search, _, _, pooled in rows)
    counts = (recorded.explored, len(recorded.candidates), valid)
    cells = [name, str(scope), *(f"{count:,}" for count in counts), *(f"{value:.2f}" for value in best)]
    return [*cells, f"{by_call:.2f}", f"{by_assignment:.2f}"], by_call, by_assignment


def main(chosen: list[str]) -> None:
    """Measure the existing subjects and write the table."""
    load = load_average()
    rows, ratios = [], []
    with TemporaryDirectory() as folder:
        for name in [name for name in SCOPES if name in subject_folders() and (not chosen or name in chosen)]:
            for scope in SCOPES[name]:
                row, *pair = measure(name, scope, Path(folder))
                print(*row, flush=True)
                rows.append(row)
                if scope == SCOPES[name][-1]:
                    ratios.append(pair)
    means = [exp(sum(map(log, column)) / len(column)) for column in zip(*ratios, strict=True)]
    worst = [max(column) for column in zip(*ratios, strict=True)]
    heading = ["subject", "scope", "explored", "candidates", "valid", "search", "reference", "called", "assigned"]
    lines = [
        "# The interpreted engine against the bare predicate",
        "",
        f"{machine()} {load}",
        "",
        f"CPU microseconds per candidate, the least of {ROUNDS} runs: the whole interpreted search, delivering its "
        "vectors included, and the reference engine's; calling the plain rep_ok on objects made beforehand; assigning "
        "what differs from the candidate before to pooled plain objects, and calling it. Ratios are medians. "
        "Candidates are the executions of the search (explored) and the vectors that it delivers without any.",
        "",
        *markdown_table([*heading, "search / called", "search / assigned"], rows),
        "",
        f"At the larger scopes: geometric mean {means[0]:.2f} and {means[1]:.2f}, "
        f"largest {worst[0]:.2f} and {worst[1]:.2f}; the goal is {GOAL}.",
    ]
    write_result("interpreted.md", lines, keep=not chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
