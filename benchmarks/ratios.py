"""Compares processor seconds with an earlier commit's: `python -m benchmarks.ratios --base 2c18682`, results/ratios.md.

`git worktree` checks out the earlier commit into a temporary folder, which is removed. Both trees are run as command
lines, in turn, on the same subjects and tests and with the packages of the Python that runs this. Words select a part:
`python -m benchmarks.ratios --base 2c18682 matrix` measures works with the word in their names, and keeps no result.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.measuring import (
    CommandResult,
    environment_of,
    load_average,
    machine,
    markdown_table,
    spent_by,
    write_result,
)
from benchmarks.real_sources import FOLDER as SOURCES
from benchmarks.whole_processes import CASES, with_one_call
from harness.resources import subject_folder

ROOT = Path(__file__).parent.parent
RUNS = 3
SLOWER = 1.05
"""The ratio above which a row is marked."""
WHOLE = (
    ("heapq", 6, "korat"),
    ("search_tree", 8, "beapi"),
    ("search_tree", 6, "symstra"),
    ("search_tree", 5, "css"),
    ("field_search_tree", 6, "sat-exhaustive"),
)
"""Suites with all calls that the spec names."""
CALLING = (("search_tree", 9, "beapi"), ("search_tree", 8, "symstra"), ("search_tree", 6, "css"))
"""Suites of spec files without `rep_ok`, which these generators ask about each new object since decision 135."""
STATES = (("search_tree", 5), ("tree_map", 4), ("binomial_heap", 4), ("av_tree", 4), ("heapq", 4))
SAME = (
    *("inputs", "candidates", "pre_states", "executed_sequences", "structures"),
    *("killed", "counted", "statement_pct", "branch_pct"),
)
"""Facts of a command's JSON that show if both trees did the same."""
HEADING = ("work", "base CPU s", "this CPU s", "this / base", "runs of base", "runs of this", "facts")


@dataclass(frozen=True)
class Work:
    """A command line: `name` tells it apart, `folder` is where it runs, and `makes` if a suite in the cache goes."""

    name: str
    arguments: tuple[str, ...]
    folder: Path
    makes: bool = False


@dataclass(frozen=True)
class Tree:
    """A checkout, a Python that imports it, the function behind its command, and a folder for its cache and results."""

    python: Path
    entry: str
    scratch: Path

    def run(self, work: Work) -> CommandResult:
        """Do a piece of work from scratch: without results, and without a suite if the work makes one."""
        out, cache = self.scratch / "out", self.scratch / "cache"
        shutil.rmtree(out, ignore_errors=True)
        if work.makes:
            shutil.rmtree(cache / "suites", ignore_errors=True)
        module, _, function = self.entry.partition(":")
        code = f"import sys; from {module} import {function} as main; sys.exit(main())"
        where = () if work.makes else ("--out", str(out))
        command = [str(self.python), "-c", code, *work.arguments, *where, "--jobs", "1", "--json"]
        return spent_by(command, work.folder, {"MUTASCOPE_CACHE": str(cache)})


def works(folder: Path) -> Iterator[Work]:
    """Yield all work; copies of subjects and projects come into a folder."""
    for name, scope, generator in CASES:
        yield generation(str(with_one_call(name, folder)), scope, generator, f"generate {name}, one call", folder)
    for name, scope, generator in WHOLE:
        yield generation(name, scope, generator, f"generate {name}", folder)
    for name, scope, generator in CALLING:
        title = f"generate {name} without rep_ok"
        yield generation(str(without_rep_ok(name, folder)), scope, generator, title, folder)
    for name, scope in STATES:
        yield state_run(name, scope, folder)
    yield state_run("search_tree", 5, folder, "--metamutants")
    yield state_run("search_tree", 5, folder, "--generator", "beapi")
    yield state_run("search_tree", 6, folder, "--matrix")
    yield own_suite("toolz.dicttoolz", "toolz/tests/test_dicttoolz.py", SOURCES / "toolz-1.2.0")


def generation(subject: str, scope: int, generator: str, title: str, folder: Path) -> Work:
    """Return a call of `mutascope generate`."""
    arguments = ("generate", subject, "--scope", str(scope), "--generator", generator)
    return Work(f"{title}, scope {scope}, {generator}", arguments, folder, makes=True)


def without_rep_ok(name: str, folder: Path) -> Path:
    """Make a copy of a subject whose spec declares sequences and no valid states, in a folder."""
    copy = folder / "without_rep_ok" / name
    if not copy.exists():
        shutil.copytree(subject_folder(name), copy)
        spec = copy / "spec.py"
        text = spec.read_text(encoding="utf-8")
        for function in ("rep_ok", "finitization", "rep_ok_dedicated"):
            text = text.replace(f"def {function}(", f"def _no_{function}(")
        spec.write_text(text, encoding="utf-8")
    return copy


def state_run(name: str, scope: int, folder: Path, *options: str) -> Work:
    """Return a call of `mutascope run --subject`."""
    arguments = ("run", "--subject", name, "--scope", str(scope), *options)
    return Work(" ".join(("run", name, f"scope {scope}", *options)), arguments, folder)


def own_suite(target: str, tests: str, project: Path) -> Work:
    """Return a call of `mutascope run --target`."""
    return Work(f"run --target {target}", ("run", "--target", target, "--tests", tests), project)


@contextmanager
def checkout(commit: str, folder: Path) -> Iterator[Path]:
    """Check a commit out into a work tree, which is removed in the end."""
    where = folder / "base"
    subprocess.run(["git", "worktree", "add", "--quiet", "--detach", where, commit], cwd=ROOT, check=True)
    try:
        yield where
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", where], cwd=ROOT, check=True)


def tree_of(checked_out: Path, scratch: Path) -> Tree:
    """Prepare a checkout: a Python of its own, and its files compiled, as sandboxed processes write no bytecode."""
    python = environment_of(checked_out, scratch / "environment")
    subprocess.run([python, "-m", "compileall", "-q", checked_out / "harness"], check=True)
    declared = tomllib.loads((checked_out / "pyproject.toml").read_text(encoding="utf-8"))
    return Tree(python, declared["project"]["scripts"]["mutascope"], scratch)


def compared(work: Work, base: Tree, this: Tree, runs: int) -> Sequence[str]:
    """Return a row: run both trees in turn, after one run of each that fills its cache and is not counted."""
    facts = [_facts(tree.run(work)) for tree in (base, this)]
    pairs = [(base.run(work).seconds, this.run(work).seconds) for _ in range(runs)]
    former, now = ([pair[side] for pair in pairs] for side in (0, 1))
    ratio = median(own / other for other, own in pairs)
    row = [
        *(work.name, f"{median(former):.2f}", f"{median(now):.2f}"),
        f"**{ratio:.2f}**" if ratio > SLOWER else f"{ratio:.2f}",
        *(" ".join(f"{one:.2f}" for one in sorted(side)) for side in (former, now)),
        "equal" if facts[0] == facts[1] else f"base {facts[0]}, this {facts[1]}",
    ]
    print(*row, sep=" | ", file=sys.stderr, flush=True)
    return row


def _facts(result: CommandResult) -> str:
    facts = json.loads(result.output)
    trials = facts.get("trials", [facts])
    return "; ".join(", ".join(f"{name} {trial[name]}" for name in SAME if name in trial) for trial in trials)


def described(commit: str) -> str:
    """Return a commit in short, with its day."""
    command = ["git", "show", "--no-patch", "--format=%h (%cs)", commit]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def lines(rows: Sequence[Sequence[str]], base: str, runs: int, started: str) -> list[str]:
    """Return the lines of the page."""
    return [
        *("# Processor seconds beside an earlier commit", "", f"{machine()} {started}", ""),
        f"`python -m benchmarks.ratios --base {base.partition(' ')[0]}`: base is {base}, this is {described('HEAD')}.",
        f"CPU seconds (user and system, of all processes below) of whole commands on one job, the median of {runs}.",
        "Both trees are run in turn, after one run each that compiles the engine, fills the cache of suites, and is",
        "not counted. The ratio is the median of the pairs of runs. `generate` makes its suite again. `run` finds its",
        "suite and starts without results.",
        f"Ratios above {SLOWER} are bold. `facts` compares {', '.join(SAME)} as both commands tell them.",
        *("", *markdown_table(HEADING, rows)),
    ]


def main() -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="measure what has all of them in its name (default: all)")
    parser.add_argument("--base", required=True, help="the commit to compare with")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"counted runs of each (default: {RUNS})")
    chosen = parser.parse_args()
    started = load_average()
    with tempfile.TemporaryDirectory(prefix="ratios-") as name, checkout(chosen.base, Path(name)) as former:
        folder = Path(name)
        base, this = tree_of(former, folder / "of_base"), tree_of(ROOT, folder / "of_this")
        chosen_works = [work for work in works(folder / "work") if all(word in work.name for word in chosen.words)]
        rows = [compared(work, base, this, chosen.runs) for work in chosen_works]
    write_result("ratios.md", lines(rows, described(chosen.base), chosen.runs, started), keep=not chosen.words)


if __name__ == "__main__":
    main()
