"""Measures BEAPI's exploration on its paths, in processor seconds of one core: `python -m benchmarks.sequences`.

The fast path makes states from bytes and undoes calls. The general path executes each sequence from its beginning. The
naive path is that of the tests.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from harness.generators.generation import Generation
from harness.generators.policies.beapi import Beapi
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.generate import generate_sequences
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.runner.subjects import load_subject

sys.path.append(str(Path(__file__).parent.parent / "tests"))

LARGE = {"search_tree": 9, "node_caching_list": 6, "avl_tree": 11, "red_black_tree": 9, "sentinel_list": 6}
"""Scopes at which suites are made."""
SMALL = {"search_tree": 6, "node_caching_list": 4, "avl_tree": 7, "red_black_tree": 6, "binomial_heap": 4}
"""Scopes at which the paths are compared."""
TARGETS = {"search_tree": 2.0, "node_caching_list": 1.5, "avl_tree": 3.0}
"""Processor seconds at the most."""
JAVA = {"search_tree": 17.0, "node_caching_list": 12.0, "avl_tree": 9.0}
"""Seconds of the paper's tool, as measured for the issue."""


def main() -> None:
    """Measure the subjects named on the command line (default: all); write the result if none is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", help="default: all")
    names = parser.parse_args().subjects
    started = load_average()
    lines = [
        "# Sequences of calls",
        "",
        f"{machine()} {started}",
        "",
        "BEAPI with the builders that specs pin (all routines, where they pin none). Processor seconds of one core, "
        "the best of three; the suite has every structure with every call of every routine.",
        "",
        *markdown_table(
            ("subject", "scope", "structures", "explored", "exploration, s", "explored / s", "with the suite, s",
             "inputs", "target, s", "Java tool, s"),
            [_large(name, scope) for name, scope in LARGE.items() if not names or name in names],
        ),
        "",
        "The paths, in microseconds per sequence explored, and as ratios to the fast one:",
        "",
        *markdown_table(
            ("subject", "scope", "explored", "fast", "general", "naive", "general / fast", "naive / fast"),
            [_small(name, scope) for name, scope in SMALL.items() if not names or name in names],
        ),
    ]  # fmt: skip
    write_result("sequences.md", lines, keep=not names)


def _task(name: str, scope: int) -> SequenceTask:
    subject = load_subject(name)
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    return SequenceTask(spec, execute(ModuleText.of(subject)), spec.sequences(scope, subject.source), scope, 0)


def _large(name: str, scope: int) -> Sequence[object]:
    seconds, exploration = min((_explored(_task(name, scope)) for _ in range(3)), key=lambda pair: pair[0])
    suites = list(_suites(name, scope))
    return (
        name, scope, f"{exploration.structures:,}", f"{exploration.explored:,}", f"{seconds:.2f}",
        f"{exploration.explored / seconds:,.0f}", f"{min(seconds for seconds, _ in suites):.2f}", f"{suites[0][1]:,}",
        TARGETS.get(name, ""), JAVA.get(name, ""),
    )  # fmt: skip


def _suites(name: str, scope: int) -> Iterator[tuple[float, int]]:
    for _ in range(3):
        task = _task(name, scope)
        with TemporaryDirectory() as folder:
            began = process_time()
            header = generate_sequences(
                Beapi(),
                Generation(
                    spec=task.spec,
                    module=task.module,
                    text=ModuleText.of(load_subject(name)),
                    subject=name,
                    subject_hash="",
                    scope=scope,
                    seed=0,
                    folder=Path(folder) / "suite",
                ),
            )
            yield process_time() - began, header.inputs


def _explored(task: SequenceTask, restores: bool = True) -> tuple[float, SequenceExploration]:
    policy = Beapi().policy(task)
    exploration = SequenceExploration(task, policy if restores else policy.general_policy())
    began = process_time()
    for _ in exploration:
        pass
    return process_time() - began, exploration


def _small(name: str, scope: int) -> Sequence[object]:
    from support import naive_sequences

    fast, exploration = min((_explored(_task(name, scope)) for _ in range(5)), key=lambda pair: pair[0])
    general, _ = _explored(_task(name, scope), restores=False)
    task = _task(name, scope)
    began = process_time()
    naive_result = naive_sequences.explore(task.module, task.bounds)
    naive = process_time() - began
    if (len(naive_result.structures), naive_result.explored) != (exploration.structures, exploration.explored):
        raise SystemExit(f"{name}: the naive exploration found something else")
    each = [f"{seconds / exploration.explored * 1e6:.1f}" for seconds in (fast, general, naive)]
    return (name, scope, f"{exploration.explored:,}", *each, f"{general / fast:.1f}", f"{naive / fast:.1f}")


if __name__ == "__main__":
    main()
