"""A run whose mutants are hostile programs: what was stored of them, and what they did to others."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from e2e.command_line import FinishedCommand, Place, eventually, processes_of

from harness.store.run_store import export_facts

from . import planting, witness
from .hostile.program import Program

SECONDS = 600
"""After which a run is taken to hang. One that makes 5,000 files for each mutant took 353 s on a busy disk: ext4 looks
at the places of all files that were removed a moment ago, since it does not give them away yet."""

_PROJECT = f"subjects/{planting.SUBJECT}"
"""The folder of the subject, which has tests as well."""

_SHARED = ("subjects", "mutants", "home", "cache", "run", "tmp")


@dataclass(frozen=True)
class Fact:
    """The facts that a run stores about a mutant."""

    verdict: str
    reason: str | None
    phase: str | None
    input: int | None
    detail: str

    @property
    def ending(self) -> str:
        """The reason of a kill, else the verdict."""
        return self.reason or self.verdict


@dataclass(frozen=True)
class Role:
    """Where a program acts: behind a line of one of the files of `planting`; without a file, it is a mutant.

    `options` are those of the run.
    """

    name: str
    file: str = ""
    behind: str = ""
    options: tuple[object, ...] = ("--subject", planting.SUBJECT, "--scope", planting.SCOPE)

    @property
    def is_mutant(self) -> bool:
        """Whether each program is a mutant of its own."""
        return not self.file

    @property
    def is_of_pytest(self) -> bool:
        """Whether the run is one of a pytest suite, for which one stands in the project."""
        return self.options[0] == "--target"


_SEQUENCES = ("--subject", planting.SUBJECT, "--generator", "beapi", "--scope", planting.SCOPE)
_PYTEST = ("--target", "impl", "--tests", "tests")

MUTANT = Role("a mutant")
ROLES = {
    role.name: role
    for role in (
        MUTANT,
        Role("the original", "impl.py", "        self.value = 0\n"),
        Role("rep_ok", "spec.py", "def rep_ok(counter):\n"),
        Role("loading the spec", "spec.py", "import Finitization, SequenceScope\n"),
        Role("the original of sequences", "impl.py", "        self.value = 0\n", _SEQUENCES),
        Role("sequences", "spec.py", "def sequences(scope):\n", _SEQUENCES),
        Role("a test", "tests/test_impl.py", "def test_act():\n", _PYTEST),
        Role("a fixture", "tests/test_impl.py", "def filled():\n", _PYTEST),
        Role("a fixture of the session", "tests/conftest.py", "def prepared():\n", _PYTEST),
        Role("loading conftest.py", "tests/conftest.py", "import pytest\n", _PYTEST),
        Role("a target of pytest", "impl.py", "        self.value = 0\n", _PYTEST),
    )
}


@dataclass
class Outcome:
    """`escapes`: what each program did to others, by its name."""

    command: FinishedCommand
    facts: dict[str, Fact]
    role: Role
    escapes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    left: list[str] = field(default_factory=list)
    verified: FinishedCommand | None = None

    def honest(self) -> dict[str, Fact]:
        """Return the facts about mutants that do no harm."""
        return {name: fact for name, fact in self.facts.items() if not name.startswith("ACT:")}

    def faults(self, program: Program) -> list[str]:
        """Return the ways in which one program was not contained; none if it was contained."""
        faults = list(self.escapes.get(program.name, ()))
        if not self.role.is_mutant:
            return faults
        fact = self.facts.get(program.id)
        if fact is None:
            return [*faults, f"it has no verdict ({self.command.err.strip()[-200:] or self.command.status})"]
        if "raised Escaped" in fact.detail:
            faults.append("it reached what it tried")
        if fact.ending not in program.ends:
            faults.append(f"it ended as {fact.ending} ({fact.detail}), not as {' or '.join(program.ends)}")
        return faults


class Trial:
    """One run of hostile programs in a folder of its own. Use as a context manager: leaving removes everything.

    In another role than MUTANT, one file acts as all of the programs.
    """

    def __init__(self, programs: Sequence[Program], jobs: int = 2, role: Role = MUTANT) -> None:
        self._programs = programs
        self._role = role
        self._jobs = jobs
        self._stack = ExitStack()
        self._victims: dict[str, witness.Victim] = {}

    def __enter__(self) -> Trial:
        folder = Path(tempfile.mkdtemp(prefix="hx"))  # short enough for a socket
        self._stack.callback(shutil.rmtree, folder, ignore_errors=True)
        self._stack.callback(witness.mounted_below, folder)
        self._stack.callback(end_below, folder)
        self.folder = folder
        self._place = Place(folder, stands=_PROJECT if self._role.is_of_pytest else "")
        self._listener = self._stack.enter_context(witness.Listener())
        self._make_home()
        acts = []
        for program in self._programs:
            place = planting.outside(folder, program)
            if program.family == "network":
                self._listener.below(place)
            acts.append((program, planting.act(program, folder, self._victim(program), self._listener.port)))
        self._write(acts)
        return self

    def _write(self, acts: list[tuple[Program, str]]) -> None:
        files = dict(planting.FILES)
        for _, expression in () if self._role.is_mutant else acts:
            files[self._role.file] = planting.with_act(files[self._role.file], self._role.behind, expression)
        for name, text in files.items():
            path = self.folder / _PROJECT / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        planting.pin(self.folder, acts if self._role.is_mutant else (), files["impl.py"])

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _make_home(self) -> None:
        (self.folder / "home" / ".ssh").mkdir(parents=True)
        (self.folder / "home" / ".profile").write_text("untouched")
        (self.folder / "home" / ".ssh" / "id").write_text("key secret_key_of_" + self.folder.name)

    def _victim(self, program: Program) -> int:
        if "VICTIM" not in program.source:
            return 0
        victim = self._victims[program.name] = witness.Victim()
        self._stack.callback(victim.end)
        return victim.number

    def run(self, verify: bool = False) -> Outcome:
        """Runs all programs, and with `verify`, has the naive path run them again."""
        before = self._shared()
        places = {program.name: witness.snapshot(self._outside(program)) for program in self._programs}
        finished = self._command("run", *self._role.options, "--jobs", self._jobs, "--out", self.folder / "run")
        outcome = Outcome(finished, _read(self._facts()), self._role)
        self._witness(outcome, places, before)
        if verify:
            outcome.verified = self._command("verify", self.folder / "run", "--json", "--jobs", self._jobs)
            self._witness(outcome, places, before)
        return outcome

    def _command(self, *arguments: object) -> FinishedCommand:
        process = self._place.start(*arguments, HOME=str(self.folder / "home"))
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            end_below(self.folder)
            out, err = process.communicate()
            return FinishedCommand(124, out, f"it hung: {err}")
        return FinishedCommand(process.returncode, out, err)

    def _facts(self) -> str:
        try:
            return export_facts(self.folder / "run")
        except Exception:  # there is no store, or what is left of it
            return ""

    # -- what was done to others -------------------------------------------------------------

    def _outside(self, program: Program) -> Path:
        return self.folder / "outside" / program.name

    def _mark(self, program: Program) -> str:
        return planting.mark_of(program, self.folder)

    def _shared(self) -> dict[str, bytes]:
        """Return the content of the shared files (sources, mutants and home), which a run does not change."""
        contents = {}
        for name in ("subjects", "mutants", "home"):
            for path in (self.folder / name).rglob("*"):
                if path.is_file():
                    contents[str(path)] = path.read_bytes()
        return contents

    def _witness(self, outcome: Outcome, places: dict[str, witness.Snapshot], before: dict[str, bytes]) -> None:
        marks = {self._mark(program): program.name for program in self._programs}
        eventually(lambda: not self._place.processes(), 1.0)
        alive = witness.processes_with(marks)
        for mark, numbers in alive.items():
            outcome.escapes[marks[mark]].append(f"{len(numbers)} processes left")
        witness.end_processes(alive)
        eventually(lambda: not witness.processes_with(marks), 1.0)
        outcome.left += [f"process: {line}" for line in self._place.processes() if line]
        end_below(self.folder)
        everywhere = self._marks_in_shared_places(before)
        for program in self._programs:
            faults = outcome.escapes[program.name]
            mark = self._mark(program)
            self._witness_place(program, places[program.name], faults)
            if mark.encode() in self._listener.received:
                faults.append("it was heard outside")
            if mark in everywhere:
                faults.append(f"it wrote to {everywhere[mark]}")
            faults += [f"it left {what} in the kernel" for what in witness.kernel_objects(mark)]
            victim = self._victims.get(program.name)
            if victim is not None and (harm := victim.harm()):
                faults.append(harm)
            if not faults:
                del outcome.escapes[program.name]
        outcome.left += [f"temporary: {path.name}" for path in self._place.temporary.iterdir()]
        outcome.left += [f"mount: {path}" for path in witness.mounted_below(self.folder)]

    def _witness_place(self, program: Program, before: witness.Snapshot, faults: list[str]) -> None:
        place = self._outside(program)
        secret = before["secret"][5]
        home = (self.folder / "home" / ".ssh" / "id").read_bytes().split()[-1]
        facts = self._facts().encode()
        if secret in facts + self._listener.received or (program.name == "read-home" and home in facts):
            faults.append("a secret got out")
        now = witness.snapshot(place)
        changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
        if changed:
            faults.append(f"changed: {', '.join(changed)}")

    def _marks_in_shared_places(self, before: dict[str, bytes]) -> dict[str, str]:
        path_of: dict[str, str] = {}
        names = {self._mark(program): program for program in self._programs}
        for path, content in before.items():
            now = Path(path).read_bytes() if Path(path).exists() else b""
            if now != content:
                for mark in names:
                    if now.count(mark.encode()) > content.count(mark.encode()):
                        path_of[mark] = path
                Path(path).write_bytes(content)
        roots = [self.folder / name for name in _SHARED]
        shallow = [Path("/dev/shm"), Path("/var/tmp"), Path(planting.harness.__file__).parent]
        # os.walk leaves out folders whose paths are too long, as a program that was ended may leave them.
        paths = [Path(at, name) for root in roots for at, *names_in in os.walk(root) for name in chain(*names_in)]
        paths += [path for root in shallow if root.is_dir() for path in root.iterdir()]
        for path in paths:
            mark = path.name[:14]
            if mark in names:
                path_of[mark] = str(path)
                path.unlink()
        return path_of


def end_below(folder: Path) -> None:
    """Ends every process that works in the folder or on it, stopped ones too."""
    for number in processes_of(folder):
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def _read(text: str) -> dict[str, Fact]:
    facts = {}
    for line in text.splitlines():
        fact = json.loads(line)
        if fact["table"] == "mutant_result":
            facts[fact["mutant"]] = Fact(*(fact[name] for name in ("verdict", "reason", "phase", "input", "detail")))
    return facts
