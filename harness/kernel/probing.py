"""Which inputs can kill which mutants, from one run of the original per input (law 6).

A mutant whose place an input does not reach runs exactly as the original on that input. So does one
whose mutated expression is evaluated, each time, to the very object that the original expression is
evaluated to: every later step is then the same (no state is infected). Such inputs need no execution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.kernel.program import Program

PROBE = "__mutascope_probe__"
"""Global of a probed module: `PROBE(site, value, *variants)` for expressions, `PROBE(site)` for statements."""


@dataclass(frozen=True)
class ProbeSite:
    """The mutants at one place, by number in the order of probing.

    `compared` are those with a variant whose evaluation has no side effect, in the order of the
    probe's variants; `reached` are those of which only reachability can be told.
    """

    compared: tuple[int, ...]
    reached: tuple[int, ...]


class Prober:
    """The PROBE function of a module, and what it saw since the last `take`.

    Sets of mutants are integers with bit `i` for mutant number `i`.
    """

    def __init__(self, sites: Iterable[ProbeSite]) -> None:
        reached = infected = 0
        plans = []
        for site in sites:
            only_reached = sum(1 << number for number in site.reached)
            compared = tuple(1 << number for number in site.compared)
            plans.append((only_reached | sum(compared), only_reached, compared))

        def probe(site: int, value: Any = None, *variants: Callable[[], Any]) -> Any:
            nonlocal reached, infected
            here, only_reached, compared = plans[site]
            reached |= here
            infected |= only_reached
            for mutant, variant in zip(compared, variants, strict=True):
                if not infected & mutant:
                    try:
                        # Identity, not equality: nothing can tell an object from itself.
                        same = variant() is value
                    except Exception:
                        same = False
                    if not same:
                        infected |= mutant
            return value

        def take() -> tuple[int, int]:
            nonlocal reached, infected
            seen = reached, infected
            reached = infected = 0
            return seen

        self.probe = probe
        self.take = take


class InputSets:
    """A set of inputs per mutant, as packed bits: `first` (a multiple of 8) is the lowest bit of a row's first byte."""

    def __init__(self, mutants: int, first: int, last: int) -> None:
        self._first = first
        self.rows = [bytearray((last - first + 7) // 8) for _ in range(mutants)]

    def add(self, mutants: int, number: int) -> None:
        """Adds input `number` to the rows of all mutants in the set `mutants`."""
        byte, bit = (number - self._first) >> 3, 1 << (number & 7)
        while mutants:
            lowest = mutants & -mutants
            self.rows[lowest.bit_length() - 1][byte] |= bit
            mutants ^= lowest


def probe_inputs(
    load: Callable[[Callable[..., Any]], ModuleType],
    program_of: Callable[[ModuleType], Program],
    sites: Iterable[ProbeSite],
    numbers: Iterable[int],
    reached: InputSets,
    infected: InputSets,
    *,
    judged: bool,
    started: Callable[[int], None],
) -> None:
    """Runs the probed original on each input and records who was reached, and who may be infected.

    What an input raises is an outcome like others. With `judged`, what the spec's functions call of
    the implementation counts as well.
    """
    prober = Prober(sites)
    program = program_of(load(prober.probe))
    spec = program.spec
    for number in numbers:
        started(number)
        prepared = program.prepare(number)
        prober.take()
        try:
            prepared.invoke()
        except BaseException:  # noqa: S110 - the original's outcome is known; only the probes matter here
            pass
        if judged and spec.rep_ok(prepared.root) and spec.abstraction is not None:
            spec.abstraction(prepared.root)
        seen, may_differ = prober.take()
        reached.add(seen, number)
        infected.add(may_differ, number)
