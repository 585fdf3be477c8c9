"""Table 2 (RQ2): BEAPI with state matching, builders, both and neither."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

from harness.analysis.percent import rounded
from harness.model.published import PublishedValue
from harness.papers.beapi2023.dataset import (
    CONFIGURATIONS,
    NAME,
    NO_SUBJECT,
    NOT_RUN,
    SUBJECTS,
    BeapiInputs,
    GenerationNumbers,
    subject_of,
)
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.published import PublishedRow
from harness.tables.table import Column, RowSource, Table

LABELS = ("benchmark", "class", "scope", "our subject")
OURS = "(ours)"
SLOWER_CONFIGURATIONS = tuple(name for name in CONFIGURATIONS if name != "SM/BLD")
NO_TIME = Missing("no time to be compared with")

_Generations = Mapping[str, GenerationNumbers]
"""The measured generations at one scope, by configuration."""


def _seconds(name: str, generations: _Generations) -> Measured | None:
    return generations[name].seconds if name in generations else None


def _factor(name: str, generations: _Generations) -> Measured | None:
    seconds, fastest = (generations[way].seconds if way in generations else None for way in (name, "SM/BLD"))
    return None if seconds is None or not fastest else seconds / fastest


def _explored(name: str, generations: _Generations) -> Measured | None:
    return generations[name].explored if name in generations else None


COLUMNS: tuple[Column[_Generations], ...] = (
    *(
        Column(f"{name} [s]", Unit.SECONDS, partial(_seconds, name), column, NOT_RUN)
        for name, (_, column) in CONFIGURATIONS.items()
    ),
    *(
        Column(f"{name} : SM/BLD", Unit.FACTOR, partial(_factor, name), f"{name} factor", NO_TIME)
        for name in SLOWER_CONFIGURATIONS
    ),
    *(Column(f"{name} explored", Unit.COUNT, partial(_explored, name), missing=NOT_RUN) for name in CONFIGURATIONS),
)


def table2(dataset: BeapiInputs) -> Table:
    """Return every printed row, then every other scope at which another configuration than SM/BLD was run.

    The rows have ratios next to seconds, since the seconds are of different machines. They also have the numbers of
    executed sequences, which do not depend on machines.
    """
    return Table.of("Table 2: BEAPI's optimizations", _caption(dataset), LABELS, COLUMNS, _cases(dataset))


def _cases(dataset: BeapiInputs) -> Iterator[RowSource[_Generations]]:
    printed = set()
    for row in dataset.printed("table2", keys=3).rows:
        benchmark, name, scope = row.key
        subject = subject_of(benchmark, name) or ""
        generations = configurations(dataset, subject, int(scope))
        yield RowSource(
            (*row.key, subject), generations or None, _with_factors(row), NOT_RUN if subject else NO_SUBJECT
        )
        printed.add((subject, int(scope)))
    for subject in dict.fromkeys(SUBJECTS.values()):
        for at in dataset.scopes(subject, *(CONFIGURATIONS[name][0] for name in SLOWER_CONFIGURATIONS)):
            if (subject, at) not in printed:
                yield RowSource((OURS, subject, str(at), subject), configurations(dataset, subject, at))


def configurations(dataset: BeapiInputs, subject: str, scope: int) -> dict[str, GenerationNumbers]:
    """Return the measured generation of each configuration that was run."""
    return {
        name: generation
        for name, (generator, _) in CONFIGURATIONS.items()
        if (generation := dataset.configurations.get((subject, generator, scope))) is not None
    }


def _with_factors(row: PublishedRow) -> dict[str, PublishedValue]:
    """Return the printed seconds of a row, and the ratios of those of other configurations to those of SM/BLD."""
    printed = dict(row)
    fastest = row.exact(CONFIGURATIONS["SM/BLD"][1])
    for name in SLOWER_CONFIGURATIONS:
        seconds = row.exact(CONFIGURATIONS[name][1])
        if fastest and seconds is not None:
            factor = f"{rounded(Fraction(seconds) / Fraction(fastest)):f}"
            printed[f"{name} factor"] = PublishedValue(NAME, "table2", " ".join(row.key), f"{name} factor", factor)
    return printed


def _caption(dataset: BeapiInputs) -> str:
    generators = ", ".join(f"{name} is {generator}" for name, (generator, _) in CONFIGURATIONS.items())
    return (
        f"SM: with state matching; BLD: with builders alone, pinned in the specs ({generators}). Explored are the "
        "sequences that were executed; without state matching they end by their length, scope + 1 calls where the spec "
        "says nothing. The factors are of seconds, those of the paper computed from its printed "
        f"seconds. Seconds are of this machine ({dataset.frames.machine}), {dataset.clocked}, and without the search "
        "for builders, as the paper's are. A blank printed cell timed out after 60 minutes. A measured cell "
        "without a number was not run: without state matching the sequences multiply, so that most scopes do not end."
    )
