"""Decides the paper's conclusions by rules from numbers to findings, the same for measured and printed numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from harness.analysis.percent import rounded
from harness.papers.beapi2023.run import (
    BEAPI,
    CONFIGURATIONS,
    KORAT,
    WITH_SUITES,
    BeapiInputs,
    GenerationNumbers,
    printed_generation,
    subject_of,
)
from harness.papers.beapi2023.tables import configurations, flaw_findings
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, rules_of
from harness.tables.published import PublishedTable
from harness.tables.table import Missing, RowSource, Table

Pair = tuple[GenerationNumbers | None, GenerationNumbers | None]
"""Two generations at one scope, as Korat's and BEAPI's; None where one is not known, or timed out."""

TIMED_OUT = GenerationNumbers(None, None, None)
"""A run of the paper that did not end, where that is a result."""

LIMIT = 3600.0
"""Seconds after which a run of the paper timed out (section 4)."""

TOO_SHORT = 1.0
"""Seconds; where two generations both took less, what is between them may be noise."""

MEASURES = (
    "RQ2 compares explored sequences, which no machine changes, and tells seconds beside; the printed numbers of Table "
    "2 are seconds only, so that of them the same rules compare seconds. NOT DECIDABLE are equal numbers of sequences, "
    "fewer sequences that found fewer structures as well, and seconds that are both "
    f"below {TOO_SHORT:g}. Without state matching sequences end by their length here (scope + 1 calls where the spec "
    "says nothing), so that builders alone may explore fewer than state matching alone"
)
"""A text on the numbers that the rules compare, and on cases that they do not decide."""

MANY_METHODS = {
    ("Real World", "NCL"): 20,
    ("Real World", "TSet"): 22,
    ("Real World", "TMap"): 32,
    ("Real World", "LList"): 21,
    ("Real World", "HMap"): 29,
}
"""The classes of Table 2 with many methods, by section 4.2."""
FEW_METHODS = (("ROOPS", "BinTree"), ("ROOPS", "FibHeap"), ("ROOPS", "BinHeap"))
"""The classes with "just a few methods", by section 4.2, which says nothing about the other four."""

CLAIMED = (
    "The paper claims the same structures but for red-black trees, Fibonacci heaps and flawed invariants; that BEAPI "
    "is faster in 2 of 6 cases of the Korat benchmark, 3 of 4 of Fajita's, 5 of 7 of Roops' and 1 of 7 of Kiasan's; "
    "that state matching is the most impactful optimization; that builders matter where there are many methods; and "
    "that all the flaws were found."
)


Optimized = Mapping[str, GenerationNumbers]
"""The numbers at one scope by configuration, as far as they are known. Printed ones have seconds only."""


def structures(pairs: Mapping[int, Pair]) -> Finding:
    """Decide whether both generate as many structures for the same case study and scope (section 4.1)."""
    both = sorted(scopes_of_both(pairs).items())
    counts_of = {scope: (korat.generated, beapi.generated) for scope, (korat, beapi) in both}
    if not counts_of:
        return Finding(ClaimVerdict.OPEN, "no scope at which both came to their end")
    different = [scope for scope, (korat, beapi) in counts_of.items() if korat != beapi]
    least, scope = min(counts_of), max(different or counts_of)
    korat, beapi = counts_of[scope]
    if different:
        return Finding(ClaimVerdict.FAILS, f"scope {scope}: Korat {korat}, BEAPI {beapi} structures")
    scopes = f"scope {scope}" if least == scope else f"scopes {least} to {scope}"
    return Finding(ClaimVerdict.HOLDS, f"{scopes}: as many structures, {korat} at scope {scope}")


def seconds(pairs: Mapping[int, Pair]) -> Finding:
    """Decide whether BEAPI is faster than Korat (section 4.1)."""
    seconds_of = {
        scope: (korat.seconds, beapi.seconds)
        for scope, (korat, beapi) in scopes_of_both(pairs).items()
        if korat.seconds is not None and beapi.seconds is not None
    }
    if not seconds_of:
        return Finding(ClaimVerdict.OPEN, "no scope at which both came to their end")
    scope = max(seconds_of)
    of_korat, of_beapi = seconds_of[scope]
    text = f"scope {scope}: Korat {rounded(Fraction(of_korat))} s, BEAPI {rounded(Fraction(of_beapi))} s"
    return Finding(_faster(of_beapi, of_korat), text)


def state_matching(by_scope: Mapping[int, Optimized], gave_up: bool) -> Finding:
    """Decide whether state matching is the most impactful optimization (section 4.2).

    Args:
        gave_up: whether what is not known of a scope timed out, as in the paper; else it was not run.
    """
    absent = TIMED_OUT if gave_up else None
    pairs = {
        scope: (at.get("SM", absent), at.get("BLD", absent))
        for scope, at in by_scope.items()
        if "SM" in at or "BLD" in at
    }
    return _cheaper(("SM", "BLD"), pairs)


def builders(by_scope: Mapping[int, Optimized]) -> Finding:
    """Decide whether builders make generation cheaper (section 4.2)."""
    return _cheaper(("SM/BLD", "SM"), _with_and_without_builders(by_scope))


def saved_by_builders(by_scope: Mapping[int, Optimized]) -> Fraction | None:
    """Return how many times as many sequences SM explores as SM/BLD, at the largest scope at which both are known.

    If sequences are not known, return the ratio of seconds; None if both took less than `TOO_SHORT`.
    """
    pairs = scopes_of_both(_with_and_without_builders(by_scope))
    if not pairs:
        return None
    both, matching = pairs[max(pairs)]
    if both.explored and matching.explored:
        return Fraction(matching.explored, both.explored)
    if not both.seconds or not matching.seconds or max(both.seconds, matching.seconds) < TOO_SHORT:
        return None
    return Fraction(matching.seconds) / Fraction(both.seconds)


def _with_and_without_builders(by_scope: Mapping[int, Optimized]) -> dict[int, Pair]:
    return {scope: (at.get("SM/BLD"), at.get("SM")) for scope, at in by_scope.items()}


def methods(factors: Mapping[tuple[str, str], Fraction | None]) -> Finding:
    """Decide whether builders are much more relevant for classes with many methods (section 4.2).

    Args:
        factors: the results of `saved_by_builders`, by benchmark and class.
    """
    many = [factor for title in MANY_METHODS if (factor := factors.get(title)) is not None]
    few = [factor for title in FEW_METHODS if (factor := factors.get(title)) is not None]
    text = "no class with many methods was run"
    if many:
        text = f"{rounded(min(many))} times and more with 20 to 32 methods"
    text += f", {rounded(max(few))} times at most with a few" if few else ", none with a few"
    if not many or not few:
        return Finding(ClaimVerdict.OPEN, text)
    return Finding.of(min(many) > max(few), text)


def _cheaper(names: tuple[str, str], by_scope: Mapping[int, Pair]) -> Finding:
    """Decide whether the first one explores fewer sequences, or takes fewer seconds if sequences are not known."""
    pairs = scopes_of_both(by_scope)
    if not pairs:
        return Finding(ClaimVerdict.OPEN, "no scope at which both were run")
    scope = max(pairs)
    one, other = pairs[scope]
    text = f"scope {scope}: {names[0]} {_generation_text(one)}, {names[1]} {_generation_text(other)}"
    if one.explored is None or other.explored is None:
        return Finding(_faster(_seconds(one), _seconds(other)), text)
    fewer, more = sorted((one, other), key=lambda found: found.explored or 0)
    found_less = fewer.generated is not None and more.generated is not None and fewer.generated < more.generated
    if one.explored == other.explored or found_less:
        return Finding(ClaimVerdict.OPEN, text)
    return Finding.of(one.explored < other.explored, text)


def scopes_of_both(by_scope: Mapping[int, Pair]) -> dict[int, tuple[GenerationNumbers, GenerationNumbers]]:
    return {scope: (one, other) for scope, (one, other) in by_scope.items() if one is not None and other is not None}


def _faster(one: Fraction | float, other: Fraction | float) -> ClaimVerdict:
    """Decide whether `one` is less than `other`, in seconds; this is open if both are short."""
    if max(one, other) < TOO_SHORT:
        return ClaimVerdict.OPEN
    return ClaimVerdict.HOLDS if one < other else ClaimVerdict.FAILS


def _seconds(generation: GenerationNumbers) -> Fraction | float:
    return LIMIT if generation.seconds is None else generation.seconds


def _generation_text(generation: GenerationNumbers) -> str:
    seconds = "" if generation.seconds is None else f"{rounded(Fraction(generation.seconds))} s"
    if generation.explored is None:
        return seconds or "timed out"
    structures = "" if generation.generated is None else f" for {generation.generated} structures"
    return f"{generation.explored} sequences{structures}" + (f" ({seconds})" if seconds else "")


OF_PAIRS: tuple[Claim[Mapping[int, Pair]], ...] = (
    Claim(
        "RQ1 structures",
        "HOLDS if Korat and BEAPI generate as many structures at every scope at which both came to their end; DOES NOT "
        "HOLD if they differ at one",
        structures,
    ),
    Claim(
        "RQ1 seconds",
        "HOLDS if at the largest scope at which both came to their end BEAPI took fewer seconds than Korat, suites "
        "written; DOES NOT HOLD otherwise",
        seconds,
    ),
)
OF_CONFIGURATIONS: tuple[Claim[tuple[Mapping[int, Optimized], bool]], ...] = (
    Claim(
        "RQ2 state matching",
        "HOLDS if at the largest scope at which both were run state matching alone explores fewer sequences (in print: "
        "takes fewer seconds) than builders alone; DOES NOT HOLD if it explores more; of printed numbers, at the "
        "largest scope at which one of the two ended, as the other timed out",
        lambda known: state_matching(*known),
    ),
    Claim(
        "RQ2 builders",
        "HOLDS if at the largest scope at which both are known builders and state matching together explore fewer "
        "sequences (in print: take fewer seconds) than state matching alone; DOES NOT HOLD if they explore more",
        lambda known: builders(known[0]),
    ),
)
OF_METHODS = Claim(
    "RQ2 methods",
    "HOLDS if builders save more (sequences of SM by those of SM/BLD, at the largest scope at which both are "
    "known) in each class that the paper tells to have 20 methods and more than in each that it tells to have "
    "just a few; DOES NOT HOLD otherwise",
    methods,
)
OF_FLAWS = Claim(
    "RQ3 flaws",
    "HOLDS if the flaw is found and classified as printed; DOES NOT HOLD otherwise",
    lambda finding: finding,
)
"""Decided where the flaws are compared with the API."""
CLAIMS: tuple[Claim[Any], ...] = (*OF_PAIRS, *OF_CONFIGURATIONS, OF_METHODS, OF_FLAWS)
"""All of them, in the order of the table."""


NOTHING_RUN = Missing("nothing was run of a subject that stands for it")

_Class = tuple[str, str]
"""The names of a benchmark and of a class of it."""


def claims(dataset: BeapiInputs) -> Table:
    """Return a row per claim and class: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    cases = [*_cases(dataset)]
    decided = {case.labels[0] for case in cases}
    rules = rules_of(claim for claim in CLAIMS if claim.name in decided)
    caption = (
        f"Published: the same rules on the printed numbers. {MEASURES}. Rules: {rules}. {CLAIMED} Seconds are of a "
        "compiled search (Korat) and of calls in Python (BEAPI) here, of Java "
        f"in the paper; in RQ1 {WITH_SUITES}, in RQ2 {dataset.clocked}."
    )
    labels = ("claim", "benchmark", "class", "our subject")
    return Table.of("What the paper concludes (section 4)", caption, labels, COLUMNS, cases)


def _cases(dataset: BeapiInputs) -> Iterator[RowSource[Finding]]:
    pairs = _printed_pairs(dataset.printed("table1", keys=3))
    for of_pairs in OF_PAIRS:
        for title, printed in pairs.items():
            subject = _subject_run(dataset, title)
            measured = (
                {at: _pair(dataset, subject, at) for at in dataset.scopes(subject, KORAT, BEAPI)} if subject else None
            )
            yield of_pairs.case(_labels(title), measured, printed, NOTHING_RUN)
    optimized = _printed_configurations(dataset.printed("table2", keys=3))
    for claim in OF_CONFIGURATIONS:
        for title, by_scope in optimized.items():
            subject = _subject_run(dataset, title)
            of_run = (_by_scope(dataset, subject), False) if subject else None
            yield claim.case(_labels(title), of_run, (by_scope, True), NOTHING_RUN)
    yield _of_methods(dataset, optimized)
    for flaw, finding, cell in flaw_findings(dataset):
        as_printed = Finding(ClaimVerdict.HOLDS, f"{cell.printed}: {flaw.flaw}")
        yield OF_FLAWS.case((flaw.benchmark, flaw.class_name, flaw.subject), finding, as_printed)


def _labels(title: _Class) -> tuple[str, str, str]:
    return (*title, subject_of(*title) or "")


def _of_methods(dataset: BeapiInputs, optimized: Mapping[_Class, Mapping[int, Optimized]]) -> RowSource[Finding]:
    """Return one row on all classes with many methods, or a few."""
    printed = {title: saved_by_builders(by_scope) for title, by_scope in optimized.items()}
    measured = {
        title: saved_by_builders(_by_scope(dataset, subject)) for title in printed if (subject := subject_of(*title))
    }
    factors = measured if any(measured.values()) else None
    return OF_METHODS.case(("ROOPS, Real World", "all", ""), factors, printed, NOTHING_RUN)


def _subject_run(dataset: BeapiInputs, title: _Class) -> str | None:
    """Return the subject that stands for a class, if Korat or BEAPI was run on it."""
    subject = subject_of(*title)
    return subject if subject and dataset.scopes(subject, KORAT, BEAPI) else None


def _by_scope(dataset: BeapiInputs, subject: str) -> dict[int, Optimized]:
    ways = (generator for generator, _ in CONFIGURATIONS.values())
    return {scope: configurations(dataset, subject, scope) for scope in dataset.scopes(subject, *ways)}


def _pair(dataset: BeapiInputs, subject: str, scope: int) -> Pair:
    return dataset.generations.get((subject, KORAT, scope)), dataset.generations.get((subject, BEAPI, scope))


def _printed_pairs(table: PublishedTable) -> dict[_Class, dict[int, Pair]]:
    pairs: dict[_Class, dict[int, Pair]] = {}
    for row in table.rows:
        benchmark, name, scope = row.key
        pair = (printed_generation(row, KORAT), printed_generation(row, BEAPI))
        pairs.setdefault((benchmark, name), {})[int(scope)] = pair
    return pairs


def _printed_configurations(table: PublishedTable) -> dict[_Class, dict[int, Optimized]]:
    by_class: dict[_Class, dict[int, Optimized]] = {}
    for row in table.rows:
        benchmark, name, scope = row.key
        generations = {
            name: GenerationNumbers(None, None, Fraction(seconds))
            for name, (_, column) in CONFIGURATIONS.items()
            if (seconds := row.exact(column)) is not None
        }
        by_class.setdefault((benchmark, name), {})[int(scope)] = generations
    return by_class
