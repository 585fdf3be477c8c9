"""Measures Algorithm 1 by scope and encoding: `python -m benchmarks.sat` writes benchmarks/results/sat.json and sat.md.

For each subject of field_exhaustive2016, it counts variables and clauses of the formula, pairs that the formula leaves
open, the extension, and instances until the extension is covered. It measures CPU seconds of one core (user and system,
a process per row): for writing and loading the formula, and in all. The choices of `Encoding` are compared at small
scopes.

`python -m benchmarks.sat SUBJECT:SCOPE...` measures only these, each within an hour, and adds them to both files.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.measuring import RESULTS, machine, page_text
from harness.generators.policies.field_exhaustive import algorithm_1
from harness.generators.sat.cnf import Gates
from harness.generators.sat.encoding import Encoding
from harness.generators.sat.instances import sat_instances
from harness.generators.sat.solver import DEFAULT, SOLVERS, version
from harness.kernel.specs.spec import load_spec
from harness.resources import subject_folders

SCOPES = {
    "field_sorted_list": (8, 16, 32, 64),
    "field_search_tree": (8, 12, 16, 21),
    "field_tree_set": (8, 12, 20, 30),
    "field_binomial_heap": (8, 12, 20, 25),
}
"""The last of each is the largest that the paper reaches within an hour."""

SMALL = {"field_sorted_list": 10, "field_search_tree": 6, "field_tree_set": 6, "field_binomial_heap": 6}

ENCODINGS = {
    "as it is": Encoding(),
    "gates both ways (Tseitin)": Encoding(gates=Gates.BOTH),
    "not tightened": Encoding(tightened=False),
}

_MOST_SECONDS = 600
_HOUR = 3600
_MOST_KILOBYTES = 12 << 20
"""The limit of address space."""


@dataclass(frozen=True)
class Row:
    """The measurements of one run of Algorithm 1."""

    subject: str
    scope: int
    encoding: str
    solver: str
    variables: int
    clauses: int
    pairs: int
    extension: int
    instances: int
    loading: float
    seconds: float


def measured(subject: str, scope: int, encoding: str, solver: str) -> Row:
    """Run Algorithm 1 in this process."""
    path = subject_folders()[subject] / "spec.py"
    spec = load_spec(path.read_text(encoding="utf-8"), str(path))
    begin = time.process_time()
    invariant: Any = spec.module.invariant
    instances = sat_instances(spec.finitization(scope), invariant, solver, encoding=ENCODINGS[encoding])
    loading = time.process_time() - begin
    news = [len(new) for _, new in algorithm_1(instances, lambda pair: True, instances.next)]
    sizes = (instances.variables, instances.clauses, len(instances.pairs), sum(news), len(news))
    return Row(subject, scope, encoding, solver, *sizes, loading, time.process_time() - begin)


@dataclass
class Rows:
    """The rows of the page: by scope within ten minutes, comparisons of encodings, and by scope within an hour."""

    by_scope: list[Row] = field(default_factory=list)
    compared: list[Row] = field(default_factory=list)
    within_an_hour: list[Row] = field(default_factory=list)

    @classmethod
    def read(cls) -> Rows:
        """Read the rows of the last run."""
        stored = json.loads((RESULTS / "sat.json").read_text(encoding="utf-8"))
        return cls(**{name: [Row(**row) for row in rows] for name, rows in stored.items()})

    def write(self) -> None:
        """Write the rows as data and as a page."""
        for rows in (self.by_scope, self.within_an_hour):
            rows.sort(key=lambda row: ([*SCOPES].index(row.subject), row.scope))
        (RESULTS / "sat.json").write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        (RESULTS / "sat.md").write_text(page_text(_page(self).splitlines()), encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Measure each row in a process of its own, and write the table."""
    if arguments[:1] == ["--row"]:
        name, number, encoding, solver = arguments[1:]
        print(json.dumps(asdict(measured(name, int(number), encoding, solver))))
        return
    if arguments:
        for name, _, number in (argument.partition(":") for argument in arguments):
            new_rows = _row(name, int(number), "as it is", DEFAULT, _HOUR)
            rows = Rows.read()
            old_rows = [row for row in rows.within_an_hour if (row.subject, row.scope) != (name, int(number))]
            rows.within_an_hour = old_rows + new_rows
            rows.write()
        return
    rows = Rows()
    cases = [(subject, scope) for subject, scopes in SCOPES.items() for scope in scopes]
    for subject, scope in sorted(cases, key=lambda each: each[1] / SCOPES[each[0]][-1]):
        rows.by_scope += _row(subject, scope, "as it is", DEFAULT)
        rows.write()
    for name in SCOPES:
        for encoding, solver in [*((each, DEFAULT) for each in ENCODINGS), ("as it is", "minisat22")]:
            rows.compared += _row(name, SMALL[name], encoding, solver, 60)
    rows.write()


def _row(subject: str, scope: int, encoding: str, solver: str, most: int = _MOST_SECONDS) -> list[Row]:
    """Measure a row in another process, whose processor seconds are limited; return no row if they do not suffice."""
    command = [sys.executable, "-m", "benchmarks.sat", "--row", subject, str(scope), encoding, solver]
    limited = ["sh", "-c", f'ulimit -t {most} && ulimit -v {_MOST_KILOBYTES} && exec "$@"', "sh", *command]
    done = subprocess.run(limited, capture_output=True, encoding="utf-8")
    if done.returncode:
        print(f"{subject} {scope} {encoding} {solver}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return []
    row = Row(**json.loads(done.stdout))
    print(row, file=sys.stderr, flush=True)
    return [row]


def _page(rows: Rows) -> str:
    solvers = f"{SOLVERS[DEFAULT]} by python-sat {version()}"
    lines = [
        "# Field-exhaustive suites: clauses, variables and seconds",
        "",
        f"{machine()} {solvers}, seed 0. CPU seconds of one core; those "
        "of loading are for writing the formula, the search for impossible references included. The last scope of each "
        f"subject is the largest that the paper reaches within an hour; a row has {_MOST_SECONDS} seconds. Missing "
        "values were not measured: the run was not finished, or not begun.",
        "",
        *_table(rows.by_scope),
        "",
        "## Encodings",
        "",
        *_table(rows.compared),
        "",
        "## Larger scopes",
        "",
        "Measured within an hour each, by `python -m benchmarks.sat SUBJECT:SCOPE`, in several sessions on machines of "
        "this kind that others may have shared. Nothing here is extrapolated.",
        "",
        *_table(rows.within_an_hour),
        "",
    ]
    return "\n".join(lines)


def _table(rows: Iterable[Row]) -> list[str]:
    lines = [
        "| subject | scope | encoding | solver | variables | clauses | pairs left open | extension | instances "
        "| loading s | in all s |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        cells = [row.subject, row.scope, row.encoding, row.solver, f"{row.variables:,}", f"{row.clauses:,}"]
        cells += [f"{row.pairs:,}", f"{row.extension:,}", row.instances, f"{row.loading:.2f}", f"{row.seconds:.2f}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


if __name__ == "__main__":
    main(sys.argv[1:])
