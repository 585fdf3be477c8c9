"""Compares stored facts with their origins: mutants with the source, coverage with a suite, a trial with both."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from platform import python_version
from typing import Any

from harness.model.outcome import Mutant, MutantResult
from harness.model.pytest_suite import SuiteRecord
from harness.store.facts import FunctionCoverage, InstrumentProof, KillRow, StoredTrial, mutant_set_hash
from harness.store.run_store import RunStore

_DIGITS = 12
"""Digits of a hash."""
_ABSENT = "not there"


def rank(trial: StoredTrial, mutant: str, seed: int) -> str:
    """Return the place of a verdict in the order in which a seed draws verdicts, as text to sort by."""
    return hashlib.sha256(f"{seed}:{trial.key}:{mutant}".encode()).hexdigest()


@dataclass(frozen=True)
class FactDisagreement:
    """A fact that is stored otherwise than it is found again; `fact` is a mutant's id, or what else it is of."""

    trial: str
    fact: str
    stored: str
    observed: str
    how: str = "re-executed"

    def __str__(self) -> str:
        return f"{self.trial}, {self.fact}: stored: {self.stored}; {self.how}: {self.observed}"


@dataclass(frozen=True)
class StoredVerdict:
    """One stored verdict: the result of a mutant in a trial, and its row if every input was run."""

    trial: StoredTrial
    mutant: Mutant
    result: MutantResult
    kill_row: KillRow | None

    def __str__(self) -> str:
        return f"{self.trial}, {self.mutant.id}"


@dataclass(frozen=True)
class StoredFacts:
    """The stored facts of a trial, with those of its verdicts that are executed again.

    Attributes:
        proof: None if the self-checks are not executed again.
        coverage: empty if it is not measured again.
        record: of a pytest suite.
    """

    trial: StoredTrial
    verdicts: Sequence[StoredVerdict]
    mutants: Sequence[Mutant]
    proof: InstrumentProof | None
    coverage: Sequence[FunctionCoverage]
    record: SuiteRecord | None


def mutant_disagreements(
    trial: StoredTrial, stored: Sequence[Mutant], derived: Sequence[Mutant]
) -> Iterator[FactDisagreement]:
    """Yield the mutants of a trial that are not those of its source; of another set, only its hash."""
    derived_hash = mutant_set_hash(derived)
    if derived_hash != trial.mutant_set:
        yield FactDisagreement(
            str(trial),
            "mutant_set",
            f"{len(stored)} mutants, {trial.mutant_set[:_DIGITS]}",
            f"{len(derived)} mutants, {derived_hash[:_DIGITS]}",
            "derived again",
        )
        return
    # A store does not keep the rules by which mutants are equal.
    yield from _disagreements(
        str(trial),
        {mutant.id: vars(mutant) for mutant in stored},
        {mutant.id: vars(replace(mutant, rule=None)) for mutant in derived},
        "derived again",
    )


def coverage_disagreements(
    trial: StoredTrial, stored: Iterable[FunctionCoverage], measured: Iterable[FunctionCoverage]
) -> Iterator[FactDisagreement]:
    """Yield the functions whose counts are not those that were measured again."""
    before, now = (
        {f"{one.kind.value} coverage of {one.function}": vars(one.counts) for one in rows}
        for rows in (stored, measured)
    )
    yield from _disagreements(str(trial), before, now, "measured again")


def field_disagreements(
    trial: StoredTrial, stored: StoredTrial | InstrumentProof, derived: Mapping[str, Any], how: str
) -> Iterator[FactDisagreement]:
    """Yield the fields of a trial, or of its self-checks, that are not as they are found."""
    before = {name: {name: getattr(stored, name)} for name in derived}
    yield from _disagreements(str(trial), before, {name: {name: value} for name, value in derived.items()}, how)


def measured_elsewhere(store: RunStore) -> str:
    """Return the versions of a session whose coverage is not comparable with one of today; empty if there is none."""
    here = _minor(python_version()), version("coverage")
    for session in store.sessions.all():
        there = _minor(session.python), session.packages.get("coverage", "")
        if there != here:
            return f"Python {there[0]} and coverage.py {there[1]}"
    return ""


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _disagreements(
    trial: str, stored: Mapping[str, Mapping[str, Any]], derived: Mapping[str, Mapping[str, Any]], how: str
) -> Iterator[FactDisagreement]:
    for fact in sorted(stored.keys() | derived.keys()):
        before, now = stored.get(fact), derived.get(fact)
        if before == now:
            continue
        names = [name for name in (before or now or {}) if before is None or now is None or before[name] != now[name]]
        yield FactDisagreement(trial, fact, _fields_text(before, names), _fields_text(now, names), how)


def _fields_text(fields: Mapping[str, Any] | None, names: Sequence[str]) -> str:
    return _ABSENT if fields is None else ", ".join(f"{name} {_value(fields[name])}" for name in names)


def _value(value: Any) -> str:
    return repr(getattr(value, "value", value))
