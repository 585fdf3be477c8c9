"""Defines the kinds of runs in each part: on states, sequences, solved values, solved states, and pytest."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

from e2e.command_line import FinishedCommand, Place
from support.own_project import own_project

from benchmarks.audit.finding import Scale
from harness.store.run_store import export_facts

PROJECT = "project"
"""The folder, below a place, of a project whose own tests are run."""

_MUTANTS = 60
"""The number of pinned mutants of a subject, so that a run takes seconds."""


@dataclass(frozen=True)
class Kind:
    """A small run of one kind: the options of `mutascope run` that name it. A run without a subject has a project."""

    name: str
    options: tuple[object, ...]
    subject: str | None = "search_tree"

    def place(self, scale: Scale, name: str, reference: Place | None = None) -> Place:
        """Make a place to run it in, with the mutants that are pinned in `reference`; without one, pin them."""
        if self.subject is None:
            place = scale.place(name, stands=PROJECT)
            own_project(place.stands)
            return place
        place = scale.place(name)
        if reference is None:
            place.succeed("mutate", self.subject, "--pin", "--size", _MUTANTS, "--seed", scale.seed)
        else:
            (place.folder / "mutants").symlink_to(reference.folder / "mutants")
        return place

    def command(self, place: Place, out: str = "run") -> tuple[object, ...]:
        """Return the arguments of a run into the folder `out` of the place."""
        return ("run", *self.options, "--jobs", 2, "--out", place.folder / out)

    def reference(self, scale: Scale, name: str) -> tuple[Place, str]:
        """Run it in peace. Return the place and the facts."""
        place = self.place(scale, name)
        place.succeed(*self.command(place))
        return place, export_facts(place.folder / "run")


KINDS = {
    kind.name: kind
    for kind in (
        Kind("states", ("--subject", "search_tree", "--scope", "1-3")),
        Kind("sequences", ("--subject", "search_tree", "--generator", "beapi", "--scope", 3)),
        Kind("symbolic", ("--subject", "search_tree", "--generator", "css", "--scope", 2)),
        Kind(
            "solver",
            ("--subject", "field_search_tree", "--generator", "field-exhaustive", "--scope", 3),
            "field_search_tree",
        ),
        Kind("pytest", ("--target", "till.core", "--tests", "tests"), None),
    )
}


def finished(place: Place, process: subprocess.Popen[str]) -> FinishedCommand:
    """Wait for the end of a command. One that takes longer than the patience of the place is killed: status 124."""
    try:
        return place.finish(process)
    except subprocess.TimeoutExpired:
        process.communicate()
        return FinishedCommand(124, "", f"it did not end within {place.patience:.0f} s")


def left_behind(place: Place, out: str = "run") -> list[str]:
    """Return the unexpected files in the folder of a finished run and among temporary files."""
    expected = {"run.sqlite", "run.log", "run.lock", "finished.json"}
    problems = [f"{path.name} is left among temporary files" for path in place.temporary.iterdir()]
    return problems + [f"{path.name} is left" for path in (place.folder / out).iterdir() if path.name not in expected]


def failed(ended: FinishedCommand) -> str:
    """Return the end of a failed command's error output."""
    return f"status {ended.status}: {ended.err.strip()[-300:]}"
