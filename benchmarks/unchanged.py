"""Checks outputs that a change must not change: `python -m benchmarks.unchanged [--part P] [--one-in N] [--write]`.

Prints each name whose hash differs from `benchmarks/results/unchanged.txt`, with exit status 1 if there is any.
The parts are:

* numbers: the measured and published numbers of each table of each paper, and the verdicts of its claims, of the
  frozen run under each policy, without captions, labels and the order of rows and columns;
* suites: the suite of each generator on each subject at scope 1, or the error that the generator ends with;
* facts: all facts of runs that differ in generator, approach, policy and oracle.

`--one-in N` takes one in N of the suites and of the runs, chosen by the hash of the commit. `--write` replaces the
file; say in the commit why its lines changed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

from support.sampling import current_commit, number_of

from benchmarks.measuring import RESULTS
from harness import api
from harness.errors import MutascopeError
from harness.model.experiment import Experiment
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.sequence import Observation
from harness.papers import PAPERS
from harness.resources import shipped
from harness.store.run_store import export_facts
from harness.tables.claims import ClaimVerdict
from harness.tables.table import Row

FILE = RESULTS / "unchanged.txt"
VERDICTS = [one.value for one in ClaimVerdict]
DEPENDING = {
    "numbers: ": "pandas",
    "suites: hypothesis": "hypothesis",
    "suites: field-exhaustive ": "python-sat",
    "suites: sat-exhaustive ": "python-sat",
    "facts: ": "libcst",
    "facts: field-exhaustive ": "python-sat",
    "facts: sat-exhaustive ": "python-sat",
    " containers/lru_cache": "cachetools",
}
"""The packages on which hashes depend, by a part of their names. With another version, a hash is not compared."""
MEASURED = ("seconds", "exploring_seconds", "cpu_seconds", "made", "machine", "began", "rows", "runs")
"""Fields of a suite's header that another run measures again, that say how inputs are stored, or that depend on those.
"""
ROOT = str(shipped("subjects").parent)
"""Paths in messages are of this folder, which lies elsewhere on another machine."""
PACKAGES_FOLDER = re.compile(r"/[\w./+-]*/site-packages/")
PACKAGES_HERE = f"/.venv/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages/"
"""Paths of installed packages are written as if they were installed by `make`."""

Item = tuple[str, Callable[[], str | dict[str, str]]]
"""A name, and what makes the text that is hashed, or texts by what distinguishes their names."""


@dataclass(frozen=True)
class Runs:
    """Runs of some subjects, with options that differ from those of other rows."""

    what: str
    subjects: tuple[str, ...]
    of: Callable[[str], Experiment]


SMALL = ("search_tree", "heap_array", "list_as_set", "containers/lru_cache")
ORACLES = [one.value for one in OracleName if one is not OracleName.OBSERVERS]
"""The oracles that need no declaration in the spec."""
RUNS = (
    Runs(
        "korat",
        ("search_tree", "disj_set", "heapq", "tree_map"),
        lambda name: api.subject_experiment(name, "korat", [1, 2]),
    ),
    Runs("korat, matrix", SMALL[:2], lambda name: api.subject_experiment(name, "korat", [2], matrix=True)),
    Runs("korat, metamutants", SMALL[:2], lambda name: api.subject_experiment(name, "korat", [2], metamutants=True)),
    Runs("korat, concrete", SMALL[:2], lambda name: api.subject_experiment(name, "korat", [2], concrete=True)),
    Runs("korat, mujava", SMALL[:1], lambda name: api.subject_experiment(name, "korat", [2], operators="mujava")),
    Runs("korat, extended", SMALL[:1], lambda name: api.subject_experiment(name, "korat", [2], operators="extended")),
    Runs(
        "beapi, three oracles",
        (SMALL[0], SMALL[3]),
        lambda name: api.subject_experiment(name, "beapi", [2], matrix=True, oracles=ORACLES),
    ),
    Runs(
        "rostra",
        SMALL[2:],
        lambda name: api.subject_experiment(name, "rostra", [2]),
    ),
    Runs(
        "random, every call",
        SMALL[2:],
        lambda name: api.subject_experiment(name, "random:40", [2], observe=Observation.EVERY_CALL.value, matrix=True),
    ),
    Runs("css", ("jtc_int_stack",), lambda name: api.subject_experiment(name, "css", [2], matrix=True)),
    Runs("symstra", ("jtc_ub_stack",), lambda name: api.subject_experiment(name, "symstra", [2])),
    Runs(
        "field-exhaustive", ("field_search_tree",), lambda name: api.subject_experiment(name, "field-exhaustive", [2])
    ),
    Runs("sat-exhaustive", ("field_sorted_list",), lambda name: api.subject_experiment(name, "sat-exhaustive", [2])),
    Runs("korat-plus", SMALL[2:3], lambda name: api.subject_experiment(name, "korat-plus", [2])),
)


def numbers(folder: Path) -> Iterator[Item]:
    """Yield the numbers of the papers' tables."""
    del folder
    for run in frozen():
        if run.name in PAPERS:
            for policy in ScorePolicy:
                yield f"{run.name} {policy.value}", partial(numbers_of, run, policy)


def numbers_of(run: Path, policy: ScorePolicy) -> dict[str, str]:
    """Return the numbers and verdicts of each table of a paper, by row, in an order that labels do not decide."""
    return {
        f" {name}": json.dumps(sorted(sorted(_numbers_of(row)) for row in table.rows))
        for name, table in api.tables(run.name, run, policy=policy).items()
    }


def _numbers_of(row: Row) -> Iterator[str]:
    for cell in row.cells:
        if isinstance(cell.measured, int | float | Fraction) or cell.measured in VERDICTS:
            yield f"measured {cell.measured}"
        if cell.published is not None and (cell.published.value is not None or cell.published.printed in VERDICTS):
            yield f"published {cell.published.printed}"


def frozen() -> list[Path]:
    """Return the frozen runs, without the folders that contain only tables."""
    return sorted(path.parent for path in shipped("results").glob("frozen/*/trials.csv"))


def suites(folder: Path) -> Iterator[Item]:
    """Yield suites of all generators on all subjects."""
    del folder
    names = api.available_names()
    for generator in names["generators"]:
        for subject in names["subjects"]:
            yield f"{generator} {subject}", partial(suite, generator, subject)


def suite(generator: str, subject: str) -> str:
    """Return the header of a suite without measurements, or the error."""
    try:
        header = asdict(api.generate(subject, generator, 1).header) | {"format": 4}  # of whatever file
    except MutascopeError as error:
        return f"{type(error).__name__}: {error}"
    if not header["outside"]:
        del header["outside"]  # a suite within the bounds is the one that it was before there was this field
    return json.dumps({name: value for name, value in header.items() if name not in MEASURED}, sort_keys=True)


def facts(folder: Path) -> Iterator[Item]:
    """Yield the facts of the runs."""
    for runs in RUNS:
        for subject in runs.subjects:
            yield f"{runs.what} {subject}", partial(facts_of, runs.of(subject), folder)


def facts_of(experiment: Experiment, folder: Path) -> str:
    """Run an experiment, and export its facts."""
    with TemporaryDirectory(dir=folder) as run:
        return export_facts(api.run(experiment, folder=run, jobs=1))


PARTS: Mapping[str, Callable[[Path], Iterator[Item]]] = {
    "numbers": numbers,
    "suites": suites,
    "facts": facts,
}
SAMPLED = ("suites", "facts")
"""Parts of which `--one-in` takes a sample."""


def hashes(part: str, one_in: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of a part, each with the hash of its text, in the order in which they are declared.

    A sample has at least one of them.
    """
    items = [(f"{part}: {name}", make) for name, make in PARTS[part](folder)]
    if part in SAMPLED:
        commit = current_commit(Path(ROOT))
        drawn = {item[0]: number_of(item[0], commit) for item in items}
        least = min(drawn.values())
        items = [item for item in items if drawn[item[0]] % one_in == 0 or drawn[item[0]] == least]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for hashes_of_item in pool.map(hashed, items):
            yield from hashes_of_item


def hashed(item: Item) -> list[tuple[str, str]]:
    """Make the texts of an item, and hash them."""
    name, make = item
    result = make()
    texts = result if isinstance(result, dict) else {"": result}
    return [
        (f"{name}{part}", hashlib.sha256(_anywhere(text).encode()).hexdigest()[:16]) for part, text in texts.items()
    ]


def _anywhere(text: str) -> str:
    """Return a text without what depends on where the project and its packages are installed."""
    return PACKAGES_FOLDER.sub(PACKAGES_HERE, text.replace(ROOT, ""))


def versions() -> dict[str, str]:
    """Return the versions of the packages that hashes depend on."""
    installed = {one.metadata["Name"].lower(): one.version for one in metadata.distributions()}
    return {name: installed[name] for name in sorted(set(DEPENDING.values()))}


def is_comparable(name: str, before: Mapping[str, str]) -> bool:
    """Return True if a hash was made with the installed version of the package on which it depends."""
    here = versions()
    return all(before.get(one) == here[one] for part, one in DEPENDING.items() if part in name)


def read() -> tuple[dict[str, str], dict[str, str]]:
    """Read the versions and the hashes of the file."""
    if not FILE.exists():
        return {}, {}
    first, *lines = FILE.read_text(encoding="utf-8").splitlines()
    pairs = (line.split(maxsplit=1) for line in lines)
    return dict(one.split() for one in first.split(", ")), {name: value for value, name in pairs}


def write(part: str, made: Mapping[str, str]) -> None:
    """Replace the lines of a part in the file, and the versions of the packages on which they depend."""
    before, recorded = read()
    new_hashes = {name: value for name, value in recorded.items() if not name.startswith(f"{part}: ")} | dict(made)
    used = {one for of, one in DEPENDING.items() if any(of in name for name in made)}
    used_versions = {
        name: version if name in used else before.get(name, version) for name, version in versions().items()
    }
    first = ", ".join(f"{name} {version}" for name, version in used_versions.items())
    lines = [first, *(f"{value}  {name}" for name, value in sorted(new_hashes.items()))]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Compare all parts with the file, or write it."""
    parser = argparse.ArgumentParser(prog="benchmarks.unchanged", description="Compare what must not change.")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="one part only; may be given again")
    parser.add_argument("--one-in", type=int, default=1, metavar="N", help="of suites and runs, at least one each")
    parser.add_argument("--write", action="store_true", help="replace the lines of the parts in the file")
    options = parser.parse_args()
    if options.write and options.one_in != 1:
        parser.error("--write takes all of a part; leave --one-in out")
    before, recorded = read()
    parts = options.part or list(PARTS)
    found_hashes: dict[str, str] = {}
    with TemporaryDirectory(prefix="unchanged-") as folder:
        os.environ["MUTASCOPE_CACHE"] = f"{folder}/cache"
        for part in parts:
            began = time.monotonic()
            part_hashes: dict[str, str] = dict(hashes(part, options.one_in, Path(folder)))
            print(
                f"{part}: {len(part_hashes):,} hashes in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True
            )
            found_hashes |= part_hashes
            if options.write:
                write(part, part_hashes)
    if options.write:
        return 0
    of_parts = tuple(f"{part}: " for part in parts)
    missing = {
        name for name in recorded if options.one_in == 1 and name.startswith(of_parts) and name not in found_hashes
    }
    differing = sorted(missing | {name for name, value in found_hashes.items() if recorded.get(name) != value})
    changed = [name for name in differing if is_comparable(name, before)]
    if len(changed) < len(differing):
        print(f"{len(differing) - len(changed):,} hashes that differ were made with other versions: {before}.")
    print("\n".join(changed) or f"All other hashes of {len(found_hashes):,} are as in {FILE.name}.")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
