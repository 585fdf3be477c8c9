"""Measures the savings by each cache of the search and of judging: `python -m benchmarks.ablation`,
results/ablation.md.

Each cache is switched off by an edit of a copy of the tree, so that sandboxed processes lack it, too. The tree and its
copies are run as command lines, in turn, on work that users run. The facts are asserted to be equal. Words select
caches: `python -m benchmarks.ablation restore` measures those with the word in their names, and keeps no result.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from benchmarks.ratios import ROOT, Tree, Work, generation, own_suite, state_run, tree_of
from benchmarks.real_sources import FOLDER as SOURCES
from harness.resources import subject_folder

RUNS = 3
FACTS = (
    "SELECT * FROM mutant_result",
    "SELECT * FROM coverage",
    "SELECT * FROM instrument",
    "SELECT * FROM kill_row",
    "SELECT * FROM probe_row",
)
"""All facts of a run but seconds."""
HEADING = ("cache", "where", "work", "with, CPU s", "without, CPU s", "saves [%]")

HOSTED = (
    "generate fib_heap, scope 5, korat",
    "generate disj_set_fast, scope 5, korat",
    "generate search_tree, not translated, scope 7, korat",
    "generate heap_array, not translated, scope 7, korat",
)
"""Predicates that cannot be translated to C: two that are shipped, and two made so, as those of users may be."""
SEQUENCES = (
    "generate search_tree, scope 8, beapi",
    "generate binomial_heap, scope 4, beapi",
    "generate real/priority_queue, scope 4, beapi",
)
SYMBOLIC = ("generate search_tree, scope 6, symstra", "generate search_tree, scope 5, css")
STATES = ("run search_tree scope 5", "run av_tree scope 3", "run search_tree scope 5 --matrix")
OF_SEQUENCES = ("run search_tree scope 4 --generator beapi",)
SAT = ("generate field_binomial_heap, scope 5, sat-exhaustive",)
PYTEST = ("run --target toolz.dicttoolz",)


@dataclass(frozen=True)
class Cache:
    """A cache: its file below `harness`, an edit that switches it off, and the work in which it has a part."""

    name: str
    file: str
    with_it: str
    without: str
    works: tuple[str, ...]


CACHES = (
    Cache(
        "phases: answers of helpers of rep_ok",
        "generators/states/hosted/search.py",
        "None if whole else phases_of(rep_ok, *fields, direct=_has_lists(space))",
        "None",
        HOSTED,
    ),
    Cache(
        "direct reads of lists by rep_ok",
        "generators/states/hosted/search.py",
        "DirectReads(rep_ok) if _has_lists(layout.space) else nullcontext()",
        "nullcontext()",
        HOSTED,
    ),
    Cache(
        "post-states judged before",
        "kernel/judging/judged_states.py",
        "if names is None or TICK not in vars(module):",
        "if names is not None or names is None:",
        STATES,
    ),
    Cache(
        "restoring a decoded state in place",
        "kernel/inputs/decode.py",
        "        if not self._restorable:\n",
        "        if self._restorable is not None:\n",
        STATES,
    ),
    Cache(
        "inputs with the same mutants, put into rows together",
        "kernel/running/probing.py",
        "self._sets[mutants] = self._sets.get(mutants, 0) | 1 << within",
        "self._sets[mutants] = 1 << within\n        self._flush()",
        (*STATES, *OF_SEQUENCES),
    ),
    Cache(
        "code that makes keys of states",
        "kernel/objects/encoding.py",
        "@cache\ndef _compiled",
        "def _compiled",
        STATES,
    ),
    Cache(
        "what the original did before a last call",
        "kernel/judging/sequence_judge.py",
        "lru_cache(_MOST_TRACES)(lambda number: trace_of(baseline.values[number]))",
        "lambda number: trace_of(baseline.values[number])",
        OF_SEQUENCES,
    ),
    Cache(
        "calls with plain arguments",
        "kernel/inputs/routines.py",
        "if call not in self._plain:",
        "if True:",
        OF_SEQUENCES,
    ),
    Cache(
        "calls before the last one, of the last input",
        "kernel/judging/prepared_sequences.py",
        "if state != self._state:",
        "if state is not None:",
        OF_SEQUENCES,
    ),
    Cache(
        "numbers of calls on one structure",
        "generators/sequences/structures.py",
        "number = self._numbers_by_choice.get(key)",
        "number = None",
        SEQUENCES,
    ),
    Cache(
        "numbers of calls behind others",
        "generators/sequences/structures.py",
        "moved_number = self._moves.get((number, offset))",
        "moved_number = None",
        SEQUENCES,
    ),
    Cache(
        "plans of calls",
        "generators/sequences/snapshot_execution.py",
        "entry = self._plans.get(id(choices))",
        "entry = None",
        SEQUENCES,
    ),
    Cache(
        "structures of which preconditions are asked",
        "generators/sequences/snapshot_execution.py",
        "decoded = self._looked.get((position, part.encoding))",
        "decoded = None",
        SEQUENCES,
    ),
    Cache(
        "code that makes states of sequences",
        "generators/sequences/compiled_states.py",
        "@cache\ndef _compiled",
        "def _compiled",
        SEQUENCES,
    ),
    Cache(
        "systems within ranges",
        "generators/symbolic/differences.py",
        "if ranges not in self._bounded:",
        "if True:",
        SYMBOLIC,
    ),
    Cache(
        "projections of a system",
        "generators/symbolic/differences.py",
        "facts = self._facts.get(slots)",
        "facts = None",
        SYMBOLIC,
    ),
    Cache(
        "splits of a system by a bound",
        "generators/symbolic/differences.py",
        "pair = self._at_most.get((x, y, c))",
        "pair = None",
        SYMBOLIC,
    ),
    Cache(
        "splits of a system by an equation",
        "generators/symbolic/differences.py",
        "pair = self._equal.get((x, y, d))",
        "pair = None",
        SYMBOLIC,
    ),
    Cache(
        "ranges of a choice",
        "generators/symbolic/caller.py",
        "ranges = self._ranges.get(choice)",
        "ranges = None",
        SYMBOLIC[:1],
    ),
    Cache(
        "calls of a choice with values",
        "generators/symbolic/caller.py",
        "if key not in self._written:",
        "if True:",
        SYMBOLIC[:1],
    ),
    Cache(
        "classes of the scope that a class is of",
        "generators/policies/css/exploration.py",
        "names = self._names.get(cls)",
        "names = None",
        SYMBOLIC[1:],
    ),
    Cache(
        "kinds of classes",
        "generators/policies/css/watching.py",
        "kind = self._kinds.get(cls)",
        "kind = None",
        SYMBOLIC[1:],
    ),
    Cache(
        "whether an order can end",
        "generators/influence/orders.py",
        "cache(self._ends)",
        "self._ends",
        SYMBOLIC[1:],
    ),
    Cache(
        "integers of a formula",
        "generators/sat/translation.py",
        "integer = self._numbers.get(key)",
        "integer = None",
        SAT,
    ),
    Cache(
        "relations of a formula",
        "generators/sat/translation.py",
        "matrix = self._relations.get(key)",
        "matrix = None",
        SAT,
    ),
)
"""Left out is what HOUSE.md keeps: beginnings, batches of closed programs, `Recompiler` and likeness of states. So is
what decides about facts, such as the numbers of calls, and what is kept for users, such as suites in the cache."""


def works(folder: Path) -> dict[str, Work]:
    """Return all work, by name."""
    listed = [
        state_run("search_tree", 5, folder),
        state_run("av_tree", 3, folder),
        state_run("search_tree", 5, folder, "--matrix"),
        state_run("search_tree", 4, folder, "--generator", "beapi"),
        own_suite("toolz.dicttoolz", "toolz/tests/test_dicttoolz.py", SOURCES / "toolz-1.2.0"),
        generation("fib_heap", 5, "korat", "generate fib_heap", folder),
        generation("disj_set_fast", 5, "korat", "generate disj_set_fast", folder),
        *(
            generation(_untranslatable(name, folder), 7, "korat", f"generate {name}, not translated", folder)
            for name in ("search_tree", "heap_array")
        ),
        generation("search_tree", 8, "beapi", "generate search_tree", folder),
        generation("binomial_heap", 4, "beapi", "generate binomial_heap", folder),
        generation("real/priority_queue", 4, "beapi", "generate real/priority_queue", folder),
        generation("search_tree", 6, "symstra", "generate search_tree", folder),
        generation("search_tree", 5, "css", "generate search_tree", folder),
        generation("field_binomial_heap", 5, "sat-exhaustive", "generate field_binomial_heap", folder),
    ]
    return {work.name: work for work in listed}


REMOVED = (
    ("mutants of touched sites", "kernel/running/probing.py", "run search_tree scope 5", "-13.4"),
    ("mutants of touched sites", "kernel/running/probing.py", "run av_tree scope 3", "+7.2"),
    ("mutants of touched sites", "kernel/running/probing.py", "run search_tree scope 5 --matrix", "-1.8"),
    ("mutants of touched sites", "kernel/running/probing.py", "run search_tree scope 4 --generator beapi", "-1.1"),
    ("mutants of touched sites", "kernel/running/probing.py", "run --target toolz.dicttoolz", "-1.4"),
    ("mutants of touched sites", "kernel/running/probing.py", "run heap_array scope 5 (5 pairs)", "+0.2"),
    ("inputs of mutants, shown once", "kernel/running/zygote.py", "run search_tree scope 5", "-3.3"),
    ("inputs of mutants, shown once", "kernel/running/zygote.py", "run av_tree scope 3", "-1.4"),
    ("inputs of mutants, shown once", "kernel/running/zygote.py", "run search_tree scope 5 --matrix", "-3.4"),
    ("whether an exception is dropped", "generators/sequences/restored.py", SEQUENCES[0], "+5.7"),
    ("whether an exception is dropped", "generators/sequences/restored.py", SEQUENCES[1], "+8.6"),
    ("whether an exception is dropped", "generators/sequences/restored.py", f"{SEQUENCES[2]} (7 pairs)", "-3.9"),
)
"""Caches that are no more, as they were measured at commit 69527980. The first two pieces of work of the last one raise
one exception at the most, so that their figures show how much these seconds vary on a busy machine."""


def _untranslatable(name: str, folder: Path) -> str:
    """Make a copy of a subject whose rep_ok begins with a power, which the translator does not know."""
    copy = folder / name
    shutil.copytree(subject_folder(name), copy)
    text = (copy / "spec.py").read_text(encoding="utf-8")
    changed = re.sub(r"(\ndef rep_ok\(.*\n)", r"\1    two = 2\n    assert two**2 == 4\n", text)
    (copy / "spec.py").write_text(changed, encoding="utf-8")
    return str(copy)


def without(cache: Cache, folder: Path) -> Path:
    """Make a copy of the tree in a folder, in which a cache is switched off.

    Raises:
        ValueError: the edit does not fit the file.
    """
    shutil.copytree(ROOT / "harness", folder / "harness")
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    for name in ("subjects", "mutants", "experiments"):
        (folder / name).symlink_to(ROOT / name)
    path = folder / "harness" / cache.file
    text = path.read_text(encoding="utf-8")
    if text.count(cache.with_it) != 1:
        raise ValueError(f"{cache.file}: {cache.with_it!r} stands there {text.count(cache.with_it)} times")
    path.write_text(text.replace(cache.with_it, cache.without), encoding="utf-8")
    return folder


def facts_of(tree: Tree, work: Work) -> str:
    """Return a digest of the suite or of the facts that a piece of work has just made."""
    digest = hashlib.sha256()
    if work.makes:
        for path in sorted((tree.scratch / "cache" / "suites").glob("*/*.bin")):
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()
    with sqlite3.connect(tree.scratch / "out" / "run.sqlite") as connection:
        for question in FACTS:
            digest.update(repr(sorted(map(repr, connection.execute(question)))).encode())
    return digest.hexdigest()


def rows(caches: Sequence[Cache], runs: int, folder: Path) -> Iterator[Sequence[str]]:
    """Yield the rows of the table.

    Raises:
        AssertionError: a cache changes facts.
    """
    whole = tree_of(ROOT, folder / "whole")
    trees: dict[Cache, Tree] = {}
    for number, cache in enumerate(caches):
        place = folder / str(number)
        place.mkdir()
        # With the cache of suites of the whole tree, whose code makes the same suites.
        trees[cache] = replace(tree_of(without(cache, place), folder / f"of_{number}"), scratch=whole.scratch)
    for work in works(folder / "work").values():
        concerned = [cache for cache in caches if work.name in cache.works]
        if concerned:
            yield from _of_work(work, whole, {cache: trees[cache] for cache in concerned}, runs)


def _of_work(work: Work, whole: Tree, trees: dict[Cache, Tree], runs: int) -> Iterator[Sequence[str]]:
    whole.run(work)
    expected = facts_of(whole, work)
    for cache, tree in trees.items():
        pairs = []
        for _ in range(runs):
            pairs.append((whole.run(work).seconds, tree.run(work).seconds))
            assert facts_of(tree, work) == expected, f"{cache}: changes facts of {work.name}"
        usual, more = (median(side) for side in zip(*pairs, strict=True))
        saved = 100 * (median(off / on for on, off in pairs) - 1)
        row = (cache.name, cache.file, work.name, f"{usual:.2f}", f"{more:.2f}", f"{saved:+.1f}")
        print(*row, sep=" | ", file=sys.stderr, flush=True)
        yield row


def lines(found: Sequence[Sequence[str]], runs: int, started: str) -> list[str]:
    """Return the lines of the page."""
    return [
        *("# Caches, each switched off", "", f"{machine()} {started}", ""),
        "`python -m benchmarks.ablation`: CPU seconds (user and system, of all processes below) of whole commands on",
        f"one job, medians of {runs}. The tree and a copy without the cache are run in turn. Facts are asserted to be",
        "equal. `saves` is what the command takes longer without the cache: the median of the pairs of runs.",
        *("", *markdown_table(HEADING, sorted(found, key=lambda row: [row[1], row[0], row[2]]))),
        *("", "## Removed, as measured at 69527980", ""),
        *markdown_table(("cache", "where", "work", "saves [%]"), REMOVED),
    ]


def main() -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="measure caches that have one of them in their names (default: all)")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs of each (default: {RUNS})")
    chosen = parser.parse_args()
    started = load_average()
    caches = [cache for cache in CACHES if not chosen.words or any(word in cache.name for word in chosen.words)]
    with tempfile.TemporaryDirectory(prefix="ablation-") as name:
        (Path(name) / "work").mkdir()
        measured_rows = list(rows(caches, chosen.runs, Path(name)))
    write_result("ablation.md", lines(measured_rows, chosen.runs, started), keep=not chosen.words)


if __name__ == "__main__":
    main()
