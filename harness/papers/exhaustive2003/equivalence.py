"""Survivors of the largest scope: bounded evidence, what reached them, and arguments for equivalence (section 8.2)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from harness.analysis.captions import named
from harness.analysis.measures import scores
from harness.model.mutant import Equivalence
from harness.model.outcome import Verdict
from harness.model.score import ScorePolicy
from harness.papers.exhaustive2003.given import PaperInputs, columns_of, compared_row, largest_trials, trials_of
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS, ratio_or
from harness.tables.table import Heading, Row, Table

NOT_COUNTED = Missing("not counted in this run")
NO_ARGUMENT = "none"

_SURVIVORS = tuple(
    (Heading(name, unit), "")
    for name, unit in (
        ("function", Unit.TEXT),
        ("scopes run", Unit.TEXT),
        ("inputs", Unit.COUNT),
        ("executed", Unit.COUNT),
        ("reached", Unit.COUNT),
        ("infected", Unit.COUNT),
        ("equivalence", Unit.TEXT),
        ("argument", Unit.TEXT),
    )
)
_EQUIVALENCE = (
    (Heading("inputs", Unit.COUNT, published=True), "inputs"),
    (Heading(f"{ScorePolicy.ALL_VIABLE.value} [%]", Unit.PERCENT, published=True), "mutants_killed_pct"),
    *(
        (Heading(name, unit), "")
        for name, unit in (
            (f"{ScorePolicy.WITHOUT_PROVEN.value} [%]", Unit.PERCENT),
            ("survivors", Unit.COUNT),
            ("proven", Unit.COUNT),
            ("suspected", Unit.COUNT),
            ("unknown", Unit.COUNT),
            ("never reached", Unit.COUNT),
            ("never infected", Unit.COUNT),
        )
    ),
)


def survivors(given: PaperInputs) -> Table:
    """One row for each mutant that survives the largest scope run."""
    rows = []
    for trial in largest_trials(given.frames).to_dict("records"):
        scopes = _scopes(given, str(trial["title"]))
        for result in _surviving(given, trial["trial"]).to_dict("records"):
            argument = given.arguments.get(trial["subject"], {}).get(result["mutant"])
            measured: list[Measured] = [
                result["function"],
                scopes,
                int(result["inputs_run"]),
                *(_count(result[what]) for what in ("executed", "reached", "infected")),
                argument.equivalence.value if argument else Equivalence.UNKNOWN.value,
                " ".join(argument.argument.split()) if argument else NO_ARGUMENT,
            ]
            rows.append(compared_row((trial["title"], result["mutant"]), "", measured, _SURVIVORS, {}))
    caption = (
        f"Mutants that no input within the largest scope run kills; {named(given.frames.oracles)}. "
        "Inputs: the bounded evidence, at that scope. "
        "Executed: of these, the inputs on which the mutant was really run; on the others it is known to do as the "
        "original. Reached: inputs on which the original gets to the mutated place. Infected: those of them on which "
        "the value of the mutated expression, or of the comparison or condition that alone uses it, differs, or may. "
        "Equivalence is never set by a run: proven ones have an argument from the "
        "code and the representation invariant; suspected ones a reason, and what stands in the way of a proof; "
        "unknown ones have neither: a larger scope may kill them."
    )
    return Table("Survivors", caption, ("benchmark", "mutant"), columns_of(_SURVIVORS), tuple(rows))


def equivalence(given: PaperInputs) -> Table:
    """Scores at the largest scope run with and without proven equivalents, each under its policy's name."""
    published = given.printed("table4", keys=2)
    trials = largest_trials(given.frames)
    by_policy = {
        policy: scores(given.frames, policy, given.proven).set_index("trial")["score"].to_dict()
        for policy in ScorePolicy
    }
    rows: list[Row] = []
    for trial in trials.to_dict("records"):
        key, labels = trial["trial"], (trial["title"], str(trial["scope"]))
        alive = _surviving(given, key)
        arguments = given.arguments.get(trial["subject"], {})
        held = [arguments[m].equivalence if m in arguments else Equivalence.UNKNOWN for m in alive["mutant"]]
        measured: list[Measured] = [
            int(trial["inputs"]),
            *(ratio_or(by_policy[policy][key], NO_MUTANTS) for policy in ScorePolicy),
            len(alive),
            *(held.count(kind) for kind in (Equivalence.PROVEN, Equivalence.SUSPECTED, Equivalence.UNKNOWN)),
            *(_never(alive, what) for what in ("reached", "infected")),
        ]
        rows.append(compared_row(labels, " ".join(labels), measured, _EQUIVALENCE, published))
    caption = (
        f"Scores at the largest scope run, under both policies; {named(given.frames.oracles)}. The "
        "survivors by what is held of them, and how many of them no input reached or infected. The paper tells no "
        "equivalents apart in its rates."
    )
    return Table("Equivalence", caption, ("benchmark", "scope"), columns_of(_EQUIVALENCE), tuple(rows))


def _surviving(given: PaperInputs, trial: str) -> pd.DataFrame:
    results = given.frames.results
    return results[(results["trial"] == trial) & (results["verdict"] == Verdict.SURVIVED.value)]


def _scopes(given: PaperInputs, title: str) -> str:
    """The finished scopes of a subject, as `1-6` or `2, 4`."""
    trials = trials_of(given.frames)
    scopes = sorted(int(s) for s in trials.loc[trials["finished"] & (trials["title"] == title), "scope"])
    whole = len(scopes) > 1 and scopes == list(range(scopes[0], scopes[-1] + 1))
    return f"{scopes[0]}-{scopes[-1]}" if whole else ", ".join(map(str, scopes))


def _count(value: Any) -> Measured:
    return NOT_COUNTED if pd.isna(value) else int(value)


def _never(alive: pd.DataFrame, what: str) -> Measured:
    counts = alive[what]
    return NOT_COUNTED if counts.isna().any() else int((counts == 0).sum())
