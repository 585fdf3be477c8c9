"""Finds which inputs can kill which mutants, from one run of the original per input (law 6).

A mutant whose place an input does not reach runs exactly as the original on that input. The same holds if its mutated
expression always has the very object of the original expression as its value: every later step is then the same (no
state is infected). It also holds for one whose mutated operand leaves the comparison or condition around it as it is.
Such inputs need no execution, as long as neither the original nor the mutant leaves anything in the module that later
inputs find (`harness.kernel.running.loaded_job`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.kernel.judging.prepared import Inputs, PreparedInput
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.program.loader import limit_recursion

REACH = "__mutascope_reach__"
"""A global of a probed module: `REACH(site)` is evaluated before the expression at the site, which may raise."""

PROBE = "__mutascope_probe__"
"""A global of a probed module: `PROBE(REACH(site), value, *variants)` is `value`, compared with its variants."""

DEEP = "__mutascope_deep__"
"""A global of a probed module: a list whose first element becomes True if the program goes too deep."""

TOO_DEEP = "__mutascope_too_deep__"
"""A global of a probed module: the class of the exception of a program that goes too deep."""

_BLOCK = 512
"""The number of inputs that are put into the rows together (a multiple of 8)."""


@dataclass(frozen=True)
class ProbeSite:
    """A place with three sets of mutants by number.

    The sets are the mutants whose place this is, those of them for which only reachability is known, and those that are
    compared here. The last are in the order of the probe's variants. A compared expression may hold the mutated places:
    the probe of a comparison has the mutants of its operands.
    """

    reached: tuple[int, ...]
    unprobed: tuple[int, ...]
    compared: tuple[int, ...]


class Prober:
    """The globals of a probed module, and the mutants reached and infected since the last `take`.

    A probe needs frames of its own. So where the original gets a RecursionError, a probed one gets it earlier, and may
    go on in another way. All mutants are then reached and infected.

    An exception or a short circuit may end a compared expression before it comes to the mutated place. A mutant is
    therefore infected only if it is both reached and different. Sets of mutants are integers with bit `i` for mutant
    number `i`.
    """

    def __init__(self, sites: Sequence[ProbeSite]) -> None:  # noqa: C901 (closures over one state, for speed)
        infected = 0
        touched: set[int] = set()
        unfinished: list[int] = []
        places, compared_at, all_compared_at = [], [], []
        for site in sites:
            places.append((_set_of(site.reached), _set_of(site.unprobed)))
            compared_at.append(tuple(1 << number for number in site.compared))
            all_compared_at.append(_set_of(site.compared))
        every = _set_of({number for site in sites for number in site.reached})
        touch, begin, finish = touched.add, unfinished.append, unfinished.pop
        deep = [False]

        def reach(site: int) -> int:
            touch(site)
            if compared_at[site]:
                begin(site)
            return site

        def probe(site: int, value: Any, *variants: Callable[[], Any]) -> Any:
            nonlocal infected
            finish()  # what is compared has no side effects: nothing within it was left unfinished
            all_compared = all_compared_at[site]
            if infected & all_compared == all_compared:
                return value
            for mutant, variant in zip(compared_at[site], variants, strict=True):
                if not infected & mutant:
                    try:
                        # Identity, not equality: no program can distinguish an object from itself.
                        same = variant() is value
                    except Exception:
                        same = False
                    if not same:
                        infected |= mutant
            return value

        def who_is_there() -> tuple[int, int]:
            """Return the mutants whose places were touched, and those of them for which only that is known."""
            here = unprobed = 0
            for site in touched:
                here |= places[site][0]
                unprobed |= places[site][1]
            touched.clear()
            return here, unprobed

        def take() -> tuple[int, int]:
            nonlocal infected
            for site in unfinished:  # there the original raised, and a variant need not
                infected |= all_compared_at[site]
            unfinished.clear()
            reached, unprobed = who_is_there()
            seen = (every, every) if deep[0] else (reached, infected | unprobed)
            deep[0], infected = False, 0
            return seen

        self.presets = {REACH: reach, PROBE: probe, DEEP: deep, TOO_DEEP: RecursionError}
        self.take = take


def _set_of(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


class InputSets:
    """A set of inputs per mutant, as packed bits: `first` (a multiple of 8) is the lowest bit of a row's first byte.

    Many inputs have the same set of mutants: those of a block are put into the rows together, once for each set.
    """

    def __init__(self, mutants: int, first: int, last: int) -> None:
        self._first = first
        self._rows = [bytearray((last - first + 7) // 8) for _ in range(mutants)]
        self._block = 0
        self._sets: dict[int, int] = {}

    def add(self, mutants: int, number: int) -> None:
        """Add input `number` to the rows of all mutants in the set `mutants`."""
        block, within = divmod(number - self._first, _BLOCK)
        if block != self._block:
            self._flush()
            self._block = block
        self._sets[mutants] = self._sets.get(mutants, 0) | 1 << within

    @property
    def rows(self) -> list[bytearray]:
        """The row of each mutant."""
        self._flush()
        return self._rows

    def _flush(self) -> None:
        start = self._block * _BLOCK // 8
        for mutants, inputs in self._sets.items():
            size = (inputs.bit_length() + 7) // 8
            while mutants:
                lowest = mutants & -mutants
                row = self._rows[lowest.bit_length() - 1]
                both = int.from_bytes(row[start : start + size], "little") | inputs
                row[start : start + size] = both.to_bytes(size, "little")
                mutants ^= lowest
        self._sets.clear()


def probe_inputs(
    load: Callable[[Mapping[str, object]], tuple[ModuleType, ModuleState | None]],
    inputs_on: Callable[[ModuleType, ModuleState | None], Inputs],
    sites: Sequence[ProbeSite],
    numbers: Iterable[int],
    probed: Sequence[InputSets],
    observe: Callable[[PreparedInput], object],
) -> bool:
    """Run the probed original on each input, and record the mutants that are reached and that may be infected.

    Args:
        load: makes the probed module, with these values among its globals, and its state if that may change.
        probed: get the inputs that reach each mutant, those that may infect it, and, if this is asked, those whose last
            call may infect it.
        observe: runs a prepared input, with the parts of judging that may call the implementation.

    Returns:
        Whether something of it could not be put back: then inputs depend on each other, and the records are useless.
    """
    prober = Prober(sites)
    reached, infected, *last_calls = probed
    limit_recursion()
    module, state = load(prober.presets)
    inputs = inputs_on(module, state)
    on_loading, differ_on_loading = prober.take()  # a default or class attribute: there for every input
    infected_on_loading = on_loading & differ_on_loading
    for number in numbers:
        prepared = inputs.prepare(number)
        before = differed = 0
        if last_calls:
            prepared.lead_up()
            before, differed = prober.take()
        observe(prepared)
        seen, may_differ = prober.take()
        for sets in last_calls:
            sets.add((may_differ & seen) | infected_on_loading, number)
        reached.add(before | seen | on_loading, number)
        infected.add(((differed | may_differ) & (before | seen)) | infected_on_loading, number)
    return state is not None and not state.put_back()
