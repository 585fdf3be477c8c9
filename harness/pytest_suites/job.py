"""The job of a process that runs a pytest suite: the module under test, the place of the tests, and the orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.codec.codec import Codec, codec_of
from harness.model.pytest_suite import MOST_WAITING

TREE = "tree"
"""The name of the copy of a project within the folder that a process may write to."""

METAMUTANT, PROBED, FACTS, FUNCTIONS = "metamutant.py", "probed.json", "tests.json", "functions.json"
"""Files next to the job, written once the mutants, the original's facts, and the functions to cover are known."""


@dataclass(frozen=True)
class SuiteJob:
    """A module under test and a suite of pytest.

    Args:
        target: the module's dotted name.
        source: its text.
        filename: of its file: within the copy where it is relative, else where it is installed.
        pristine: a copy of the project, which nobody changes.
        folder: where pytest is called, relative to the project.
        arguments: what pytest is called with: options, and files, folders and node ids, seen from `folder`.
        roots: folders from which modules are imported, relative to the project.
        blocked: modules whose import fails.
        wait: the seconds after which a mutant that sleeps or waits is ended, or later if the original takes long.
    """

    target: str
    source: str
    filename: str
    pristine: str
    folder: str
    arguments: tuple[str, ...]
    roots: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    wait: int = MOST_WAITING


@dataclass(frozen=True)
class MeasuredTests:
    """Measurements of the original on a suite: steps and seconds of each test by node id, and steps by shared fixture.

    `teardown` is the number of steps of all teardowns, `loading` the number of steps until the suite is collected, with
    its seconds. `memory` is the growth of the process in bytes. Tests that are `excluded` are not run, and `xfailing`
    tests call `pytest.xfail` themselves, at least at times. `first_steps` and `first_seconds` may be spent in addition,
    by whichever test comes first. They are the steps and seconds by which tests exceeded another run of the
    original. The seconds include those of shared fixtures, which belong to no test.
    """

    steps: Mapping[str, int]
    seconds: Mapping[str, float]
    shared: Mapping[str, int] = field(default_factory=dict)
    teardown: int = 0
    loading: int = 0
    loading_seconds: float = 0.0
    memory: int = 0
    first_steps: int = 0
    first_seconds: float = 0.0
    excluded: tuple[str, ...] = ()
    xfailing: tuple[str, ...] = ()


@dataclass(frozen=True)
class OriginalOrder:
    """Run the original's tests but those `without`: in the suite's order, or backwards, or shuffled by `shuffle`.

    If the order is `tolerant`, files that cannot be collected are reported; otherwise that is an error.
    """

    seed: int
    backwards: bool = False
    shuffle: int | None = None
    tolerant: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class TypesOrder:
    """Observe the types of the target's values while the tests run, but those `without`.

    Files that cannot be collected are passed over: a profile takes what tests there are.
    """

    seed: int
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class CoverageOrder:
    """Measure what the tests but those `without` cover of the target's functions, loading and collecting included."""

    seed: int
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class CollectOrder:
    """Collect the suite in this process, so that mutants are forked from it. No order with `recollected` may follow."""


@dataclass(frozen=True)
class MutantOrder:
    """Run a mutant on tests, in this order: up to the first that kills it, or all of them.

    `number` selects it in the metamutant, of which no number that is there is the original. `recollected` has the suite
    collected again, as the mutated code runs while it is. `planted` has every tick of the target raise.
    """

    id: str
    number: int
    tests: tuple[str, ...]
    seed: int
    matrix: bool = False
    recollected: bool = False
    planted: bool = False


Order = OriginalOrder | TypesOrder | CoverageOrder | CollectOrder | MutantOrder
ORDERS: Codec[Order] = codec_of(Order)


@dataclass(frozen=True)
class PlainRequest:
    """Run plain pytest once on a copied project (`harness.pytest_suites.naive`).

    Attributes:
        folder: where pytest is called.
        roots: folders from which modules are imported.
        arguments: what pytest is called with.
        excluded: node ids of the tests that are left out.
        tests: node ids of the others.
        installed: of an installed target, its name and the file that stands for it.
        blocked: modules whose import fails.
    """

    folder: str
    roots: tuple[str, ...]
    arguments: tuple[str, ...]
    excluded: tuple[str, ...]
    tests: tuple[str, ...]
    installed: tuple[str, str] | None
    blocked: tuple[str, ...]
    seed: int
