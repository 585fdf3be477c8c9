"""What the paper concludes, as rules from numbers to findings; the same for measured and printed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.papers.beapi2023.given import Generation
from harness.papers.findings import Finding, Outcome

Pair = tuple[Generation | None, Generation | None]
"""Korat's and BEAPI's generation at one scope; None where it is not known, or timed out."""

LIMIT = 3600.0
"""Seconds after which a run of the paper timed out (section 4)."""

RULES = {
    "RQ1 structures": (
        "HOLDS if Korat and BEAPI generate as many structures at every scope at which both came to their end; DOES NOT "
        "HOLD if they differ at one"
    ),
    "RQ1 seconds": (
        "HOLDS if at the largest scope at which both came to their end BEAPI took fewer seconds than Korat; DOES NOT "
        "HOLD otherwise"
    ),
    "RQ2 state matching": (
        "HOLDS if at the largest scope at which one of the two is known state matching alone takes fewer seconds than "
        "builders alone (of which none are known where they timed out); DOES NOT HOLD if it takes more"
    ),
    "RQ2 builders": (
        "HOLDS if at the largest scope at which both are known builders and state matching together take fewer seconds "
        "than state matching alone; DOES NOT HOLD otherwise"
    ),
    "RQ2 methods": (
        "HOLDS if builders save more time (seconds of SM by those of SM/BLD, at the largest scope at which both are "
        "known) in each class that the paper tells to have 20 methods and more than in each that it tells to have "
        "just a few; DOES NOT HOLD otherwise"
    ),
    "RQ3 flaws": "HOLDS if the flaw is found and classified as printed; DOES NOT HOLD otherwise",
}
"""By claim, its rule in words."""

MANY_METHODS = {
    ("Real World", "NCL"): 20,
    ("Real World", "TSet"): 22,
    ("Real World", "TMap"): 32,
    ("Real World", "LList"): 21,
    ("Real World", "HMap"): 29,
}
"""The classes of Table 2 whose number of methods section 4.2 tells."""
FEW_METHODS = (("ROOPS", "BinTree"), ("ROOPS", "FibHeap"), ("ROOPS", "BinHeap"))
"""Those that have "just a few methods" by that section; of the other four it tells neither."""

CLAIMED = (
    "The paper claims the same structures but for red-black trees, Fibonacci heaps and flawed invariants; that BEAPI "
    "is faster in 2 of 6 cases of the Korat benchmark, 3 of 4 of Fajita's, 5 of 7 of Roops' and 1 of 7 of Kiasan's; "
    "that state matching is the most impactful optimization; that builders matter where there are many methods; and "
    "that all the flaws were found."
)


@dataclass(frozen=True)
class Optimized:
    """Seconds of the configurations at one scope; None where one is not known."""

    both: float | None
    matching: float | None
    builders: float | None


def structures(pairs: Mapping[int, Pair]) -> Finding:
    """For the same case study and scope, both generate as many structures (section 4.1)."""
    known = {
        scope: (korat.generated, beapi.generated)
        for scope, (korat, beapi) in sorted(pairs.items())
        if korat is not None and beapi is not None
    }
    if not known:
        return Finding(Outcome.OPEN, "no scope at which both came to their end")
    apart = {scope: counts for scope, counts in known.items() if counts[0] != counts[1]}
    if not apart:
        return Finding(
            Outcome.HOLDS, f"as many at scope {_scopes(known)}: {known[max(known)][1]} at scope {max(known)}"
        )
    scope = max(apart)
    return Finding(Outcome.FAILS, f"scope {scope}: Korat {apart[scope][0]}, BEAPI {apart[scope][1]} structures")


def seconds(pairs: Mapping[int, Pair]) -> Finding:
    """Which one is faster (section 4.1)."""
    known = {
        scope: (korat.seconds, beapi.seconds)
        for scope, (korat, beapi) in pairs.items()
        if korat is not None and beapi is not None and korat.seconds is not None and beapi.seconds is not None
    }
    if not known:
        return Finding(Outcome.OPEN, "no scope at which both came to their end")
    scope = max(known)
    of_korat, of_beapi = known[scope]
    outcome = Outcome.HOLDS if of_beapi < of_korat else Outcome.FAILS
    return Finding(outcome, f"scope {scope}: Korat {of_korat:.2f} s, BEAPI {of_beapi:.2f} s")


def state_matching(by_scope: Mapping[int, Optimized], gave_up: bool) -> Finding:
    """State matching is the most impactful optimization (section 4.2).

    Args:
        gave_up: whether what is not known of a scope timed out, as in the paper; else it was not run.
    """
    known = {
        scope: (at.matching, at.builders)
        for scope, at in by_scope.items()
        if (at.matching is not None and (at.builders is not None or gave_up)) or (at.builders is not None and gave_up)
    }
    if not known:
        return Finding(Outcome.OPEN, "no scope at which both were run")
    scope = max(known)
    matching, builders = known[scope]
    holds = (LIMIT if matching is None else matching) < (LIMIT if builders is None else builders)
    told = f"scope {scope}: SM {_seconds(matching)}, BLD {_seconds(builders)}"
    return Finding(Outcome.HOLDS if holds else Outcome.FAILS, told)


def saved_by_builders(by_scope: Mapping[int, Optimized]) -> float | None:
    """How many times as long SM takes as SM/BLD at the largest scope at which both are known."""
    known = {scope: at.matching / at.both for scope, at in by_scope.items() if at.matching is not None and at.both}
    return known[max(known)] if known else None


def methods(factors: Mapping[tuple[str, str], float | None]) -> Finding:
    """Builders are much more relevant where there are many methods (section 4.2).

    Args:
        factors: by benchmark and class, `saved_by_builders`.
    """
    many = [factor for title in MANY_METHODS if (factor := factors.get(title)) is not None]
    few = [factor for title in FEW_METHODS if (factor := factors.get(title)) is not None]
    told = f"{min(many):.2f} times and more with 20 to 32 methods" if many else "no class with many methods was run"
    told += f", {max(few):.2f} times at most with a few" if few else ", none with a few"
    if not many or not few:
        return Finding(Outcome.OPEN, told)
    return Finding(Outcome.HOLDS if min(many) > max(few) else Outcome.FAILS, told)


def builders(by_scope: Mapping[int, Optimized]) -> Finding:
    """Builders make generation faster (section 4.2)."""
    known = {
        scope: (at.both, at.matching)
        for scope, at in by_scope.items()
        if at.both is not None and at.matching is not None
    }
    if not known:
        return Finding(Outcome.OPEN, "no scope at which both were run")
    scope = max(known)
    both, matching = known[scope]
    factor = f", {matching / both:.2f} times as many" if both else ""
    told = f"scope {scope}: SM/BLD {_seconds(both)}, SM {_seconds(matching)}{factor}"
    return Finding(Outcome.HOLDS if both < matching else Outcome.FAILS, told)


def _seconds(value: float | None) -> str:
    return "timed out" if value is None else f"{value:.2f} s"


def _scopes(known: Mapping[int, object]) -> str:
    return str(max(known)) if len(known) == 1 else f"{min(known)} to {max(known)}"
