"""Tabulates any run: by scope, operator, function, reason, generator and oracle, and under the rules of other tools."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pandas as pd

from harness.analysis.compared import interval
from harness.analysis.frames import RunFrames, detail_columns, remarks_of
from harness.analysis.frozen import is_frozen
from harness.analysis.measures import (
    OracleCost,
    Proven,
    by_reason,
    coverage_ratios,
    oracle_costs,
    row_labels,
    scored_rows,
    scores,
    scores_by,
    titles_of,
)
from harness.analysis.mutant_sets import SHORT, ScoredRow, mixed_sets
from harness.analysis.score_caption import killed, named
from harness.analysis.titles import of_suite, row_name, text_of
from harness.analysis.tool_policies import TOOL_POLICIES, OutcomeCounts, ToolOutcome, count_outcomes
from harness.errors import StoreError
from harness.generators.registry import uses_seed
from harness.model.experiment import EVERY_TRIAL, ExecutionMode, TrialFilter
from harness.model.outcome import OracleName, ScorePolicy
from harness.model.pytest_suite import PYTEST
from harness.model.sequence import Observation
from harness.report.pages.sections import proven_mutants
from harness.report.pages.trials import ReportedTrial, chosen_trials
from harness.runs.comparison_tables import ENDS
from harness.store import CoverageKind
from harness.store.facts import CONDITIONS, NOT_OF_SEED
from harness.tables.stored import Run, check_has_trials, proven_under
from harness.tables.table import (
    MISSING,
    NO_MUTANTS,
    NOT_FINISHED,
    NOTHING_TO_COVER,
    Column,
    Measured,
    Missing,
    RowSource,
    Table,
    Unit,
    ratio_or,
)

NO_RUN = Missing("mode generate runs no mutant")
NOT_YET_COVERED = Missing("not covered yet: run the experiment again to go on")
NOT_MEASURED = Missing("none: the experiment leaves coverage out, or the suite is made without running the spec")
OF_CALLS = Missing("calls make its states")
NO_DETAIL = Missing("the generator tells no such detail")
SPEC_COVERAGE = "spec st. and spec br. are statements and branches of the spec's predicates that the search executes."

_Source = TypeVar("_Source")
_CODE, _SPEC = CoverageKind.CODE.value, CoverageKind.SPEC.value


class RunFacts(NamedTuple):
    """A run as one oracle judged it, and the judgement under which its tables are made; `judged` is of all oracles.

    `folder` has the store; None of a frozen run, which has none. The frames have the trials that `chosen` takes.
    """

    frames: RunFrames
    policy: ScorePolicy
    proven: Proven
    judged: RunFrames
    folder: Path | None = None
    chosen: TrialFilter = EVERY_TRIAL

    @classmethod
    def of(cls, run: Run, policy: ScorePolicy = ScorePolicy.ALL_VIABLE) -> RunFacts:
        """Return what the tables and figures of a run are made of.

        Raises:
            StoreError: no trial is stored yet, or none was judged by the oracle.
        """
        if run.frames.trials.empty and not run.all_frames.trials.empty:
            name = run.oracle.value
            raise StoreError(f"{run.folder}: nothing was judged by the {name} oracle; run it with oracles = [{name!r}]")
        check_has_trials(run)
        folder = None if is_frozen(run.folder) else run.folder
        return cls(run.frames, policy, proven_under(run, policy), run.all_frames, folder)

    def chosen_by(self, chosen: TrialFilter) -> RunFacts:
        """Return the trials that a filter takes.

        Raises:
            UsageError: the filter names a subject or generator of which there is no trial.
        """
        frames, judged = self.frames.chosen_by(chosen), self.judged.chosen_by(chosen)
        return self._replace(frames=frames, judged=judged, chosen=chosen)


@dataclass(frozen=True)
class TrialRows:
    """A trial with its rows of coverage and of scores; None where there is none yet."""

    trial: Mapping[Hashable, Any]
    code: Mapping[Hashable, Any] | None
    spec: Mapping[Hashable, Any] | None
    scored: Mapping[Hashable, Any] | None

    def of_states(self, number: str) -> Measured:
        """Return a number of candidates or states, which no suite of sequences has."""
        return int(self.trial[number]) if pd.isna(self.trial["sequences"]) else OF_CALLS

    @property
    def has_run_mutants(self) -> bool:
        """Whether its mode runs mutants at all."""
        return ExecutionMode(self.trial["mode"]).runs_mutants

    def covered(self, ratios: Mapping[Hashable, Any] | None, unit: str) -> Measured:
        """Return the coverage of `statement`s or `branch`es, or why there is none."""
        if ratios is not None:
            return ratio_or(ratios[f"{unit}_coverage"], NOTHING_TO_COVER)
        if not self.has_run_mutants:
            return NO_RUN
        return NOT_MEASURED if self.trial["finished"] else NOT_YET_COVERED

    def score(self, read: Callable[[Mapping[Hashable, Any]], Measured]) -> Measured:
        """Return a value of its row of scores, or why there is none."""
        if not self.has_run_mutants:
            return NO_RUN
        return NOT_FINISHED if self.scored is None else read(self.scored)


_Row = Mapping[Hashable, Any]
_OF_SCORE: tuple[tuple[str, Unit, Callable[[_Row], Measured]], ...] = (
    ("killed", Unit.COUNT, lambda row: int(row["killed"])),
    ("mutants", Unit.COUNT, lambda row: int(row["counted"])),
    ("killed [%]", Unit.PERCENT, lambda row: ratio_or(row["score"], NO_MUTANTS)),
)
"""The columns of a row of scores."""
STATE_COLUMNS: tuple[Column[TrialRows], ...] = (
    Column("candidates", Unit.COUNT, lambda at: at.of_states("explored")),
    Column("pre-states", Unit.COUNT, lambda at: at.of_states("states")),
)
INPUT_COLUMNS: tuple[Column[TrialRows], ...] = (Column("inputs", Unit.COUNT, lambda at: int(at.trial["inputs"])),)
CODE_COLUMNS: tuple[Column[TrialRows], ...] = (
    Column("statements [%]", Unit.PERCENT, lambda at: at.covered(at.code, "statement")),
    Column("branches [%]", Unit.PERCENT, lambda at: at.covered(at.code, "branch")),
)
SPEC_COLUMNS: tuple[Column[TrialRows], ...] = (
    Column("spec st. [%]", Unit.PERCENT, lambda at: at.covered(at.spec, "statement")),
    Column("spec br. [%]", Unit.PERCENT, lambda at: at.covered(at.spec, "branch")),
)
KILL_COLUMNS: tuple[Column[TrialRows], ...] = tuple(
    Column(name, unit, partial(TrialRows.score, read=read)) for name, unit, read in _OF_SCORE
)
"""The columns of the table by scope; pytest suites have no states and no spec."""
SCORE_COLUMNS = tuple(Column(name, unit, read) for name, unit, read in _OF_SCORE)


def _detail_column(name: str, values: pd.Series[Any]) -> Column[TrialRows]:
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return Column(name, Unit.TEXT, lambda at: NO_DETAIL if pd.isna(at.trial[name]) else str(at.trial[name]))
    number = int if pd.api.types.is_integer_dtype(values) else float
    return Column(name, Unit.COUNT, lambda at: NO_DETAIL if pd.isna(at.trial[name]) else number(at.trial[name]))


def scopes_table(run: RunFacts) -> Table:
    """Return one row per trial: states, inputs, details of generators, coverage of code and spec, mutants killed.

    If all are pytest suites, there are no columns of scopes, states and specs. A detail that is 0 in all rows has none.
    """
    trials = run.frames.trials
    details = tuple(
        _detail_column(name, trials[name]) for name in detail_columns(trials) if (trials[name].dropna() != 0).any()
    )
    cases = [RowSource[TrialRows](labels, rows) for rows, labels in trial_rows(run)]
    cases += [RowSource(labels, None, failure=str(failed["reason"])) for failed, labels in failed_rows(run.frames)]
    if set(run.frames.trials["generator"]) == {PYTEST}:
        title, columns = "By suite", (*INPUT_COLUMNS, *details, *CODE_COLUMNS, *KILL_COLUMNS)
    else:
        title = "By scope"
        columns = (*STATE_COLUMNS, *INPUT_COLUMNS, *details, *CODE_COLUMNS, *SPEC_COLUMNS, *KILL_COLUMNS)
    table = _table(title, run, columns, cases, ())
    of_spec = [SPEC_COVERAGE] if SPEC_COLUMNS[0] in columns else []
    return replace(table, caption=" ".join([table.caption, *of_spec, *_remarks(run.frames)]))


def _kills_by(column: str, run: RunFacts) -> Table:
    """Tabulate mutants killed by operator or mutated function, at the largest finished scope of each suite."""
    measured = scores_by(column, run.frames, run.policy, run.proven)
    cases = (
        RowSource((*labels, str(row[column])), row)
        for trial, labels in _labelled(run.frames, _largest(run.frames))
        for row in measured[measured["trial"] == trial["trial"]].to_dict("records")
    )
    return _table(f"By {column}", run, SCORE_COLUMNS, cases, (column,))


def reasons_table(run: RunFacts) -> Table:
    """Tabulate kills by reason and phase, at the largest finished scope of each subject and generator."""
    kills = by_reason(run.frames)
    cases = (
        RowSource((*labels, str(kill["reason"]), str(kill["phase"])), kill)
        for trial, labels in _labelled(run.frames, _largest(run.frames))
        for kill in kills[kills["trial"] == trial["trial"]].to_dict("records")
    )
    columns = (Column[_Row]("kills", Unit.COUNT, lambda kill: int(kill["kills"])),)
    return _table("By reason", run, columns, cases, ("reason", "phase"))


def trial_rows(run: RunFacts) -> list[tuple[TrialRows, tuple[str, ...]]]:
    """Return the trials in the order of `_labelled`, each with its measurements and its labels."""
    covered = {(row["trial"], row["kind"]): row for row in coverage_ratios(run.frames).to_dict("records")}
    scored = {row["trial"]: row for row in scores(run.frames, run.policy, run.proven).to_dict("records")}
    return [
        (TrialRows(trial, covered.get((key, _CODE)), covered.get((key, _SPEC)), scored.get(key)), labels)
        for trial, labels in _labelled(run.frames, run.frames.trials)
        for key in [trial["trial"]]
    ]


def failed_rows(frames: RunFrames) -> list[tuple[Mapping[Hashable, Any], tuple[str, ...]]]:
    """Return the trials that could not be run, each with its labels."""
    titles, labels = titles_of(frames), row_labels(frames)
    return [
        (failed, (titles[failed["subject"]], *label_texts(labels, failed, not uses_seed(str(failed["generator"])))))
        for failed in frames.failures.to_dict("records")
    ]


def without_seed(frames: RunFrames) -> set[str]:
    """Return the trials of generators that use no seed, and were run with one only."""
    trials = frames.trials
    seeds = trials.groupby(["subject", "generator", "suite", "scope"])["seed"].transform("nunique")
    is_seedless = (seeds == 1) & ~trials["generator"].map(lambda name: uses_seed(str(name))).astype(bool)
    return set(trials.loc[is_seedless, "trial"])


def label_texts(labels: Iterable[str], values: Mapping[Any, Any], has_no_seed: bool) -> list[str]:
    """Return the values of labels as texts, with a dash in place of the seed of a trial that has none."""
    return [MISSING if label == "seed" and has_no_seed else text_of(values.get(label)) for label in labels]


def _largest(frames: RunFrames) -> pd.DataFrame:
    """Return the finished trials with mutants of each subject, generator and suite at its largest such scope.

    Trials under other conditions, such as another operator set, have a largest scope of their own.
    """
    trials = frames.trials
    runs_mutants = trials["mode"].map(lambda mode: ExecutionMode(mode).runs_mutants).astype(bool)
    trials = trials[trials["finished"] & runs_mutants]
    by_suite = trials.groupby(["subject", "generator", "suite", *CONDITIONS], dropna=False)
    return trials[trials["scope"] == by_suite["scope"].transform("max")]


def _labelled(frames: RunFrames, trials: pd.DataFrame) -> list[tuple[Mapping[Hashable, Any], tuple[str, ...]]]:
    """Return the trials by subject, generator and suite in the run's order, then by scope, each with its labels."""
    titles, labels = titles_of(frames), row_labels(frames)
    records = trials.to_dict("records")
    groups = [(trial["subject"], trial["generator"], trial["suite"]) for trial in records]
    order = {one: at for at, one in reversed(list(enumerate(groups)))}
    ordered = sorted(
        zip(groups, records, strict=True), key=lambda pair: (order[pair[0]], pair[1]["scope"], pair[1]["seed"])
    )
    seedless = without_seed(frames)
    return [
        (trial, (titles[trial["subject"]], *label_texts(labels, trial, trial["trial"] in seedless)))
        for _, trial in ordered
    ]


def _remarks(frames: RunFrames) -> list[str]:
    """Return a sentence for each suite that ended before its requested size, or that has a notice."""
    labels = of_suite(row_labels(frames))
    remarks = {
        f"{texts[0]} generator {row_name(trial, labels)}: {'; '.join(remarks)}.": None
        for trial, texts in _labelled(frames, frames.trials)
        if (remarks := remarks_of(trial))
    }
    return list(remarks)  # a suite was run in several ways


def _table(
    title: str,
    run: RunFacts,
    columns: Sequence[Column[_Source]],
    cases: Iterable[RowSource[_Source]],
    labels: tuple[str, ...],
) -> Table:
    all_labels = ("subject", *row_labels(run.frames), *labels)
    return Table.of(title, caption_of(run), all_labels, columns, cases, compares=False)


def caption_of(run: RunFacts) -> str:
    """Return the caption of a table of scores: what counts, who made and judged the suites, and the mutant sets."""
    trials = run.frames.trials
    generators = sorted(
        {f"{name} {v}" for name, v in zip(trials["generator"], trials["generator_version"], strict=True)}
    )
    ways = sorted({f"{mode} with {way} mutants" for mode, way in zip(trials["mode"], trials["approach"], strict=True)})
    ways += sorted(
        {
            f"sequences {policy}" + (", observed after every call" if seen == Observation.EVERY_CALL.value else "")
            for policy, seen in zip(trials["sequences"].dropna(), trials["observed"].dropna(), strict=True)
        }
    )
    of_pytest = " (of suites of pytest: of all functions)" if PYTEST in set(trials["generator"]) else ""
    caption = (
        f"{killed(run.policy, run.frames.oracles)} Coverage is of target and helper methods{of_pytest}. "
        f"Generator {', '.join(generators)}; {', '.join(ways)}; mutascope {', '.join(sorted(set(trials['version'])))}."
    )
    scored = scored_rows(run.frames, run.policy, run.proven)
    return " ".join([caption, *_names_of_sets(scored), *mixed_sets(scored)])


def _names_of_sets(rows: Iterable[ScoredRow]) -> list[str]:
    """Return a sentence that names the mutant sets of the subjects; none if there are no rows."""
    names = {f"{row.target} {row.operators} {len(row.killed):,} ({row.mutant_set[:SHORT]})": None for row in rows}
    return [f"Mutant sets: {', '.join(names)}."] if names else []


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


ORACLES_COLUMNS: tuple[Column[OracleCost], ...] = (
    Column("mutants", Unit.COUNT, lambda cost: cost.differential.counted),
    Column("killed [%]", Unit.PERCENT, lambda cost: cost.other.ratio, missing=NO_MUTANTS),
    Column("differential [%]", Unit.PERCENT, lambda cost: cost.differential.ratio, missing=NO_MUTANTS),
    Column("only differential", Unit.COUNT, lambda cost: sum(cost.missed.values())),
    Column("by", Unit.TEXT, lambda cost: cost.reasons or "-"),
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


RUN_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    "scopes": scopes_table,
    "operators": partial(_kills_by, "operator"),
    "functions": partial(_kills_by, "function"),
    "reasons": reasons_table,
    "generators": generators_table,
    "oracles": oracles_table,
}


def without_rows(run: RunFacts) -> set[str]:
    """Return the names of the tables that this run does not need.

    It has one oracle, or one seed at each scope, so that `scopes` has the same rows.
    """
    seeds = run.frames.trials.groupby(list(NOT_OF_SEED), dropna=False, observed=True)["seed"].nunique()
    has: dict[str, object] = {
        "generators": (seeds > 1).any(),
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
        counts = None
        if one.finished and trial.mode.runs_mutants:
            counts = count_outcomes(one.mutants, one.results, proven_mutants([one]).get(trial.subject, frozenset()))
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
