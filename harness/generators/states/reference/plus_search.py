"""Korat+: Korat's search, pruned if a test criterion covers nothing new (criteria_pruning2011, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.generators.states.reference.completion import Completion
from harness.generators.states.reference.criterion import NAME, EqClass, WatchedCriterion
from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.reference.stack import AccessStack
from harness.kernel.inputs.state_space import StateSpace


@dataclass(frozen=True)
class Pruning:
    """The criterion by which Korat+ prunes.

    Args:
        first_only: yield the first valid vector of each class only.
        forced_fields: the fields that are read in each candidate even if eq_class does not read them.
    """

    eq_class: EqClass
    first_only: bool = False
    forced_fields: frozenset[int] = frozenset()


class KoratPlusSearch(KoratSearch):
    """Searches like KoratSearch, but after a valid candidate it changes the last field that `eq_class` reads.

    The fields on the stack above the last one that eq_class reads are dropped, whatever values they have left. While
    the other fields keep their values, rep_ok and eq_class cannot find another class. If the next candidate of Korat
    would change a field that eq_class reads anyway, dropping those above changes nothing. So this is the paper's extra
    pruning in one step. Every valid candidate is executed, also those that differ only in fields that rep_ok did not
    read, because eq_class decides which of them matter.

    Raises:
        SpecError: as KoratSearch, and as Criterion.judge.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        pruning: Pruning,
    ) -> None:
        super().__init__(space, module, rep_ok)
        self.classes: dict[Hashable, tuple[int, ...]] = {}
        """The classes covered, in order, and the first valid vector of each."""
        self._first_only = pruning.first_only
        self._criterion = WatchedCriterion(pruning.eq_class, space, module, pruning.forced_fields)

    @property
    def executing(self) -> str:
        """The function that is executed on the present candidate."""
        return NAME if self._criterion.is_running else super().executing

    def _vectors_of_candidate(
        self, observer: StateObserver, stack: AccessStack, completion: Completion, valid: bool
    ) -> Iterator[tuple[int, ...]]:
        height = len(stack.fields)
        completion.push_reachable(observer.read_field, every=True)
        self.unread.update(stack.fields[height:])
        vector = tuple(stack.vector)
        judged = self._criterion.judge(observer, lambda: self.current, vector)
        if self.classes.setdefault(judged.value, vector) is vector or not self._first_only:
            yield vector
        while stack.fields[-1] not in judged.fields:
            observer.drop()
