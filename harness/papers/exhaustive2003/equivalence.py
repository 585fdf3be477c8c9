"""Tabulates survivors of the largest scope with bounded evidence and arguments for equivalence (section 8.2)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from harness.analysis.measures import scores
from harness.analysis.score_caption import named
from harness.model.mutant import Equivalence, EquivalenceArgument
from harness.model.outcome import Verdict
from harness.model.score import ScorePolicy
from harness.papers.exhaustive2003.dataset import PaperInputs
from harness.papers.suites import Suite
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS
from harness.tables.table import Column, RowSource, Table

NOT_COUNTED = Missing("not counted in this run")
NO_ARGUMENT = "none"


@dataclass(frozen=True)
class Survivor:
    """A mutant that survives: its result, the finished scopes of its subject, and the argument for its equivalence."""

    result: Mapping[Hashable, Any]
    scopes: str
    argument: EquivalenceArgument | None


@dataclass(frozen=True)
class SurvivorCounts:
    """The mutants that survive a trial, with its scores by policy, and what is held of each mutant's equivalence."""

    inputs: int
    scores: Mapping[ScorePolicy, Fraction | None]
    results: pd.DataFrame
    held: Sequence[Equivalence]

    def never(self, condition: str) -> Measured:
        """Return how many mutants no input `reached` or `infected`."""
        counts = self.results[condition]
        return NOT_COUNTED if counts.isna().any() else int((counts == 0).sum())


SURVIVORS: tuple[Column[Survivor], ...] = (
    Column("function", Unit.TEXT, lambda one: one.result["function"]),
    Column("scopes run", Unit.TEXT, lambda one: one.scopes),
    Column("inputs", Unit.COUNT, lambda one: int(one.result["inputs_run"])),
    Column("executed", Unit.COUNT, lambda one: _count(one.result["executed"])),
    Column("reached", Unit.COUNT, lambda one: _count(one.result["reached"])),
    Column("infected", Unit.COUNT, lambda one: _count(one.result["infected"])),
    Column(
        "equivalence",
        Unit.TEXT,
        lambda one: one.argument.equivalence.value if one.argument else Equivalence.UNKNOWN.value,
    ),
    Column("argument", Unit.TEXT, lambda one: " ".join(one.argument.argument.split()) if one.argument else NO_ARGUMENT),
)
_ALL, _UNPROVEN = ScorePolicy.ALL_VIABLE, ScorePolicy.WITHOUT_PROVEN
EQUIVALENCE: tuple[Column[SurvivorCounts], ...] = (
    Column("inputs", Unit.COUNT, lambda counts: counts.inputs, "inputs"),
    Column(f"{_ALL.value} [%]", Unit.PERCENT, lambda counts: counts.scores[_ALL], "mutants_killed_pct", NO_MUTANTS),
    Column(f"{_UNPROVEN.value} [%]", Unit.PERCENT, lambda counts: counts.scores[_UNPROVEN], missing=NO_MUTANTS),
    Column("survivors", Unit.COUNT, lambda counts: len(counts.results)),
    Column("proven", Unit.COUNT, lambda counts: counts.held.count(Equivalence.PROVEN)),
    Column("suspected", Unit.COUNT, lambda counts: counts.held.count(Equivalence.SUSPECTED)),
    Column("unknown", Unit.COUNT, lambda counts: counts.held.count(Equivalence.UNKNOWN)),
    Column("never reached", Unit.COUNT, lambda counts: counts.never("reached")),
    Column("never infected", Unit.COUNT, lambda counts: counts.never("infected")),
)


def survivors(dataset: PaperInputs) -> Table:
    """Return one row for each mutant that survives the largest scope run."""
    cases = []
    for suite in dataset.largest:
        scopes = _scopes(dataset, suite.title)
        for result in _surviving(dataset, suite).to_dict("records"):
            argument = dataset.arguments.get(suite.subject, {}).get(result["mutant"])
            cases.append(RowSource((suite.title, result["mutant"]), Survivor(result, scopes, argument)))
    caption = (
        f"Mutants that no input within the largest scope run kills; {named(dataset.frames.oracles)}. "
        "Inputs: the bounded evidence, at that scope. "
        "Executed: of these, the inputs on which the mutant was really run; on the others it is known to do as the "
        "original. Reached: inputs on which the original gets to the mutated place. Infected: those of them on which "
        "the value of the mutated expression, or of the comparison or condition that alone uses it, differs, or may. "
        "Equivalence is never set by a run: proven ones have an argument from the "
        "code and the representation invariant; suspected ones a reason, and what stands in the way of a proof; "
        "unknown ones have neither: a larger scope may kill them."
    )
    return Table.of("Survivors", caption, ("benchmark", "mutant"), SURVIVORS, cases)


def equivalence(dataset: PaperInputs) -> Table:
    """Return the scores at the largest scope run with and without proven equivalents, each under its policy's name."""
    published = dataset.printed("table4", keys=2)
    by_policy = {
        policy: scores(dataset.frames, policy, dataset.proven).set_index("trial")["score"].to_dict()
        for policy in ScorePolicy
    }
    cases = []
    for suite in dataset.largest:
        results = _surviving(dataset, suite)
        arguments = dataset.arguments.get(suite.subject, {})
        held = [arguments[m].equivalence if m in arguments else Equivalence.UNKNOWN for m in results["mutant"]]
        of_suite = {policy: by_trial[suite.trial] for policy, by_trial in by_policy.items()}
        counts = SurvivorCounts(suite.inputs, of_suite, results, held)
        cases.append(RowSource((suite.title, str(suite.scope)), counts, published.row(suite.title, suite.scope)))
    caption = (
        f"Scores at the largest scope run, under both policies; {named(dataset.frames.oracles)}. The "
        "survivors by what is held of them, and how many of them no input reached or infected. The paper tells no "
        "equivalents apart in its rates."
    )
    return Table.of("Equivalence", caption, ("benchmark", "scope"), EQUIVALENCE, cases)


def _surviving(dataset: PaperInputs, suite: Suite) -> pd.DataFrame:
    results = dataset.frames.results
    return results[(results["trial"] == suite.trial) & (results["verdict"] == Verdict.SURVIVED.value)]


def _scopes(dataset: PaperInputs, title: str) -> str:
    """Return the finished scopes of a subject, as `1-6` or `2, 4`."""
    scopes = [suite.scope for suite in dataset.suites if suite.title == title and suite.trials[0]["finished"]]
    whole = len(scopes) > 1 and scopes == list(range(scopes[0], scopes[-1] + 1))
    return f"{scopes[0]}-{scopes[-1]}" if whole else ", ".join(map(str, scopes))


def _count(value: Any) -> Measured:
    return NOT_COUNTED if pd.isna(value) else int(value)
