"""Table 1 (RQ1): Korat and BEAPI by benchmark, class and scope: seconds, structures generated, candidates explored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.model.published import PublishedValue
from harness.papers.beapi2023.dataset import (
    BEAPI,
    KORAT,
    NOT_RUN,
    SUBJECTS,
    WITH_SUITES,
    BeapiInputs,
    GenerationNumbers,
    subject_of,
)
from harness.papers.beapi2023.remarks import remark
from harness.tables.cell import Measured, Unit
from harness.tables.table import Column, RowSource, Table


@dataclass(frozen=True)
class StructureCounts:
    """The structures that Korat and BEAPI generated at one scope, and the remark on them."""

    korat: GenerationNumbers | None
    beapi: GenerationNumbers | None
    remark: str


def _column(heading: str, unit: Unit, way: str, measure: str) -> Column[StructureCounts]:
    def measured(row: StructureCounts) -> Measured | None:
        generation = row.korat if way == KORAT else row.beapi
        return None if generation is None else getattr(generation, measure)

    return Column(heading, unit, measured, f"{way}_{measure}", NOT_RUN)


COLUMNS = (
    _column("Korat [s]", Unit.SECONDS, KORAT, "seconds"),
    _column("BEAPI [s]", Unit.SECONDS, BEAPI, "seconds"),
    _column("Korat generated", Unit.COUNT, KORAT, "generated"),
    _column("BEAPI generated", Unit.COUNT, BEAPI, "generated"),
    _column("Korat explored", Unit.COUNT, KORAT, "explored"),
    _column("BEAPI explored", Unit.COUNT, BEAPI, "explored"),
    Column[StructureCounts]("remark", Unit.TEXT, lambda row: row.remark),
)
LABELS = ("benchmark", "class", "scope", "printed repOK", "our subject")
OURS = "(ours)"
"""The benchmark of rows at scopes that the paper does not print."""


def table1(dataset: BeapiInputs) -> Table:
    """Return every printed row, then every other scope run for a subject that represents a class of the paper."""
    return Table.of("Table 1: Korat and BEAPI", _caption(dataset), LABELS, COLUMNS, _cases(dataset))


def _cases(dataset: BeapiInputs) -> Iterator[RowSource[StructureCounts]]:
    printed = set()
    for row in dataset.printed("table1", keys=3).rows:
        benchmark, name, scope = row.key
        subject = subject_of(benchmark, name) or ""
        is_flawed = "flawed_repok" in row
        labels = (*row.key, "flawed" if is_flawed else "", subject)
        yield RowSource(labels, _compared(dataset, subject, int(scope), row, is_flawed), row, NOT_RUN)
        printed.add((subject, int(scope)))
    for subject in dict.fromkeys(SUBJECTS.values()):
        for at in dataset.scopes(subject, KORAT, BEAPI):
            if (subject, at) not in printed:
                yield RowSource(
                    (OURS, subject, str(at), "", subject), _compared(dataset, subject, at, {}, is_flawed=False)
                )


def _compared(
    dataset: BeapiInputs, subject: str, scope: int, printed: Mapping[str, PublishedValue], is_flawed: bool
) -> StructureCounts | None:
    korat, beapi = (dataset.generations.get((subject, way, scope)) for way in (KORAT, BEAPI))
    if korat is None and beapi is None:
        return None
    return StructureCounts(korat, beapi, remark(subject, korat, beapi, printed, is_flawed))


def _caption(dataset: BeapiInputs) -> str:
    return (
        "Generated are structures, the same in another numbering once; explored are executions of rep_ok (Korat) or of "
        "sequences of calls (BEAPI). A flawed printed repOK is one that the paper greys: its Korat's numbers are those "
        "of a flawed invariant, while our Korat's are always of our subject's own, sound invariant. Printed rows "
        "without measured values were not run. TO: more than 60 minutes. One of our subjects stands for every class "
        f"with the same structures; rows of {OURS} are at scopes that the paper does not print. Seconds are of this "
        f"machine ({dataset.frames.machine}), those of Korat and of BEAPI {WITH_SUITES}, Korat's search compiled where "
        "it is long; the paper's are of Java on a 3.2 GHz Core i7-8700. Korat's 2739128 structures for Roops NCL "
        "7 look like a misprint."
    )
