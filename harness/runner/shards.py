"""Shards divide the facts of an experiment by hashes of content, so that their processes need not communicate."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.errors import UsageError
from harness.model.experiment import ExecutionMode
from harness.model.mutant import Mutant, MutantStatus
from harness.model.pytest_suite import PYTEST

MUTANTS_EACH = 16
"""A trial is spread over so many shards that each has this many of its mutants, as each runs the original, too."""

Identity = Sequence[str | int]
"""Subject, generator, suite, scope and seed of a trial (`harness.store.facts.SUITE`)."""


@dataclass(frozen=True)
class TrialShare:
    """The part of a trial that one shard runs.

    `mutants` are ids, and None stands for all mutants. `is_first` says whether the shard also finds the facts that
    belong to no mutant, such as coverage.
    """

    mutants: frozenset[str] | None = None
    is_first: bool = True

    def has(self, mutant: str) -> bool:
        """Return whether a mutant is run."""
        return self.mutants is None or mutant in self.mutants

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.is_first and not self.mutants


WHOLE_SHARE = TrialShare()
"""The share of a run that is not divided."""


@dataclass(frozen=True)
class Shard:
    """One of `count` shards, by its number from 1.

    Raises:
        UsageError: there is no such shard.
    """

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count:
            raise UsageError(
                f"there is no shard {self}; shards are numbered from 1/{self.count} to {self.count}/{self.count}"
            )

    @classmethod
    def of_text(cls, text: str) -> Shard:
        """Return the shard that a text such as `3/64` names.

        Raises:
            UsageError: it names none.
        """
        if not re.fullmatch(r"[0-9]{1,9}/[0-9]{1,9}", text):
            raise UsageError(f"a shard is written K/N, such as 3/64, not {text!r}")
        number, count = map(int, text.split("/"))
        if count == 0:
            raise UsageError(f"there is no shard {text}; give a number of shards from 1")
        return cls(number, count)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def share(self, trial: Identity, unit_of_mutant: Mapping[str, str]) -> TrialShare:
        """Return the share of this shard in a trial.

        The units of a trial are put in order by size and hash. Each goes to the shard that has the fewest mutants of
        the trial so far. A hash of the trial says at which shard this begins.

        Args:
            unit_of_mutant: by the id of each mutant, the name of its unit. A unit is not divided.
        """
        sizes = Counter(unit_of_mutant.values())
        name = json.dumps(list(trial))
        first = int.from_bytes(_hash(name)) % self.count
        loads = [0] * max(1, min(self.count, len(unit_of_mutant) // MUTANTS_EACH))
        own_units: set[str] = set()
        for unit in sorted(sizes, key=lambda unit: (-sizes[unit], _hash(name, unit))):
            place = loads.index(min(loads))
            loads[place] += sizes[unit]
            if (first + place) % self.count == self.number - 1:
                own_units.add(unit)
        own = frozenset(mutant for mutant, unit in unit_of_mutant.items() if unit in own_units)
        return TrialShare(own, first == self.number - 1)


WHOLE = Shard(1, 1)
"""The only shard of a run that is not divided."""


def units_of(generator: str, mode: ExecutionMode, mutants: Iterable[Mutant]) -> dict[str, str]:
    """Return the units of the mutants that are run, as `Shard.share` takes them.

    In a run of a pytest suite to the first kill, mutants of one function are a unit, as each is run first on the tests
    that killed those before it. Otherwise, each mutant is one.
    """
    is_learning = generator == PYTEST and mode is not ExecutionMode.MATRIX
    viable = [mutant for mutant in mutants if mutant.status is MutantStatus.VIABLE]
    return {mutant.id: mutant.function if is_learning else mutant.id for mutant in viable}


def _hash(*parts: str) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()
