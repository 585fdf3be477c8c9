"""Compares tests written from sequences with the sequences: `python -m benchmarks.written_tests`.

It writes results/written_tests.md. For each subject, it counts the mutants that the inputs of Symstra kill, and those
of them that written tests kill: tests of all inputs, or of chosen ones. Kills are lost where only private state shows
a difference. `python -m benchmarks.written_tests search_tree` measures one subject, and prints it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import machine, markdown_table, write_result
from harness import api
from harness.errors import MutascopeError
from harness.model.experiment import Experiment
from harness.model.outcome import OracleName, Verdict
from harness.resources import subject_folder
from harness.store import RunStore

GENERATOR, SCOPE = "symstra", 5
SUBJECTS = (
    "jtc_int_stack", "jtc_ub_stack", "jtc_bin_search_tree", "jtc_binomial_heap", "jtc_linked_list", "jtc_tree_map",
    "jtc_heap_array", "search_tree",
)  # fmt: skip
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "all": {"select": "all"},
    "outcomes": {"select": "outcomes"},
    "outcomes, fewest": {"select": "outcomes", "fewest": True},
    "kills": {"select": "kills"},
}
HEADING = ("subject", "mutants", "killed by inputs", *CHOICES)


def measured(subject: str) -> list[str]:
    """Return a row of the table: for each choice, how many of the mutants killed by inputs its tests kill."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        run = api.run(api.subject_experiment(subject, GENERATOR, [SCOPE], matrix=True), folder / "inputs", jobs=1)
        of_inputs = _verdicts(run)
        shutil.copy(subject_folder(subject) / "impl.py", folder / "impl.py")
        killed = {mutant for mutant, verdict in of_inputs.items() if verdict is Verdict.KILLED}
        cells = [subject, str(len(of_inputs)), str(len(killed))]
        for name, choice in CHOICES.items():
            path = folder / f"test_{name.replace(', ', '_')}.py"
            options = {**choice, "run": run} if choice["select"] == "kills" else dict(choice)
            tests = api.write_tests(subject, GENERATOR, SCOPE, path=path, **options)
            by_tests = _verdicts(
                _run(api.pytest_experiment("impl", [path.name], folder=folder, original_runs=1), folder / path.stem)
            )
            common = killed & by_tests.keys()
            dead = sum(by_tests[mutant] is Verdict.KILLED for mutant in common)
            unknown = f", {len(killed - common)} not made" if killed - common else ""
            cells.append(f"{dead} by {len(tests.choice.numbers)}{unknown}")
        return cells


def _run(experiment: Experiment, out: Path) -> Path:
    return api.run(experiment, out, jobs=1)


def _verdicts(run: Path) -> dict[str, Verdict]:
    """Return the verdicts by mutant, from the one trial of a run."""
    with RunStore.open_existing(run) as store:
        (trial,) = store.trials.under(OracleName.DIFFERENTIAL)
        return {result.mutant: result.verdict for result in store.results.of(trial.key)}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What written tests kill, beside the sequences they are written from.")
    parser.add_argument("subject", nargs="*", help="default: all of the table")
    subjects = parser.parse_args(arguments).subject
    rows = []
    for subject in subjects or SUBJECTS:
        try:
            rows.append(measured(subject))
        except MutascopeError as error:
            raise SystemExit(f"{subject}: {error}") from None
        print(rows[-1], flush=True)
    if subjects:
        return
    about = (
        "# Written tests",
        "",
        f"`python -m benchmarks.written_tests`; {GENERATOR}, scope {SCOPE}, default operators. Of each choice: how",
        "many of the mutants that the inputs kill the tests kill, and how many tests these are.",
    )
    write_result("written_tests.md", [*about, "", machine(), "", *markdown_table(HEADING, rows)])


if __name__ == "__main__":
    main()
