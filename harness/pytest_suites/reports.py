"""Messages of a fork server of pytest: its reports of the original and of mutants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.codec.codec import Codec, codec_of
from harness.codec.kinds import Count
from harness.kernel.running.job import Detail, ObservedTypes
from harness.model.coverage import CoverageCounts
from harness.pytest_suites.mutant_facts import MutantFacts


@dataclass(frozen=True)
class Ready:
    """Orders are waited for; `pytest` is its version."""

    pytest: str


@dataclass(frozen=True)
class Alive:
    """The process works on its order."""


@dataclass(frozen=True)
class Collected:
    """The suite is collected, and has so many tests."""

    tests: Count


@dataclass(frozen=True)
class EarlyEnd:
    """A test has ended the process that ran the original; `how` is the cause."""

    test: str
    how: str


@dataclass(frozen=True)
class OriginalTest:
    """One test, run on the original: `sites` are the places of the target that it reaches."""

    node: str
    outcome: str
    steps: Count
    seconds: float
    sites: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class OriginalReport:
    """One run of the original's tests.

    Attributes:
        tests: the tests that were run, in the order of the suite.
        raised: what failing tests raised, in words for people.
        lines: where tests begin in their files, where pytest knows.
        loading: steps until the suite is collected.
        loading_sites: places of the target that are reached until then.
        loading_seconds: the seconds until then.
        threads: how many there are once the suite is collected.
        replaced: names of the target that C code stands for, with the module that it comes from.
        shared: steps of fixtures that tests share.
        shared_seconds: the seconds of setting these up.
        teardown: steps of tearing down.
        memory: bytes that the process grew by.
        uncollected: why files, classes and folders cannot be collected, by their node ids.
    """

    tests: tuple[OriginalTest, ...]
    raised: Mapping[str, str]
    lines: Mapping[str, int]
    loading: Count
    loading_sites: tuple[int, ...]
    loading_seconds: float
    threads: int
    replaced: Mapping[str, str]
    shared: Mapping[str, int]
    shared_seconds: float
    teardown: Count
    memory: int
    uncollected: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TypesReport:
    """The types that were observed while the tests ran."""

    types: ObservedTypes


@dataclass(frozen=True)
class CoverageReport:
    """The coverage of the tests, by function."""

    counts: Mapping[str, CoverageCounts]


@dataclass(frozen=True)
class MutantFault:
    """A mutant could not be run, and that is not its doing."""

    fault: Detail


Report = OriginalReport | TypesReport | CoverageReport | EarlyEnd | Collected | MutantFacts | MutantFault
Word = Report | Ready | Alive
WORDS: Codec[Word] = codec_of(Word)
"""The words that the process says; errors of the user's making are reported besides."""
