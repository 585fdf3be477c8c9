"""A seeded sample of mutants, stratified by operator and then by function.

The paper's benchmarks have between 200 and 300 mutants (exhaustive2003, Table 1). Where the operators
make more viable ones, this rule chooses (docs/operators.md describes it for users):

1. every operator gets one place, if there are that many; the others go to operators in
   proportion to their further mutants (largest remainders first);
2. an operator's places go to functions in proportion to its mutants there;
3. within operator and function, mutants stand in the order of `sha256("seed:id")`, and the first
   ones are taken. That order depends only on the seed and the mutant.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping

from harness.model.mutant import Mutant, MutantStatus


def sample(mutants: Iterable[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return `size` of the viable mutants (all, if there are no more), in the order of `mutants`."""
    viable = [mutant for mutant in mutants if mutant.status is MutantStatus.VIABLE]
    if len(viable) <= size:
        return viable
    strata: dict[str, dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
    for mutant in viable:
        strata[mutant.operator][mutant.function].append(mutant)
    counts = {operator: sum(map(len, functions.values())) for operator, functions in strata.items()}
    once = dict.fromkeys(counts, 1) if len(counts) <= size else {}
    extra = allot({name: count - once.get(name, 0) for name, count in counts.items()}, size - len(once))
    chosen: set[str] = set()
    for operator, functions in strata.items():
        share = once.get(operator, 0) + extra[operator]
        places = allot({name: len(members) for name, members in functions.items()}, share)
        for name, members in functions.items():
            members.sort(key=lambda mutant: hashlib.sha256(f"{seed}:{mutant.id}".encode()).digest())
            chosen.update(mutant.id for mutant in members[: places[name]])
    return [mutant for mutant in viable if mutant.id in chosen]


def allot(counts: Mapping[str, int], places: int) -> dict[str, int]:
    """Return `places` shared out in proportion to `counts`, by largest remainders; ties go by name.

    No share exceeds its count, and the shares sum to `places` (at most the sum of `counts`).
    """
    total = sum(counts.values())
    places = min(places, total)
    if not total:
        return dict.fromkeys(counts, 0)
    shares = {name: count * places // total for name, count in counts.items()}
    by_remainder = sorted(counts, key=lambda name: (-(counts[name] * places % total), name))
    for name in by_remainder[: places - sum(shares.values())]:
        shares[name] += 1
    return shares
