"""Tables of a run's score under other tools' rules, and of the outcomes that those rules tell apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.analysis.captions import named
from harness.analysis.measures import row_labels
from harness.analysis.tool_policies import TOOL_POLICIES, Outcome, OutcomeCounts, count_outcomes
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName
from harness.report.pages.sections import proven_mutants
from harness.report.pages.trials import ReportedTrial, reported_trials
from harness.runs.run_tables import NO_RUN, RunFacts, shown_titles
from harness.store import RunStore
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.missing import NO_MUTANTS, NOT_FINISHED, ratio_or
from harness.tables.table import Heading, Row, Table

_APART = {"not finished": Outcome.UNFINISHED, "skipped": Outcome.SKIPPED}
"""Columns of kills that plain pytest may not notice."""


def policies_table(run: RunFacts) -> Table:
    """Show the score under each tool's rule by subject, suite, operator set and seed, at the largest finished scope.

    Raises:
        StoreError: the run is a frozen one, which does not keep what these rules count.
    """
    columns = [
        *(_column(name, Unit.COUNT) for name in ("mutants", *_APART)),
        *(_column(f"{policy.tool} [%]", Unit.PERCENT) for policy in TOOL_POLICIES),
    ]

    def cells(counts: OutcomeCounts) -> Sequence[Measured]:
        apart = (counts.all[outcome] for outcome in _APART.values())
        scores = (ratio_or(policy.score(counts), NO_MUTANTS) for policy in TOOL_POLICIES)
        return [sum(counts.all.values()), *apart, *scores]

    caption = (
        "The same facts under the rules of other tools; mutants are all that were made, those included that are not "
        "run. Of these, 'not finished' are the mutants that did not finish within 10 times the steps of the original, "
        "which plain pytest may let pass, and 'skipped' those on which tests are skipped. What each rule counts: "
        "docs/policies.md; the counts: --table outcomes."
    )
    return _table("By policy", caption, run, columns, cells)


def outcomes_table(run: RunFacts) -> Table:
    """Count what the rules tell apart by subject, suite, operator set and seed, at the largest finished scope.

    Raises:
        StoreError: as `policies_table`.
    """
    columns = [_column("mutants", Unit.COUNT), *(_column(outcome.value, Unit.COUNT) for outcome in Outcome)]

    def cells(counts: OutcomeCounts) -> Sequence[Measured]:
        return [sum(counts.all.values()), *(counts.all[outcome] for outcome in Outcome)]

    return _table("By outcome", "A mutant that equals an earlier one has its outcome.", run, columns, cells)


POLICY_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    "policies": policies_table,
    "outcomes": outcomes_table,
}
"""Made only if asked for by name."""


def _table(
    title: str,
    caption: str,
    run: RunFacts,
    columns: Sequence[Heading],
    cells: Callable[[OutcomeCounts], Sequence[Measured]],
) -> Table:
    titles = shown_titles(run.frames.trials)
    names = row_labels(run.frames)
    at = names.index("scope")
    labels = ("subject", *names[:at], "operators", *names[at:])
    rows = []
    for one in _trials(run):
        trial = one.trial
        shown = vars(trial) | {"subject": titles[trial.subject], "operators": trial.operator_set}
        found: Sequence[Measured] = [NO_RUN if trial.mode is ExecutionMode.GENERATE else NOT_FINISHED] * len(columns)
        if one.finished and trial.mode is not ExecutionMode.GENERATE:
            found = cells(_counts(one))
        rows.append(Row(tuple(str(shown[label]) for label in labels), tuple(Comparison(value) for value in found)))
    judged = f"{caption} Judged by {named(run.frames.oracles)}."
    return Table(title, judged, labels, tuple(columns), tuple(rows), compares=False)


def _trials(run: RunFacts) -> list[ReportedTrial]:
    if run.folder is None:
        raise StoreError(
            "a frozen run does not keep the mutants that were not run, which other tools count; run the experiment, "
            "and give its folder"
        )
    (oracle,) = run.frames.trials["oracle"].unique()
    with RunStore.open_existing(run.folder) as store:
        return reported_trials(store, oracle=OracleName(oracle))


def _counts(one: ReportedTrial) -> OutcomeCounts:
    return count_outcomes(one.mutants, one.results, proven_mutants([one]).get(one.trial.subject, frozenset()))


def _column(name: str, unit: Unit) -> Heading:
    return Heading(name, unit)
