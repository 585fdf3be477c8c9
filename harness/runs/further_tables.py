"""Tabulates a run by generator and by oracle, and under the rules of other tools.

Tables of generators have all seeds in one row: means, and where 90 % of the suites lie. Those of policies show the
score under each rule, and the outcomes that the rules distinguish.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from harness.analysis.compared import interval
from harness.analysis.frames import RunFrames
from harness.analysis.measures import row_labels, titles_of
from harness.analysis.oracle_comparison import OracleCost, oracle_costs
from harness.analysis.score_caption import killed, named
from harness.analysis.tool_policies import TOOL_POLICIES, OutcomeCounts, ToolOutcome, count_outcomes
from harness.errors import StoreError
from harness.generators.registry import uses_seed
from harness.model.outcome import OracleName
from harness.report.pages.sections import proven_mutants
from harness.report.pages.trials import ReportedTrial, chosen_trials
from harness.runs.comparison_tables import ENDS
from harness.runs.run_tables import (
    CODE_COLUMNS,
    INPUT_COLUMNS,
    KILL_COLUMNS,
    NO_RUN,
    RUN_TABLES,
    RunFacts,
    TrialRows,
    caption_of,
    failed_rows,
    label_texts,
    trial_rows,
    without_seed,
)
from harness.store.facts import NOT_OF_SEED
from harness.tables.cell import NO_MUTANTS, NOT_FINISHED, Measured, Missing, Unit
from harness.tables.table import Column, RowSource, Table

NO_SEED = Missing("the generator uses no seed")


@dataclass(frozen=True)
class SeedRows:
    """The trials of one generator and scope, which differ in their seeds only: they are run on the same mutants."""

    rows: tuple[TrialRows, ...]

    @property
    def seeds(self) -> Measured:
        """The number of seeds, or that its generator uses none."""
        count = len(self.rows)
        return count if count > 1 or uses_seed(str(self.rows[0].trial["generator"])) else NO_SEED

    def values(self, read: Callable[[TrialRows], Any]) -> Sequence[Any] | Missing:
        """Return a value of each trial, or why there is none of some trial."""
        values = [read(row) for row in self.rows]
        return next((value for value in values if isinstance(value, Missing)), values)

    def over_seeds(self, read: Callable[[TrialRows], Any], part: int) -> Measured:
        """Return the mean over the trials, or an end of the interval that 90 % of them lie in, or why there is none."""
        values = self.values(read)
        if isinstance(values, Missing):
            return values
        exact = [Fraction(value) for value in values]
        return (sum(exact, Fraction()) / len(exact), *interval(exact, [1 / len(exact)] * len(exact)))[part]


_READ: Mapping[str, Callable[[TrialRows], Any]] = {
    column.name: column.measured for column in (*INPUT_COLUMNS, *CODE_COLUMNS, *KILL_COLUMNS)
}
SEED_COLUMNS: tuple[Column[SeedRows], ...] = (
    Column("seeds", Unit.COUNT, lambda at: at.seeds),
    *(
        Column(f"{name}{end}", unit, partial(SeedRows.over_seeds, read=_READ[name], part=part))
        for name, unit, ends in (
            ("inputs", Unit.FACTOR, ("",)),
            ("branches [%]", Unit.PERCENT, ENDS),
            ("mutants", Unit.FACTOR, ("",)),
            ("killed", Unit.FACTOR, ("",)),
            ("killed [%]", Unit.PERCENT, ENDS),
        )
        for part, end in enumerate(ends)
    ),
)
"""The columns of the table by generator."""


def generators_table(run: RunFacts) -> Table:
    """Return one row per subject, generator, suite and scope: inputs, branch coverage and kills over all seeds."""
    names = [name for name in row_labels(run.frames) if name != "seed"]
    width = 1 + len(names)  # the seed is the last label
    groups: dict[tuple[str, ...], list[TrialRows]] = {}
    for rows, labels in trial_rows(run):
        same = (str(rows.trial[name]) for name in NOT_OF_SEED)
        groups.setdefault((*labels[:width], *same), []).append(rows)
    cases = [RowSource(key[:width], SeedRows(tuple(rows))) for key, rows in groups.items()]
    failures = dict.fromkeys((labels[:width], str(failed["reason"])) for failed, labels in failed_rows(run.frames))
    cases += [RowSource(labels, None, failure=reason) for labels, reason in failures]
    caption = f"{caption_of(run)} Values are means over the seeds of a row; 90 % of its suites lie from low to high."
    return Table.of("By generator", caption, ("subject", *names), SEED_COLUMNS, cases, compares=False)


def has_several_seeds(frames: RunFrames) -> bool:
    """Return whether a generator was run with several seeds at a scope."""
    return bool((frames.trials.groupby(list(NOT_OF_SEED), dropna=False, observed=True)["seed"].nunique() > 1).any())


ORACLES_COLUMNS: tuple[Column[OracleCost], ...] = (
    Column("mutants", Unit.COUNT, lambda cost: cost.differential.counted),
    Column("killed [%]", Unit.PERCENT, lambda cost: cost.other.ratio, missing=NO_MUTANTS),
    Column("differential [%]", Unit.PERCENT, lambda cost: cost.differential.ratio, missing=NO_MUTANTS),
    Column("only differential", Unit.COUNT, lambda cost: sum(cost.missed.values())),
    Column(
        "by",
        Unit.TEXT,
        lambda cost: ", ".join(f"{reason} {count}" for reason, count in sorted(cost.missed.items())) or "-",
    ),
    Column("not differential", Unit.COUNT, lambda cost: cost.only_other),
)


def oracles_table(run: RunFacts) -> Table:
    """Tabulate, for each trial with another oracle, its score and that of the differential oracle, which kills more.

    Mutants that only the differential oracle kills are counted by its reason.

    Raises:
        StoreError: no trial was judged by two oracles.
    """
    titles = titles_of(run.judged)
    cases = [
        RowSource(
            (
                titles[cost.trial["subject"]],
                *(str(cost.trial[name]) for name in ("generator", "scope", "seed")),
                cost.oracle.value,
            ),
            cost,
        )
        for cost in oracle_costs(run.judged, run.policy, run.proven)
    ]
    if not cases:
        raise StoreError(
            "the table oracles needs a finished trial that the differential oracle and another one judged; say "
            'oracles = ["differential", "postcondition"] in the experiment, or --oracles differential postcondition'
        )
    labels = ("subject", "generator", "scope", "seed", "oracle")
    caption = (
        f"{killed(run.policy, run.judged.oracles)} By the oracle of the row and by the differential one, on the same "
        "inputs. Reasons are those of the differential oracle."
    )
    return Table.of("By oracle", caption, labels, ORACLES_COLUMNS, cases, compares=False)


ALL_RUN_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    **RUN_TABLES,
    "generators": generators_table,
    "oracles": oracles_table,
}


def without_rows(run: RunFacts) -> set[str]:
    """Return the names of the tables that this run does not need.

    It has one oracle, or one seed at each scope, so that `scopes` has the same rows.
    """
    has: dict[str, object] = {
        "generators": has_several_seeds(run.frames),
        "oracles": oracle_costs(run.judged, run.policy, run.proven),
    }
    return {name for name, rows in has.items() if not rows}


_UNNOTICED_KILLS = {"not finished": ToolOutcome.UNFINISHED, "skipped": ToolOutcome.SKIPPED}
"""Columns of kills that plain pytest may not notice."""


def _count_of(outcome: ToolOutcome, counts: OutcomeCounts) -> int:
    return counts.all[outcome]


_MUTANTS = Column[OutcomeCounts]("mutants", Unit.COUNT, lambda counts: sum(counts.all.values()))
POLICIES_COLUMNS: tuple[Column[OutcomeCounts], ...] = (
    _MUTANTS,
    *(Column(name, Unit.COUNT, partial(_count_of, outcome)) for name, outcome in _UNNOTICED_KILLS.items()),
    *(Column(f"{policy.tool} [%]", Unit.PERCENT, policy.score, missing=NO_MUTANTS) for policy in TOOL_POLICIES),
)
OUTCOMES_COLUMNS: tuple[Column[OutcomeCounts], ...] = (
    _MUTANTS,
    *(Column(outcome.value, Unit.COUNT, partial(_count_of, outcome)) for outcome in ToolOutcome),
)


def policies_table(run: RunFacts) -> Table:
    """Show the score under each tool's rule by subject, suite, operator set and seed, at the largest finished scope.

    Raises:
        StoreError: the run is a frozen one, which does not keep what these rules count.
    """
    caption = (
        "The same facts under the rules of other tools; mutants are all that were made, those included that are not "
        "run. Of these, 'not finished' are the mutants that did not finish within 10 times the steps of the original, "
        "which plain pytest may let pass, and 'skipped' those on which tests are skipped. What each rule counts: "
        "docs/policies.md; the counts: --table outcomes."
    )
    return _policy_table("By policy", caption, run, POLICIES_COLUMNS)


def outcomes_table(run: RunFacts) -> Table:
    """Count what the rules tell apart by subject, suite, operator set and seed, at the largest finished scope.

    Raises:
        StoreError: as `policies_table`.
    """
    return _policy_table("By outcome", "A mutant that equals an earlier one has its outcome.", run, OUTCOMES_COLUMNS)


POLICY_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    "policies": policies_table,
    "outcomes": outcomes_table,
}
"""Tables that are made only when requested by name."""


def _policy_table(title: str, caption: str, run: RunFacts, columns: Sequence[Column[OutcomeCounts]]) -> Table:
    titles = titles_of(run.frames)
    names = [name for name in row_labels(run.frames) if name != "operator_set"]
    at = names.index("scope") if "scope" in names else len(names)
    labels = ("subject", *names[:at], "operators", *names[at:])
    seedless, cases = without_seed(run.frames), []
    for one in _policy_trials(run):
        trial = one.trial
        values = vars(trial) | {"subject": titles[trial.subject], "operators": trial.operator_set}
        counts = _policy_counts(one) if one.finished and trial.mode.runs_mutants else None
        why = NOT_FINISHED if trial.mode.runs_mutants else NO_RUN
        texts = label_texts(labels, values, trial.key in seedless)
        cases.append(RowSource(tuple(texts), counts, missing=why))
    judged = f"{caption} Judged by {named(run.frames.oracles)}."
    return Table.of(title, judged, labels, columns, cases, compares=False)


def _policy_trials(run: RunFacts) -> list[ReportedTrial]:
    if run.folder is None:
        raise StoreError(
            "a frozen run does not keep the mutants that were not run, which other tools count; run the experiment, "
            "and give its folder"
        )
    (oracle,) = run.frames.trials["oracle"].unique()
    return chosen_trials(run.folder, OracleName(oracle), run.chosen)


def _policy_counts(one: ReportedTrial) -> OutcomeCounts:
    return count_outcomes(one.mutants, one.results, proven_mutants([one]).get(one.trial.subject, frozenset()))
