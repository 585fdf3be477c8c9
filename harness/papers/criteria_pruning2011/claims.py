"""Decides the paper's conclusions, and compares criteria that nobody writes, by rules from numbers to findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from harness.analysis.mutant_sets import OF_2005
from harness.analysis.percent import rounded
from harness.measured.sampling import Sign, Versus
from harness.measuring.job import EQ_CLASS
from harness.papers.criteria_pruning2011.run import KORAT, KORAT_PLUS, SUBJECTS, CriteriaInputs, SearchSeconds
from harness.papers.criteria_pruning2011.tables import WAYS
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, rules_of
from harness.tables.criteria import RANDOM, ScoredSuite, scored_suites
from harness.tables.table import RowSource, Table

CLAIMED = (
    "The paper claims that Korat+ prunes, that it is in between bounded exhaustive suites and one input per class, and "
    "that it gets closer to exhaustive ones as bounds grow (sections 4.1 and 5). Criteria that no user provides are "
    "what it calls future work."
)


@dataclass(frozen=True)
class Live:
    """Live mutants at one scope, of Korat, Korat+ and one per class."""

    korat: int
    korat_plus: int
    one_per_class: int

    def __str__(self) -> str:
        return f"{self.korat}, {self.korat_plus}, {self.one_per_class}"

    @property
    def is_strictly_between(self) -> bool:
        """Whether Korat+ leaves more alive than Korat, and fewer than one per class."""
        return self.korat < self.korat_plus < self.one_per_class


def pruning(explored: Mapping[str, tuple[int, int]]) -> Finding:
    """Compare the candidates explored by Korat and by Korat+, by scope in ascending order (section 4)."""
    if not explored:
        return Finding(ClaimVerdict.OPEN, "no scope at which both came to their end")
    no_fewer = [scope for scope, (korat, plus) in explored.items() if plus >= korat]
    scope = no_fewer[0] if no_fewer else list(explored)[-1]
    korat, plus = explored[scope]
    text = f"scope {scope}: Korat {korat}, Korat+ {plus} ({rounded(Fraction(korat, plus))} times as many)"
    return Finding.of(not no_fewer, text)


def in_between(live: Mapping[int, Live]) -> Finding:
    """Decide whether live mutants are strictly between exhaustive suites and one input per class (section 4.1)."""
    if not live:
        return Finding(ClaimVerdict.OPEN, "no scope at which all three were run")
    strictly = sum(at.is_strictly_between for at in live.values())
    like_korat = sum(at.korat_plus == at.korat for at in live.values())
    like_one = sum(at.korat_plus == at.one_per_class for at in live.values())
    text = f"of {len(live)} scopes, strictly between at {strictly}, as many as Korat at {like_korat}, "
    text += f"as many as one per class at {like_one}; Korat, Korat+, one per class leave alive at "
    text += "; ".join(f"scope {scope}: {at}" for scope, at in live.items())
    decisive = [at for at in live.values() if at.korat != at.one_per_class]
    if not decisive:
        return Finding(ClaimVerdict.OPEN, text)
    return Finding.of(all(at.is_strictly_between for at in decisive), text)


def closer(live: Mapping[int, Live]) -> Finding:
    """Decide whether Korat+ gets closer to bounded exhaustive suites as bounds grow (section 4.1)."""
    if len(live) < 2:
        return Finding(ClaimVerdict.OPEN, "no two scopes at which both were run")
    first, last = min(live), max(live)
    before, after = (live[scope].korat_plus - live[scope].korat for scope in (first, last))
    text = f"Korat+ leaves {before} more alive than Korat at scope {first}, {after} more at scope {last}"
    return Finding.of(after == 0 or after < before, text)


def a_tenth(searches: Sequence[SearchSeconds]) -> Finding:
    """Compare the processor seconds of searches with those printed, in the order of scopes."""
    if not searches:
        return Finding(ClaimVerdict.OPEN, "no processor seconds are measured")
    missed = [search for search in searches if not search.is_within_a_tenth]
    longest = max(searches, key=lambda search: search.cpu_seconds)
    text = f"{len(searches) - len(missed)} of {len(searches)} searches; the longest is {longest}"
    if missed:
        text += f"; more took {', '.join(map(str, missed))}"
    return Finding.of(not missed, text)


def automatic(scope: int, size: int, killed: Mapping[str, Fraction], written: str, random: Fraction) -> Finding:
    """Compare automatic criteria with the written one, with as many inputs each.

    Args:
        killed: by criterion, the mean of the mutants killed; no criterion has the written one as a part.
        random: the mean of the mutants that random selections kill.
    """
    best = max(killed, key=lambda name: killed[name], default=None)
    automatic_means = {name: mean for name, mean in killed.items() if name != written}
    if written not in killed or best is None or not automatic_means:
        return Finding(ClaimVerdict.OPEN, "no criterion is written")
    text = ", ".join(f"{name} {rounded(mean)}" for name, mean in killed.items())
    holds = max(automatic_means.values()) >= killed[written]
    return Finding.of(
        holds,
        f"scope {scope}, {size} inputs kill: {text}, random {rounded(random)}",
    )


def automatic_of(suite: ScoredSuite) -> Finding:
    """Decide `automatic` on a suite."""
    first = suite.first(EQ_CLASS)
    if first is None:
        return Finding(ClaimVerdict.OPEN, "no criterion is written")
    size = int(first["size"])
    names = [name for name in suite.criteria() if name == EQ_CLASS or EQ_CLASS not in name]
    means = {name: mean for name in names if (mean := suite.mean(name, size)) is not None}
    return automatic(suite.scope, size, means, EQ_CLASS, suite.mean(RANDOM, size) or Fraction(0))


def beside_random(criterion: str, suite: ScoredSuite) -> Finding:
    """Compare the first input of each class of a criterion with as many random inputs."""
    first = suite.first(criterion)
    if first is None:
        return Finding(ClaimVerdict.OPEN, "no criterion is written")
    versus = Versus(*(int(first[name]) for name in ("worse", "equal", "better")))
    outcome = {Sign.WORSE: ClaimVerdict.HOLDS, Sign.BETTER: ClaimVerdict.FAILS, Sign.EQUAL: ClaimVerdict.OPEN}[
        versus.sign
    ]
    mean = Fraction(int(first["random"]), int(first["seeds"]))
    text = f"scope {suite.scope}: {first['size']} inputs kill {first['kills']}, "
    text += f"random ones {rounded(mean)} (worse/equal/better: {versus})"
    return Finding(outcome, text)


PRUNING = Claim(
    "pruning",
    "HOLDS if Korat+ explores fewer candidates than Korat at every scope at which both are known; DOES NOT HOLD if "
    "it explores no fewer at one",
    pruning,
)
OF_LIVE: tuple[Claim[Mapping[int, Live]], ...] = (
    Claim(
        "in between",
        "HOLDS if at every scope at which Korat and one per class do not leave as many mutants alive, Korat+ leaves "
        "more than Korat and fewer than one per class; DOES NOT HOLD if it does not at one of these scopes; NOT "
        "DECIDABLE where there is none. That it leaves no fewer than Korat, and no more than one per class, follows "
        "from inclusion: each suite is a part of the other",
        in_between,
    ),
    Claim(
        "closer",
        "HOLDS if at the largest scope Korat+ leaves as many mutants alive as Korat, or fewer more than at the "
        "smallest scope; DOES NOT HOLD otherwise; NOT DECIDABLE at one scope",
        closer,
    ),
)
A_TENTH = Claim(
    "a tenth of the seconds",
    "HOLDS if each search of Korat and Korat+, with its processes taken together, took at most a tenth of the "
    "printed seconds of a processor; DOES NOT HOLD if one took more; NOT DECIDABLE where none was measured. "
    "Compiling it and writing the suite are left out",
    a_tenth,
)
OF_SUITES = (
    Claim(
        "automatic",
        "HOLDS if, with as many inputs as there are for one per written class, the inputs drawn in turn from the "
        "classes of a criterion that nobody writes kill at least as many mutants, on the average of all seeds, as "
        "those drawn from the written classes; DOES NOT HOLD otherwise",
        automatic_of,
    ),
    Claim(
        "better than random",
        "HOLDS if more than half of the random selections kill fewer mutants than as many inputs of the written "
        "criterion (the first of each class), by a sign test; DOES NOT HOLD if more than half kill more; else NOT "
        "DECIDABLE",
        partial(beside_random, EQ_CLASS),
    ),
    Claim("Korat+ better than random", "the same of the suite of Korat+", partial(beside_random, "korat-plus")),
)
CLAIMS: tuple[Claim[Any], ...] = (PRUNING, *OF_LIVE, A_TENTH, *OF_SUITES)
"""All claims, in the order of the table; those after "closer" are ours."""


def claims(dataset: CriteriaInputs) -> Table:
    """Return a row per claim and case study: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    caption = (
        f"Published: the same rules on the printed numbers. Rules: {rules_of(CLAIMS)}. {CLAIMED} Live mutants are "
        f"those of the paper's operators. {dataset.counted}"
    )
    return Table.of("What the paper concludes", caption, ("claim", "case study"), COLUMNS, _cases(dataset))


def _cases(dataset: CriteriaInputs) -> Iterator[RowSource[Finding]]:
    for title, explored in _printed_explored(dataset).items():
        yield PRUNING.case((title,), _explored(dataset, title), explored)
    for claim in OF_LIVE:
        for title, live in _printed_live(dataset).items():
            yield claim.case((title,), _live(dataset, title), live)
    for title in SUBJECTS:
        yield A_TENTH.case((title,), dataset.searches(title))
    suites = [suite for suite in scored_suites(dataset.frames, OF_2005) if suite.generator == KORAT]
    for of_suite in OF_SUITES:
        for suite in suites:
            yield of_suite.case((suite.title,), suite)


def _explored(dataset: CriteriaInputs, title: str) -> dict[str, tuple[int, int]]:
    explored = {}
    for scope in dataset.scopes_of(title):
        korat, plus = (dataset.suite(title, generator, scope) for generator in (KORAT, KORAT_PLUS))
        if korat is not None and plus is not None:
            explored[str(scope)] = korat.explored, plus.explored
    return explored


def _live(dataset: CriteriaInputs, title: str) -> dict[int, Live]:
    live_of = {}
    for scope in dataset.scopes_of(title):
        counts = [dataset.live(title, scope, generator, OF_2005) for generator in WAYS]
        known_counts = [count for count in counts if count is not None]
        if len(known_counts) == len(counts):
            live_of[scope] = Live(*known_counts)
    return live_of


def _printed_explored(dataset: CriteriaInputs) -> dict[str, dict[str, tuple[int, int]]]:
    """Return the printed counts of explored candidates by case study and our scope."""
    by_title: dict[str, dict[str, tuple[int, int]]] = {}
    for row in dataset.printed("case_studies", 2).rows:
        title, printed_scope = row.key
        of_title = by_title.setdefault(title, {})
        korat, plus = row.exact("korat_explored"), row.exact("koratplus_explored")
        if korat is not None and plus is not None:
            of_title[str(dataset.scopes[title, printed_scope])] = int(korat), int(plus)
    return by_title


def _printed_live(dataset: CriteriaInputs) -> dict[str, dict[int, Live]]:
    by_title: dict[str, dict[int, Live]] = {}
    for row in dataset.printed("live_mutants", 3).rows:
        title, _, printed_scope = row.key
        counts = [int(row[column].printed) for _, column in WAYS.values()]
        by_title.setdefault(title, {})[dataset.scopes[title, printed_scope]] = Live(*counts)
    return by_title
