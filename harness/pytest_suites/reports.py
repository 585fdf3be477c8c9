"""Messages of a fork server of pytest: its reports of the original, and the facts of mutants."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from harness.codec.codec import Bound, Codec, Count, codec_of
from harness.kernel.running.job import Detail, ObservedTypes
from harness.model.coverage import CoverageCounts
from harness.model.outcome import KillReason, Phase

_MOST_NAME = 1 << 16
"""Characters of a node id, which may hold parameters."""

NodeId = Annotated[str, Bound(_MOST_NAME, storable=True)]

_PHASES = (Phase.LOAD, Phase.CALL)


SKIPPED, XFAILED, MISSING = "skipped", "xfailed", "not collected"
"""The details of mutants on which a test is skipped, calls `pytest.xfail`, or is not among those collected."""


@dataclass(frozen=True)
class FirstKill:
    """The first test that kills a mutant, with the reason.

    `killer` is its node id; None if the mutant died while it was loaded, or if the test is unknown.
    """

    killer: NodeId | None
    reason: KillReason
    detail: Detail
    phase: Phase = Phase.CALL


@dataclass(frozen=True)
class MutantFacts:
    """The facts of one mutant on tests.

    Attributes:
        executed: how many tests were run.
        steps: what they took; None where a process died, which takes along what it has counted.
        entered: how often code of the mutant was executed.
        loaded: how often its module was.
        kills: node ids of the tests that kill it, in the order in which they were run.
        seconds: how long it took, all of its processes together.
    """

    executed: Count
    steps: Count | None
    entered: Count = 0
    loaded: Count = 0
    kills: tuple[NodeId, ...] = ()
    first: FirstKill | None = None
    seconds: float = 0.0

    @property
    def is_consistent(self) -> bool:
        """Whether the parts fit each other, as they do unless a process says what can be no fact."""
        first, kills = self.first, self.kills
        if self.seconds < 0:
            return False
        if first is None:
            return not kills and self.steps is not None
        if first.killer is None:
            return not kills and first.phase in _PHASES
        return first.phase is Phase.CALL and first.killer in kills

    def joined(self, later_facts: MutantFacts) -> MutantFacts:
        """Add the facts of a further process, which ran the tests after these; the first kill counts."""
        return MutantFacts(
            executed=self.executed + later_facts.executed,
            steps=None if self.steps is None or later_facts.steps is None else self.steps + later_facts.steps,
            entered=self.entered + later_facts.entered,
            loaded=max(self.loaded, later_facts.loaded),
            kills=self.kills + later_facts.kills,
            first=self.first or later_facts.first,
            seconds=self.seconds + later_facts.seconds,
        )


def lost(reason: KillReason, detail: str) -> MutantFacts:
    """Return the facts of a mutant that died at an unknown place, as it has overwritten its position."""
    return MutantFacts(0, None, first=FirstKill(None, reason, detail))


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
        unseen: hooks of the project that are not called, in words for people.
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
    unseen: tuple[str, ...] = ()


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
Word = Report | Alive
WORDS: Codec[Word] = codec_of(Word)
"""The words that the process says; errors of the user's making are reported besides."""


@dataclass(frozen=True)
class PlainRun:
    """The exit status of pytest and, by node ids, the tests that do not pass.

    Attributes:
        failures: why each test failed first: the reason and the words of a run.
        missing: tests that were not collected.
        how: how the process died; empty if pytest came to its end.
    """

    status: int
    failing: tuple[str, ...] = ()
    failures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    xfailed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    how: str = ""


def is_skipped(test: str, skipped: Collection[str]) -> bool:
    """Return whether a test is among the skipped node ids, or within one of them."""
    return any(test == node or test.startswith((f"{node}::", f"{node}/")) for node in skipped)
