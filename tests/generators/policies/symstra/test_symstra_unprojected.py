"""Where states are compared by all variables of their calls, TreeMap has the numbers that jtestcraft2010 prints."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from support.sequence_suites import shipped_task

from harness.generators.policies.symstra import states
from harness.generators.policies.symstra.search import PathSearch
from harness.generators.symbolic.caller import Caller
from harness.generators.symbolic.differences import Differences
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.systems import RowConstraints, System
from harness.generators.symbolic.terms import INFINITE, Slot


class Unprojected(RowConstraints):
    """The facts about all variables of a sequence: those in the state by their places, dead ones by their names."""

    is_exact = True

    def __init__(self, system: Differences, slots: tuple[Slot, ...]) -> None:
        self.system, self.slots = system, slots

    def entails(self, other: RowConstraints) -> bool:
        assert isinstance(other, Unprojected)
        of = {0: 0} | {x: y for (x, _), (y, _) in zip(other.slots, self.slots, strict=True)}
        constraints = other.system
        for dead in set(range(1, constraints.size + 1)) - of.keys():
            if dead > self.system.size:
                return False
            of[dead] = dead
        pairs = [pair for x, y in combinations(of, 2) for pair in ((x, y), (y, x))]
        return all(self._bounds(of[x], of[y], constraints.bounds[x][y]) for x, y in pairs) and all(
            self._differ(of[x], of[y], d) for x, y, d in constraints.holes
        )

    def _bounds(self, x: int, y: int, most: float) -> bool:
        return most >= 0 if x == y else most == INFINITE or self.system.at_most(x, y, int(most))[1] is None

    def _differ(self, x: int, y: int, d: int) -> bool:
        return d != 0 if x == y else self.system.equal(x, y, d)[0] is None


class UnprojectedSearch(PathSearch):
    def _facts(self, system: System, slots: tuple[Slot, ...]) -> RowConstraints:
        assert isinstance(system, Differences)
        return Unprojected(system, slots)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("jtc_tree_map", (114, 386, 698, 2074)),
        ("jtc_int_stack", (18, 24, 32, 40)),
        ("jtc_linked_list", (25, 33, 42, 52)),
        ("jtc_binomial_heap", (40, 66, 86, 157)),
        ("jtc_bin_search_tree", (350, 1274)),
    ],
)
def test_the_printed_numbers_come_of_states_with_dead_variables(
    name: str, tests: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states, "with_new_names", lambda state: state)
    longest = 4 + len(tests)
    task = shipped_task(name, longest)
    search = UnprojectedSearch(task, Caller(task), mixed_space().free(0), longest + 1)
    lengths = Counter(len(path.calls) - 1 for path in search.paths() if path.is_test)
    assert tuple(sum(lengths[k] for k in range(1, calls + 1)) for calls in range(5, longest + 1)) == tests
