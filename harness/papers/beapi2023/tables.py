"""Tables 1 to 3: Korat and BEAPI (RQ1), BEAPI's optimizations (RQ2), flaws of invariants (RQ3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from harness.analysis.percent import rounded
from harness.difference.flaws import Flaw
from harness.difference.result import Difference
from harness.papers.beapi2023.run import (
    BEAPI,
    CONFIGURATIONS,
    KORAT,
    NO_SUBJECT,
    NOT_RUN,
    SUBJECTS,
    WITH_SUITES,
    BeapiInputs,
    GenerationNumbers,
    subject_of,
)
from harness.tables.claims import Finding
from harness.tables.published import PublishedRow, PublishedValue
from harness.tables.table import Column, Measured, Missing, RowSource, Table, Unit

FLAWED = "the printed invariant is flawed, ours is sound"
UNEXPLAINED = "the reason is not known"

API_DIFFERENCES: Mapping[str, str] = {
    "fib_heap": (
        "the paper's leaves the roots in their ring when it consolidates, ours inserts them again (docs/subjects.md)"
    ),
}
"""The reasons why a subject's API makes other structures, or takes other sequences, than the paper's."""

INVARIANT_DIFFERENCES: Mapping[str, str] = {
    "red_black_tree": "the printed numbers count red roots, which ours refuses (tree_map's invariant accepts them)",
    "fib_heap": (
        "the printed numbers count trees of any shape, while ours accepts only what calls make (docs/subjects.md)"
    ),
}
"""The reasons why a subject's rep_ok has other structures than the paper's sound one."""

KORAT_BEAPI_DIFFERENCES: Mapping[str, str] = {
    "red_black_tree": "some trees are made of larger ones only (section 4.1)",
    "fib_heap": "some heaps are made of larger ones only (section 4.1)",
    "tree_map_values": "some trees are made of larger ones only (section 4.1)",
}
"""The reasons why a subject's API and its rep_ok have different structures at one scope."""


def remark(
    subject: str,
    korat: GenerationNumbers | None,
    beapi: GenerationNumbers | None,
    printed: Mapping[str, PublishedValue],
    flawed: bool,
) -> str:
    """Return a remark on the measured counts that are as printed, those that are not, and whether Korat's equal
    BEAPI's.

    The candidates that Korat explores have no remark, since they depend on how an invariant is written.
    """
    remarks = []
    if beapi is not None and (expected := printed.get("beapi_generated")) is not None:
        explored = printed.get("beapi_explored")
        same = beapi.generated == expected.value and explored is not None and beapi.explored == explored.value
        remarks.append("BEAPI as printed" if same else f"BEAPI differs: {API_DIFFERENCES.get(subject, UNEXPLAINED)}")
    if korat is not None and (expected := printed.get("korat_generated")) is not None:
        reason = FLAWED if flawed else INVARIANT_DIFFERENCES.get(subject, UNEXPLAINED)
        same = korat.generated == expected.value
        remarks.append("Korat generates as printed" if same else f"Korat differs: {reason}")
    if korat is not None and beapi is not None and korat.generated != beapi.generated:
        remarks.append(f"Korat and BEAPI differ: {KORAT_BEAPI_DIFFERENCES.get(subject, UNEXPLAINED)}")
    return "; ".join(remarks)


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


_TABLE1 = (
    _column("Korat [s]", Unit.SECONDS, KORAT, "seconds"),
    _column("BEAPI [s]", Unit.SECONDS, BEAPI, "seconds"),
    _column("Korat generated", Unit.COUNT, KORAT, "generated"),
    _column("BEAPI generated", Unit.COUNT, BEAPI, "generated"),
    _column("Korat explored", Unit.COUNT, KORAT, "explored"),
    _column("BEAPI explored", Unit.COUNT, BEAPI, "explored"),
    Column[StructureCounts]("remark", Unit.TEXT, lambda row: row.remark),
)
_LABELS1 = ("benchmark", "class", "scope", "printed repOK", "our subject")
OURS = "(ours)"
"""The benchmark of rows at scopes that the paper does not print."""


def table1(dataset: BeapiInputs) -> Table:
    """Return every printed row, then every other scope run for a subject that represents a class of the paper."""
    caption = (
        "Generated are structures, the same in another numbering once; explored are executions of rep_ok (Korat) or of "
        "sequences of calls (BEAPI). A flawed printed repOK is one that the paper greys: its Korat's numbers are those "
        "of a flawed invariant, while our Korat's are always of our subject's own, sound invariant. Printed rows "
        "without measured values were not run. TO: more than 60 minutes. One of our subjects stands for every class "
        f"with the same structures; rows of {OURS} are at scopes that the paper does not print. Seconds are of this "
        f"machine ({dataset.frames.machine}), those of Korat and of BEAPI {WITH_SUITES}, Korat's search compiled where "
        "it is long; the paper's are of Java on a 3.2 GHz Core i7-8700. Korat's 2739128 structures for Roops NCL "
        "7 look like a misprint."
    )
    return Table.of("Table 1: Korat and BEAPI", caption, _LABELS1, _TABLE1, _rows1(dataset))


def _rows1(dataset: BeapiInputs) -> Iterator[RowSource[StructureCounts]]:
    for row, subject, scope in _printed_and_ours(dataset, "table1", KORAT, BEAPI):
        is_flawed = "flawed_repok" in row
        labels = (*row.key, "flawed" if is_flawed else "", subject)
        yield RowSource(labels, _compared(dataset, subject, scope, row, is_flawed), row, NOT_RUN)


def _printed_and_ours(dataset: BeapiInputs, table: str, *generators: str) -> Iterator[tuple[PublishedRow, str, int]]:
    """Yield every printed row, and an empty one for every other scope, each with our subject and the scope.

    Args:
        generators: those of which one was run at the other scopes.
    """
    printed = set()
    for row in dataset.printed(table, keys=3).rows:
        benchmark, name, scope = row.key
        printed.add((subject_of(benchmark, name) or "", int(scope)))
        yield row, subject_of(benchmark, name) or "", int(scope)
    for subject in dict.fromkeys(SUBJECTS.values()):
        for at in dataset.scopes(subject, *generators):
            if (subject, at) not in printed:
                yield PublishedRow((OURS, subject, str(at)), {}), subject, at


def _compared(
    dataset: BeapiInputs, subject: str, scope: int, printed: Mapping[str, PublishedValue], is_flawed: bool
) -> StructureCounts | None:
    korat, beapi = (dataset.generations.get((subject, way, scope)) for way in (KORAT, BEAPI))
    if korat is None and beapi is None:
        return None
    return StructureCounts(korat, beapi, remark(subject, korat, beapi, printed, is_flawed))


_LABELS2 = ("benchmark", "class", "scope", "our subject")
SLOWER_CONFIGURATIONS = tuple(name for name in CONFIGURATIONS if name != "SM/BLD")
NO_TIME = Missing("no time to be compared with")

_Generations = Mapping[str, GenerationNumbers]
"""The measured generations at one scope, by configuration."""


def _number(name: str, measure: str, generations: _Generations) -> Measured | None:
    return getattr(generations[name], measure) if name in generations else None


def _factor(name: str, generations: _Generations) -> Measured | None:
    seconds, fastest = (generations[way].seconds if way in generations else None for way in (name, "SM/BLD"))
    return None if seconds is None or not fastest else seconds / fastest


_TABLE2: tuple[Column[_Generations], ...] = (
    *(
        Column(f"{name} [s]", Unit.SECONDS, partial(_number, name, "seconds"), column, NOT_RUN)
        for name, (_, column) in CONFIGURATIONS.items()
    ),
    *(
        Column(f"{name} : SM/BLD", Unit.FACTOR, partial(_factor, name), f"{name} factor", NO_TIME)
        for name in SLOWER_CONFIGURATIONS
    ),
    *(
        Column(f"{name} explored", Unit.COUNT, partial(_number, name, "explored"), missing=NOT_RUN)
        for name in CONFIGURATIONS
    ),
)


def table2(dataset: BeapiInputs) -> Table:
    """Return every printed row, then every other scope at which another configuration than SM/BLD was run.

    The rows have ratios next to seconds, since the seconds are of different machines. They also have the numbers of
    executed sequences, which do not depend on machines.
    """
    generators = ", ".join(f"{name} is {generator}" for name, (generator, _) in CONFIGURATIONS.items())
    caption = (
        f"SM: with state matching; BLD: with builders alone, pinned in the specs ({generators}). Explored are the "
        "sequences that were executed; without state matching they end by their length, scope + 1 calls where the spec "
        "says nothing. The factors are of seconds, those of the paper computed from its printed "
        f"seconds. Seconds are of this machine ({dataset.frames.machine}), {dataset.clocked}, and without the search "
        "for builders, as the paper's are. A blank printed cell timed out after 60 minutes. A measured cell "
        "without a number was not run: without state matching the sequences multiply, so that most scopes do not end."
    )
    return Table.of("Table 2: BEAPI's optimizations", caption, _LABELS2, _TABLE2, _rows2(dataset))


def _rows2(dataset: BeapiInputs) -> Iterator[RowSource[_Generations]]:
    slower = (CONFIGURATIONS[name][0] for name in SLOWER_CONFIGURATIONS)
    for row, subject, scope in _printed_and_ours(dataset, "table2", *slower):
        generations = configurations(dataset, subject, scope) or None
        yield RowSource((*row.key, subject), generations, _with_factors(row), NOT_RUN if subject else NO_SUBJECT)


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
            printed[f"{name} factor"] = PublishedValue(f"{rounded(Fraction(seconds) / Fraction(fastest)):f}")
    return printed


_Flaw = tuple[Flaw, Difference]
"""A flaw, and the result of its comparison with the API."""

_TABLE3: tuple[Column[_Flaw], ...] = (
    Column("type", Unit.TEXT, lambda row: row[1].relation.value, "type"),
    Column("our subject", Unit.TEXT, lambda row: row[0].subject),
    Column("scope", Unit.COUNT, lambda row: row[0].scope),
    Column("API", Unit.COUNT, lambda row: row[1].api),
    Column("repOK", Unit.COUNT, lambda row: row[1].rep_ok),
    Column("API alone", Unit.COUNT, lambda row: row[1].api_only),
    Column("repOK alone", Unit.COUNT, lambda row: row[1].rep_ok_only),
    Column("for the scope", Unit.COUNT, lambda row: row[1].rep_ok_only - row[1].unexplained),
    Column("smallest witness", Unit.TEXT, lambda row: _witness(row[1])),
)


def table3(dataset: BeapiInputs) -> Table:
    """Return every printed flaw: how the flawed invariant relates to the API, as measured and as printed."""
    published = dataset.printed("table3", keys=3)
    caption = (
        "Each flaw is seeded in the sound invariant of our subject, and the structures that satisfy it are compared "
        "with those that the API makes, by canonical form. under: all structures of the API and more satisfy the "
        "flawed repOK; over: fewer do; error: each has what the other lacks. Structures of repOK alone that the API "
        "makes at a larger scope (for the scope) tell nothing of a flaw (section 4.3). A witness is a sequence of "
        "calls whose structure repOK refuses, or a structure that no calls make; `mutascope difference` draws them. "
        "Nothing here is of a stored run: it is measured when the table is made."
    )
    return Table.of(
        "Table 3: flaws of invariants",
        caption,
        ("benchmark", "class", "flaw"),
        _TABLE3,
        (RowSource(_labels3(row[0]), row, published.row(*_labels3(row[0]))) for row in dataset.flaws),
    )


def _labels3(flaw: Flaw) -> tuple[str, str, str]:
    return flaw.benchmark, flaw.class_name, flaw.flaw


def flaw_findings(dataset: BeapiInputs) -> Iterator[tuple[Flaw, Finding, PublishedValue]]:
    """Yield each flaw with the finding whether it is classified as printed, and with the printed type."""
    published = dataset.printed("table3", keys=3)
    for flaw, difference in dataset.flaws:
        printed = published.row(*_labels3(flaw))["type"]
        as_printed = difference.relation.value == printed.printed
        text = (
            f"{difference.relation.value}: API {difference.api}, "
            f"repOK {difference.rep_ok} structures at scope {flaw.scope}"
        )
        yield flaw, Finding.of(as_printed, text), printed


def _witness(difference: Difference) -> str:
    if difference.of_api:
        return difference.of_api[0].sequence
    if difference.of_rep_ok:
        count = difference.of_rep_ok[0].objects
        return f"of {count} object{'s' * (count != 1)} that no calls make"
    return ""
