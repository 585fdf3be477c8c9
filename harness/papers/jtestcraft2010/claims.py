"""What the paper concludes of the three tools, as rules from numbers to findings; the same for measured and printed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from harness.papers.findings import Finding, Outcome

RULES = {
    "fewer tests": (
        "HOLDS if Symstra has fewer tests than Rostra, and Rostra fewer than JTestCraft, at the largest number of "
        "calls at which all three are known; of two, if they are in this order"
    ),
    "coverage": (
        "HOLDS if Symstra and Rostra each cover more than JTestCraft by their longest sequences; DOES NOT HOLD if one "
        "covers less, or both as much"
    ),
    "Symstra covers most": "HOLDS if no other covers more than Symstra by its longest sequences",
    "seconds": (
        "HOLDS if Symstra and Rostra each take fewer seconds than JTestCraft at the largest number of calls at which "
        "all three are known"
    ),
    "length": "HOLDS if Symstra comes to its end at longer sequences than Rostra, or at the longest that were tried",
}
"""By claim, its rule in words."""

CLAIMED = (
    "The paper concludes that both Rostra and Symstra outperform JTestCraft in coverage and in the length of sequences "
    "(6.3.3), as they prune most of them, and that the optimization that Symstra uses would make JTestCraft as good "
    "(6.3.5)."
)


@dataclass(frozen=True)
class Numbers:
    """What is known of one tool at one number of calls; None where it is not known, or met a limit."""

    tests: int | None
    seconds: float | None
    coverage: float | None
    """In percent."""


ByCalls = Mapping[int, Numbers]
"""Of one tool, by calls behind the constructor's."""
Tools = Mapping[str, ByCalls]
"""By JTESTCRAFT, ROSTRA and SYMSTRA."""

JTESTCRAFT, ROSTRA, SYMSTRA = "JTestCraft", "Rostra", "Symstra"


def fewer_tests(tools: Tools) -> Finding:
    """Symstra prunes more than Rostra, and Rostra more than JTestCraft, which prunes nothing (6.3.1)."""
    tests = {name: _known(by_calls, "tests") for name, by_calls in tools.items()}
    present = [name for name in (SYMSTRA, ROSTRA, JTESTCRAFT) if tests.get(name)]
    calls = _largest_common([tests[name] for name in present])
    if len(present) < 2 or calls is None:
        return Finding(Outcome.OPEN, "no number of calls at which two are known")
    counts = [tests[name][calls] for name in present]
    told = ", ".join(f"{name} {int(count)}" for name, count in zip(present, counts, strict=True))
    return _decided(all(a < b for a, b in pairwise(counts)), f"{calls} calls: {told}")


def coverage(tools: Tools) -> Finding:
    """Symstra and Rostra cover more than JTestCraft (6.3.3)."""
    found = {name: _last(by_calls) for name, by_calls in tools.items()}
    own, others = found.get(JTESTCRAFT), [found.get(ROSTRA), found.get(SYMSTRA)]
    if own is None or None in others:
        return Finding(Outcome.OPEN, _covered(found))
    known = [other for other in others if other is not None]
    return _decided(min(known) >= own and max(known) > own, _covered(found))


def covers_most(tools: Tools) -> Finding:
    """Symstra covers as much as any (Table 6.2)."""
    found = {name: _last(by_calls) for name, by_calls in tools.items()}
    best = found.get(SYMSTRA)
    others = [value for name, value in found.items() if name != SYMSTRA and value is not None]
    if best is None or not others:
        return Finding(Outcome.OPEN, _covered(found))
    return _decided(best >= max(others), _covered(found))


def seconds(tools: Tools) -> Finding:
    """Symstra and Rostra are faster (6.3.3)."""
    times = {name: _known(by_calls, "seconds") for name, by_calls in tools.items()}
    calls = _largest_common([times.get(name, {}) for name in (SYMSTRA, ROSTRA, JTESTCRAFT)])
    if calls is None:
        return Finding(Outcome.OPEN, "no number of calls at which all three are known")
    told = ", ".join(f"{name} {times[name][calls]:.2f} s" for name in (SYMSTRA, ROSTRA, JTESTCRAFT))
    fastest = times[JTESTCRAFT][calls]
    return _decided(
        times[SYMSTRA][calls] < fastest and times[ROSTRA][calls] < fastest,
        f"{calls} calls: {told}",
    )


def length(tools: Tools) -> Finding:
    """Symstra reaches longer sequences (6.3.3)."""
    symstra, rostra = (_known(tools.get(name, {}), "tests") for name in (SYMSTRA, ROSTRA))
    if not symstra or not rostra:
        return Finding(Outcome.OPEN, "not both are known")
    asked = max(max(by_calls) for by_calls in tools.values() if by_calls)
    told = f"Symstra {max(symstra)} calls, Rostra {max(rostra)}"
    return _decided(max(symstra) > max(rostra) or max(symstra) == asked, told)


FINDINGS = {
    "fewer tests": fewer_tests,
    "coverage": coverage,
    "Symstra covers most": covers_most,
    "seconds": seconds,
    "length": length,
}
"""By claim, its rule."""


def _known(by_calls: ByCalls, what: str) -> dict[int, float]:
    return {calls: value for calls, numbers in by_calls.items() if (value := getattr(numbers, what)) is not None}


def _largest_common(found: list[dict[int, float]]) -> int | None:
    common = set.intersection(*map(set, found)) if found else set()
    return max(common, default=None)


def _last(by_calls: ByCalls) -> float | None:
    known = _known(by_calls, "coverage")
    return known[max(known)] if known else None


def _covered(found: Mapping[str, float | None]) -> str:
    order = (SYMSTRA, ROSTRA, JTESTCRAFT)
    parts = [f"{name} not known" if (value := found.get(name)) is None else f"{name} {value:.0f} %" for name in order]
    return ", ".join(parts)


def _decided(holds: bool, told: str) -> Finding:
    return Finding(Outcome.HOLDS if holds else Outcome.FAILS, told)
