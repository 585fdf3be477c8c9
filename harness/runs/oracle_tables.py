"""Tables of runs with several oracles, and of random suites by the number of their first inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from harness.analysis.beginnings import SEEDS_AS_PRINTED, beginnings, over_seeds
from harness.analysis.captions import killed
from harness.analysis.oracle_costs import oracle_costs
from harness.runs.run_tables import RUN_TABLES, RunFacts, shown_titles
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS, ratio_or
from harness.tables.table import Heading, Row, Table

SIZES = (1_000, 5_000, 10_000, 50_000, 100_000, 300_000, 700_000, 1_000_000)
"""Numbers of random tests that Table 3 of field_exhaustive2016 prints."""

FEW = Missing("fewer than six seeds, of which no interval is told")


def oracles_table(run: RunFacts) -> Table:
    """By subject, generator, scope, seed and oracle: its score and that of the differential oracle, which kills more.

    What only the differential oracle kills is told by its reason.
    """
    titles = shown_titles(run.judged.trials)
    rows = [
        _row(
            (
                titles[cost.trial["subject"]],
                *(str(cost.trial[name]) for name in ("generator", "scope", "seed")),
                cost.oracle.value,
            ),
            (
                cost.differential.counted,
                ratio_or(cost.other.ratio, NO_MUTANTS),
                ratio_or(cost.differential.ratio, NO_MUTANTS),
                sum(cost.missed.values()),
                ", ".join(f"{reason} {count}" for reason, count in sorted(cost.missed.items())) or "-",
                cost.only_other,
            ),
        )
        for cost in oracle_costs(run.judged, run.policy, run.proven)
    ]
    columns = (
        _column("mutants", Unit.COUNT),
        _column("killed [%]", Unit.PERCENT),
        _column("differential [%]", Unit.PERCENT),
        _column("only differential", Unit.COUNT),
        _column("by", Unit.TEXT),
        _column("not differential", Unit.COUNT),
    )
    labels = ("subject", "generator", "scope", "seed", "oracle")
    caption = (
        f"{killed(run.policy, run.judged.oracles)} By the oracle of the row and by the differential one, on the same "
        "inputs. Reasons are those of the differential oracle."
    )
    return Table("By oracle", caption, labels, columns, tuple(rows), compares=False)


def beginnings_table(run: RunFacts) -> Table:
    """By subject, scope, oracle and number of random tests: mutants killed over the seeds."""
    titles = shown_titles(run.judged.trials)
    rows = []
    for point in over_seeds(beginnings(run.judged, SIZES, run.policy, run.proven)):
        spread = point.spread
        bounds = (FEW, FEW) if spread.low is None or spread.high is None else (spread.low, spread.high)
        measured: tuple[Measured, ...] = (len(point.ratios), point.maximum, point.mean, spread.median, *bounds)
        rows.append(_row((titles[point.subject], str(point.scope), point.oracle, str(point.size)), measured))
    columns = (
        _column("seeds", Unit.COUNT),
        *(
            _column(f"killed [%], {what}", Unit.PERCENT)
            for what in (f"maximum of {SEEDS_AS_PRINTED}", "mean", "median", "from", "to")
        ),
    )
    labels = ("subject", "scope", "oracle", "tests")
    caption = (
        f"{killed(run.policy, run.judged.oracles)} Killed by the first tests of each seed's suite; the maximum is over "
        f"the first {SEEDS_AS_PRINTED} seeds, the median of all seeds there could be lies from and to these numbers at "
        "95 %."
    )
    return Table("By number of random tests", caption, labels, columns, tuple(rows), compares=False)


ALL_RUN_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    **RUN_TABLES,
    "oracles": oracles_table,
    "beginnings": beginnings_table,
}


def without_rows(run: RunFacts) -> set[str]:
    """Which of the tables are not of this run: it has one oracle only, or no random suite that is large enough."""
    has = {
        "oracles": oracle_costs(run.judged, run.policy, run.proven),
        "beginnings": beginnings(run.judged, SIZES[:1], run.policy, run.proven),
    }
    return {name for name, rows in has.items() if not rows}


def _column(name: str, unit: Unit) -> Heading:
    return Heading(name, unit)


def _row(labels: tuple[str, ...], measured: tuple[Measured | Fraction, ...]) -> Row:
    return Row(labels, tuple(Comparison(value) for value in measured))
