"""Pytest suites that judge mutants: the module under test, and the place of the tests."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum

from harness.errors import UsageError

PYTEST = "pytest"
"""The name that stands for a generator in trials of pytest suites."""

SCOPE = 1
"""Suites that people have know no bound on the size of inputs; a trial has one."""

OWN_ASSERTIONS = "own assertions"
"""The name that stands for an oracle in tables, if pytest runs the suite."""


def oracle_label(generator: str, oracle: str) -> str:
    """Return the name under which tables show the oracle of a trial."""
    return OWN_ASSERTIONS if generator == PYTEST else oracle


GENERATED = "generated.json"
"""The file that `generate-tests` writes next to the tests of a tool; it marks them as not the project's own."""


MOST_RUNS = 1000
"""The largest number of runs of the original."""


MOST_WAITING = 2
"""The seconds that a mutant may wait or sleep even if the original takes less than a fifth of them."""


class Flaky(Enum):
    """The treatment of tests that fail on the original, always or at times."""

    REFUSE = "refuse"
    """The run ends, and names them."""
    EXCLUDE = "exclude"
    """They are named and left out."""


@dataclass(frozen=True)
class PytestSuite:
    """A module by its dotted name, and what pytest is called with in `folder`.

    `arguments` are options of pytest besides. A mutant that waits or sleeps is ended after `wait` seconds, or 5 times
    what the original took. `original_runs` is how often the original runs the suite before any mutant does: in order,
    backwards, shuffled. `given_name` is the name in its table; empty where there is none.
    """

    target: str
    tests: tuple[str, ...]
    folder: str
    flaky: Flaky = Flaky.EXCLUDE
    seed: int = 0
    original_runs: int = 3
    blocked: tuple[str, ...] = ()
    given_name: str = ""
    arguments: tuple[str, ...] = ()
    wait: int = MOST_WAITING

    @property
    def name(self) -> str:
        """The name that distinguishes it from other suites of its target: by default what pytest is called with."""
        tests = [os.path.relpath(test, self.folder) if os.path.isabs(test) else test for test in self.tests]
        return self.given_name or " ".join((*tests, *self.arguments))

    def __post_init__(self) -> None:
        if self.wait < 1:
            raise UsageError(f"wait is a whole number of seconds from 1, not {self.wait}")
        if not 1 <= self.original_runs <= MOST_RUNS:
            raise UsageError(f"runs is a whole number from 1 to {MOST_RUNS}, not {self.original_runs}")

    def to_json(self) -> str:
        """Return the suite as JSON."""
        return json.dumps(asdict(self) | {"flaky": self.flaky.value}, sort_keys=True)

    @classmethod
    def of_json(cls, text: str) -> PytestSuite:
        """Return the suite that `to_json` wrote."""
        fields = json.loads(text)
        lists = {name: tuple(fields.get(name, ())) for name in ("tests", "blocked", "arguments")}
        return cls(**fields | lists | {"flaky": Flaky(fields["flaky"])})


@dataclass(frozen=True)
class SuiteTest:
    """A test of a suite by its node id, the steps that the original takes in it, and where it begins in its file."""

    node_id: str
    steps: int
    line: int | None = None
    """The line, from 1; None if pytest does not know it, or the run was made before it was stored."""


@dataclass(frozen=True)
class Evidence:
    """That a mutant's code was there: how often its module was loaded, and how often its own code was executed.

    `entered` is None of a mutant that ended its process, and could not tell.
    """

    mutant: str
    loaded: int
    entered: int | None


@dataclass(frozen=True)
class SuiteRecord:
    """The record that a run keeps of a suite besides its trial: its declaration, the target's text, and the tests."""

    suite: PytestSuite
    source: str
    tests: tuple[SuiteTest, ...]
    excluded: Mapping[str, str] = field(default_factory=dict)
    """By node id, the reason why a test that was collected does not belong to the suite."""
    files: Mapping[str, str] = field(default_factory=dict)
    """A hash of each file of the project by its path from there; empty in runs made before these were kept."""
