"""Tabulates runs with several oracles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.analysis.measures import titles_of
from harness.analysis.oracle_comparison import OracleCost, oracle_costs
from harness.analysis.score_caption import killed
from harness.errors import StoreError
from harness.runs.generators_table import generators_table, has_several_seeds
from harness.runs.run_tables import RUN_TABLES, RunFacts
from harness.tables.cell import Unit
from harness.tables.missing import NO_MUTANTS
from harness.tables.table import Column, RowSource, Table

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
