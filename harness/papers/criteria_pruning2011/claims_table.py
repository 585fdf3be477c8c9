"""What the paper concludes, by case study: what the measured and the printed numbers say, by the same rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from harness.analysis.mutant_mixes import OF_2005
from harness.analysis.percent import rounded
from harness.measured.sampling import Sign, Versus
from harness.measuring.input_classes import EQ_CLASS
from harness.papers.criteria_compared import RANDOM, ScoredSuite, scored_suites
from harness.papers.criteria_pruning2011.claims import (
    CLAIMED,
    RULES,
    Live,
    a_tenth,
    automatic,
    closer,
    in_between,
    pruning,
)
from harness.papers.criteria_pruning2011.given import KORAT, KORAT_PLUS, NAME, SUBJECTS, CriteriaInputs
from harness.papers.criteria_pruning2011.live import WAYS
from harness.papers.findings import FINDING_COLUMNS, Finding, Outcome, finding_cells
from harness.papers.tables import ComparisonTable, Row


def claims(given: CriteriaInputs) -> ComparisonTable:
    """Per claim and case study: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the numbers behind it."""
    rows = [*_of_paper(given), *_of_ours(given)]
    caption = "Published: the same rules on the printed numbers. Rules: " + "; ".join(
        f"{claim}: {rule}" for claim, rule in RULES.items()
    )
    caption += f". {CLAIMED} Live mutants are those of the paper's operators. {given.counted}"
    return ComparisonTable("What the paper concludes", caption, ("claim", "case study"), FINDING_COLUMNS, tuple(rows))


def _of_paper(given: CriteriaInputs) -> Iterator[Row]:
    explored, live = _printed_explored(given), _printed_live(given)
    for title, found in explored.items():
        yield _row("pruning", title, pruning(_explored(given, title)), pruning(found))
    rules: dict[str, Callable[[Mapping[int, Live]], Finding]] = {"in between": in_between, "closer": closer}
    for claim, rule in rules.items():
        for title, printed in live.items():
            yield _row(claim, title, rule(_live(given, title)), rule(printed))


def _of_ours(given: CriteriaInputs) -> Iterator[Row]:
    for title in SUBJECTS:
        yield _row("a tenth of the seconds", title, a_tenth(given.searches(title)), None)
    suites = [suite for suite in scored_suites(given.frames, OF_2005) if suite.generator == KORAT]
    for suite in suites:
        yield _row("automatic", suite.title, _automatic(suite), None)
    for suite in suites:
        yield _row("better than random", suite.title, _beside_random(suite, EQ_CLASS), None)
    for suite in suites:
        yield _row("Korat+ better than random", suite.title, _beside_random(suite, KORAT_PLUS), None)


def _automatic(suite: ScoredSuite) -> Finding:
    first = suite.first(EQ_CLASS)
    if first is None:
        return Finding(Outcome.OPEN, "no criterion is written")
    size = int(first["size"])
    alone = [name for name in suite.criteria() if name == EQ_CLASS or EQ_CLASS not in name]
    means = {name: mean for name in alone if (mean := suite.mean(name, size)) is not None}
    return automatic(suite.scope, size, means, EQ_CLASS, suite.mean(RANDOM, size) or Fraction(0))


def _beside_random(suite: ScoredSuite, criterion: str) -> Finding:
    first = suite.first(criterion)
    if first is None:
        return Finding(Outcome.OPEN, "no criterion is written")
    versus = Versus(*(int(first[name]) for name in ("worse", "equal", "better")))
    outcome = {Sign.WORSE: Outcome.HOLDS, Sign.BETTER: Outcome.FAILS, Sign.EQUAL: Outcome.OPEN}[versus.sign]
    mean = Fraction(int(first["random"]), int(first["seeds"]))
    told = f"scope {suite.scope}: {first['size']} inputs kill {first['kills']}, "
    told += f"random ones {rounded(mean)} (worse/equal/better: {versus})"
    return Finding(outcome, told)


def _row(claim: str, title: str, measured: Finding, printed: Finding | None) -> Row:
    return Row((claim, title), finding_cells(NAME, claim, title, measured, printed))


def _explored(given: CriteriaInputs, title: str) -> dict[str, tuple[int, int]]:
    found = {}
    for scope in given.scopes_of(title):
        korat, plus = (given.trial(title, generator, scope) for generator in (KORAT, KORAT_PLUS))
        if korat is not None and plus is not None:
            found[str(scope)] = int(korat["explored"]), int(plus["explored"])
    return found


def _live(given: CriteriaInputs, title: str) -> dict[int, Live]:
    found = {}
    for scope in given.scopes_of(title):
        counts = [given.live(title, scope, generator, OF_2005) for generator in WAYS]
        known = [count for count in counts if count is not None]
        if len(known) == len(counts):
            found[scope] = Live(*known)
    return found


def _printed_explored(given: CriteriaInputs) -> dict[str, dict[str, tuple[int, int]]]:
    """By case study and our scope."""
    table = given.printed("case_studies", 2)
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for row in table.rows:
        title, _, printed_scope = row.partition(" ")
        of_title = found.setdefault(title, {})
        cells = [table.get((row, name)) for name in ("korat_explored", "koratplus_explored")]
        values = [cell.value for cell in cells if cell is not None and cell.value is not None]
        if len(values) == 2:
            of_title[str(given.scopes[title, printed_scope])] = int(values[0]), int(values[1])
    return found


def _printed_live(given: CriteriaInputs) -> dict[str, dict[int, Live]]:
    table = given.printed("live_mutants", 3)
    found: dict[str, dict[int, Live]] = {}
    for row in table.rows:
        title, _, printed_scope = row.split(" ")
        counts = [int(table[row, column].printed) for _, column in WAYS.values()]
        found.setdefault(title, {})[given.scopes[title, printed_scope]] = Live(*counts)
    return found
