"""Tabulates a run's score under other tools' rules, and the outcomes that those rules distinguish."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from harness.analysis.measures import row_labels, titles_of
from harness.analysis.score_caption import named
from harness.analysis.tool_policies import TOOL_POLICIES, OutcomeCounts, ToolOutcome, count_outcomes
from harness.errors import StoreError
from harness.model.outcome import OracleName
from harness.report.pages.sections import proven_mutants
from harness.report.pages.trials import ReportedTrial, chosen_trials
from harness.runs.run_tables import NO_RUN, RunFacts, label_texts, without_seed
from harness.tables.cell import Unit
from harness.tables.missing import NO_MUTANTS, NOT_FINISHED
from harness.tables.table import Column, RowSource, Table

_UNNOTICED_KILLS = {"not finished": ToolOutcome.UNFINISHED, "skipped": ToolOutcome.SKIPPED}
"""Columns of kills that plain pytest may not notice."""


def _of(outcome: ToolOutcome, counts: OutcomeCounts) -> int:
    return counts.all[outcome]


_MUTANTS = Column[OutcomeCounts]("mutants", Unit.COUNT, lambda counts: sum(counts.all.values()))
POLICIES_COLUMNS: tuple[Column[OutcomeCounts], ...] = (
    _MUTANTS,
    *(Column(name, Unit.COUNT, partial(_of, outcome)) for name, outcome in _UNNOTICED_KILLS.items()),
    *(Column(f"{policy.tool} [%]", Unit.PERCENT, policy.score, missing=NO_MUTANTS) for policy in TOOL_POLICIES),
)
OUTCOMES_COLUMNS: tuple[Column[OutcomeCounts], ...] = (
    _MUTANTS,
    *(Column(outcome.value, Unit.COUNT, partial(_of, outcome)) for outcome in ToolOutcome),
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
    return _table("By policy", caption, run, POLICIES_COLUMNS)


def outcomes_table(run: RunFacts) -> Table:
    """Count what the rules tell apart by subject, suite, operator set and seed, at the largest finished scope.

    Raises:
        StoreError: as `policies_table`.
    """
    return _table("By outcome", "A mutant that equals an earlier one has its outcome.", run, OUTCOMES_COLUMNS)


POLICY_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    "policies": policies_table,
    "outcomes": outcomes_table,
}
"""Tables that are made only when requested by name."""


def _table(title: str, caption: str, run: RunFacts, columns: Sequence[Column[OutcomeCounts]]) -> Table:
    titles = titles_of(run.frames)
    names = [name for name in row_labels(run.frames) if name != "operator_set"]
    at = names.index("scope") if "scope" in names else len(names)
    labels = ("subject", *names[:at], "operators", *names[at:])
    seedless, cases = without_seed(run.frames), []
    for one in _trials(run):
        trial = one.trial
        values = vars(trial) | {"subject": titles[trial.subject], "operators": trial.operator_set}
        counts = _counts(one) if one.finished and trial.mode.runs_mutants else None
        why = NOT_FINISHED if trial.mode.runs_mutants else NO_RUN
        texts = label_texts(labels, values, trial.key in seedless)
        cases.append(RowSource(tuple(texts), counts, missing=why))
    judged = f"{caption} Judged by {named(run.frames.oracles)}."
    return Table.of(title, judged, labels, columns, cases, compares=False)


def _trials(run: RunFacts) -> list[ReportedTrial]:
    if run.folder is None:
        raise StoreError(
            "a frozen run does not keep the mutants that were not run, which other tools count; run the experiment, "
            "and give its folder"
        )
    (oracle,) = run.frames.trials["oracle"].unique()
    return chosen_trials(run.folder, OracleName(oracle), run.chosen)


def _counts(one: ReportedTrial) -> OutcomeCounts:
    return count_outcomes(one.mutants, one.results, proven_mutants([one]).get(one.trial.subject, frozenset()))
