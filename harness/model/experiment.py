"""Trials, experiments and where results come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PytestSuite
from harness.model.sequence import Observation

LARGEST_SCOPE = 65_535
"""A candidate vector holds no larger index."""

SMALLEST_SEED, LARGEST_SEED = -(1 << 63), (1 << 63) - 1
"""The seeds that the store can hold."""


DEFAULT_OPERATORS = "ferastrau"
"""The operator set that is used where none is named: the one that the printed scores are of."""


class ExecutionMode(Enum):
    """The part of mutants x inputs that is executed."""

    FIRST_KILL = "first-kill"
    """Each mutant runs the inputs in suite order until one kills it."""
    MATRIX = "matrix"
    """Every mutant runs every input: a full kill matrix."""
    SELECTIONS = "selections"
    """Every mutant runs the inputs in suite order until it is known which random selections kill it."""
    GENERATE = "generate"
    """No mutant is run: the suite is made, and its seconds are kept."""

    @property
    def runs_mutants(self) -> bool:
        """Whether mutants are run at all."""
        return self is not ExecutionMode.GENERATE


class Approach(Enum):
    """The two ways to make mutants executable (exhaustive2003, section 7.1)."""

    METAMUTANT = "metamutant"
    """One module with all mutants as guarded choices."""
    SEPARATE = "separate"
    """One module per mutant."""


@dataclass(frozen=True)
class Trial:
    """One subject x generator x scope x seed."""

    subject: str
    generator: str
    scope: int
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.scope, bool) or not isinstance(self.scope, int) or self.scope < 1:
            raise UsageError(f"scope is a whole number from 1, not {self.scope!r}")
        if self.scope > LARGEST_SCOPE:
            raise UsageError(f"scope is at most {LARGEST_SCOPE}; choose a lower one")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise UsageError(f"seed is a whole number, not {self.seed!r}")
        if not SMALLEST_SEED <= self.seed <= LARGEST_SEED:
            raise UsageError("a seed has at most 64 bits; choose another one")

    def __str__(self) -> str:
        return f"{self.subject} {self.generator} scope {self.scope}"


@dataclass(frozen=True)
class Experiment:
    """A named set of trials and how to run them."""

    name: str
    trials: tuple[Trial, ...]
    mode: ExecutionMode = ExecutionMode.FIRST_KILL
    modes: Mapping[Trial, ExecutionMode] = field(default_factory=dict)
    """Trials that are run in a mode of their own."""
    approach: Approach = Approach.SEPARATE
    concrete: bool = False
    """Compare post-states by concrete structure, too."""
    paper: str | None = None
    operators: str = DEFAULT_OPERATORS
    """The name of the operator set whose mutants are run."""
    observed: Observation = Observation.END
    """When states are looked at in sequences."""
    oracles: tuple[OracleName, ...] = (OracleName.DIFFERENTIAL,)
    """The oracles that judge each trial's runs; every oracle has its own results."""
    judged_by: Mapping[Trial, tuple[OracleName, ...]] = field(default_factory=dict)
    """Trials that oracles of their own judge."""
    without_coverage: frozenset[Trial] = frozenset()
    """Trials of which no coverage is measured: that of a spec takes a search by the reference engine."""

    suites: tuple[PytestSuite, ...] = ()
    """Pytest suites, each with the module whose mutants it judges; they come after the trials."""

    def __post_init__(self) -> None:
        if not self.oracles:
            raise UsageError(f"no oracle is named; there are {', '.join(oracle.value for oracle in OracleName)}")
        for trial in self.trials:
            if trial.scope == 1 and self.mode_of(trial) is ExecutionMode.SELECTIONS:
                raise UsageError(f"{trial}: mode selections takes as many inputs as scope 0 has; give scopes from 2")

    def mode_of(self, trial: Trial) -> ExecutionMode:
        """Return which part of the trial's mutants x inputs is executed."""
        return self.modes.get(trial, self.mode)

    def oracles_of(self, trial: Trial) -> tuple[OracleName, ...]:
        """Return the oracles that judge the trial's runs."""
        return self.judged_by.get(trial, self.oracles)


@dataclass(frozen=True)
class Provenance:
    """The programs, versions and machine of a run. Stored separately from the facts."""

    mutascope: str
    python: str
    platform: str
    machine: str
    cpus: int
    git_commit: str | None
    arguments: tuple[str, ...]
    packages: dict[str, str] = field(default_factory=dict)
    started: str = ""
    """UTC, ISO 8601."""
    containment: tuple[str, ...] | None = None
    """The levels that contained the programs under test (docs/containment.md); None in older runs."""

    def as_dict(self) -> dict[str, object]:
        """Return the fields for the store and JSON."""
        return asdict(self)


@dataclass(frozen=True)
class TrialFilter:
    """The names of subjects and generators whose trials are taken; all of them where none is named.

    A subject is named as an experiment does, such as `ring_buffer`, or by its title in tables, such as `RingBuffer`.
    """

    subjects: tuple[str, ...] = ()
    generators: tuple[str, ...] = ()

    def takes(self, subject: str, title: str, generator: str) -> bool:
        """Return whether a trial of this subject, with its title, and this generator is taken."""
        is_of_subject = not self.subjects or subject in self.subjects or title in self.subjects
        return is_of_subject and (not self.generators or generator in self.generators)

    def check(self, trials: Iterable[tuple[str, str, str]]) -> None:
        """Check that a run has trials of each name.

        Args:
            trials: the subject, its title and the generator of each trial of the run.

        Raises:
            UsageError: the run has no trial of a name, or none of the names together.
        """
        triples = list(trials)
        titles = {title for _, title, _ in triples}
        subjects = dict.fromkeys(subject for subject, _, _ in triples)
        generators = dict.fromkeys(generator for _, _, generator in triples)
        for noun, names, used in (
            ("subject", [name for name in self.subjects if name not in titles], subjects),
            ("generator", self.generators, generators),
        ):
            for name in names:
                if name not in used:
                    raise UsageError(f"the run has no trial of the {noun} {name!r}; {suggestion(name, used)}")
        if triples and not any(self.takes(*triple) for triple in triples):
            pair = f"{', '.join(self.generators)} on {', '.join(self.subjects)}"
            raise UsageError(f"the run has no trial of {pair}; leave --subject or --generator out")


EVERY_TRIAL = TrialFilter()
"""Takes all trials of a run."""


EARLIER = "*"
"""The mark of such seconds."""


class EarlierSeconds(float):
    """Seconds that were measured when a suite was made, before this run; sums with them are such seconds, too.

    `origin` says where, how and when that was.
    """

    origin: str

    def __new__(cls, seconds: float, origin: str = "") -> EarlierSeconds:
        """Mark seconds."""
        marked = super().__new__(cls, seconds)
        marked.origin = origin
        return marked

    def __add__(self, other: float) -> EarlierSeconds:
        """Return a sum that is marked."""
        return EarlierSeconds(float(self) + float(other), self.origin)

    __radd__ = __add__


def note_on_earlier(origins: Iterable[str]) -> str:
    """Return the line that explains the mark; each origin says where, how and when some seconds were measured."""
    return f"times with this mark were measured when the suite was made: {'; '.join(origins)}"
