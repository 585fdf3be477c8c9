"""Tabulates runs with several oracles, and random suites by the number of their first inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.analysis.measures import titles_of
from harness.analysis.mutant_sets import SHORT
from harness.analysis.oracle_comparison import OracleCost, oracle_costs
from harness.analysis.prefix_scores import SEEDS_AS_PRINTED, SHARED_FIELDS, OverSeeds, beginnings, over_seeds
from harness.analysis.score_caption import killed
from harness.analysis.titles import varies
from harness.errors import StoreError
from harness.runs.generators_table import generators_table, has_several_seeds
from harness.runs.run_tables import RUN_TABLES, RunFacts
from harness.tables.cell import Missing, Unit
from harness.tables.missing import NO_MUTANTS
from harness.tables.table import Column, RowSource, Table

SIZES = (1_000, 5_000, 10_000, 50_000, 100_000, 300_000, 700_000, 1_000_000)
"""Numbers of random tests that Table 3 of field_exhaustive2016 prints."""

FEW = Missing("fewer than six seeds, of which no interval is told")


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
BEGINNINGS_COLUMNS: tuple[Column[OverSeeds], ...] = (
    Column("seeds", Unit.COUNT, lambda point: len(point.ratios)),
    Column(f"killed [%], maximum of {SEEDS_AS_PRINTED}", Unit.PERCENT, lambda point: point.maximum),
    Column("killed [%], mean", Unit.PERCENT, lambda point: point.mean),
    Column("killed [%], median", Unit.PERCENT, lambda point: point.spread.median),
    Column("killed [%], from", Unit.PERCENT, lambda point: point.spread.low, missing=FEW),
    Column("killed [%], to", Unit.PERCENT, lambda point: point.spread.high, missing=FEW),
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


def beginnings_table(run: RunFacts) -> Table:
    """Tabulate the mutants killed over the seeds, by subject, scope, oracle and number of random tests.

    Seeds with other options, under other conditions or on other mutants have rows of their own.

    Raises:
        StoreError: there is no random suite of so many inputs.
    """
    titles = titles_of(run.judged)
    points = over_seeds(beginnings(run.judged, SIZES, run.policy, run.proven))
    value_rows = [
        {"subject": point.subject, **dict(zip(SHARED_FIELDS, point.shared_values, strict=True))} for point in points
    ]
    varied_fields = [name for name in SHARED_FIELDS if varies(name, value_rows, ("subject",))]
    cases = [
        RowSource(
            (
                titles[point.subject],
                *(
                    texts[name][:SHORT] if name in ("mutant_set", "source_hash") else texts[name]
                    for name in varied_fields
                ),
                *(str(point.scope), point.oracle, str(point.size)),
            ),
            point,
        )
        for point, texts in zip(points, value_rows, strict=True)
    ]
    if not cases:
        raise StoreError(
            f"the table beginnings needs a finished trial of the generator random with {SIZES[0]:,} inputs or more; "
            f"say random:{SIZES[0]} in the experiment, or --generator random:{SIZES[0]}"
        )
    labels = ("subject", *varied_fields, "scope", "oracle", "tests")
    caption = (
        f"{killed(run.policy, run.judged.oracles)} Killed by the first tests of each seed's suite; the maximum is over "
        f"the first {SEEDS_AS_PRINTED} seeds, the median of all seeds there could be lies from and to these numbers at "
        "95 %."
    )
    return Table.of("By number of random tests", caption, labels, BEGINNINGS_COLUMNS, cases, compares=False)


ALL_RUN_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    **RUN_TABLES,
    "generators": generators_table,
    "oracles": oracles_table,
    "beginnings": beginnings_table,
}


def without_rows(run: RunFacts) -> set[str]:
    """Return the names of the tables that this run does not need.

    It has one oracle, one seed at each scope (so that `scopes` has the same rows), or no random suite of that size.
    """
    has: dict[str, object] = {
        "generators": has_several_seeds(run.frames),
        "oracles": oracle_costs(run.judged, run.policy, run.proven),
        "beginnings": beginnings(run.judged, SIZES[:1], run.policy, run.proven),
    }
    return {name for name, rows in has.items() if not rows}
