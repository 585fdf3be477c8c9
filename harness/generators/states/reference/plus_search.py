"""Korat+: Korat's search, pruned where a test criterion covers nothing new (criteria_pruning2011, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.generators.states.reference.completion import Completion
from harness.generators.states.reference.criterion import NAME, Criterion, EqClass
from harness.generators.states.reference.observe import Observer
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.reference.stack import AccessStack
from harness.kernel.inputs.state_space import StateSpace


@dataclass(frozen=True)
class Pruning:
    """What Korat+ prunes by.

    Args:
        first_only: yield the first valid vector of each class only.
        given: fields that are read of each candidate without eq_class having asked.
    """

    eq_class: EqClass
    first_only: bool = False
    given: frozenset[int] = frozenset()


class KoratPlusSearch(KoratSearch):
    """As KoratSearch, but that after a valid candidate the last field that `eq_class` reads is made to change.

    The fields on the stack above the last one that eq_class reads are dropped, whatever values they have left: with
    the others as they are, rep_ok and eq_class see nothing new that is of another class. Where the next candidate
    of Korat would change a field that eq_class reads anyway, dropping those above changes nothing, so this is the
    paper's extra pruning in one step. Every valid candidate is executed, also those that differ in fields that
    rep_ok did not read only: which of them matter is for eq_class to say.

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
        self._criterion = Criterion(pruning.eq_class, space, module, pruning.given)

    @property
    def executing(self) -> str:
        """Which function is executed on the present candidate."""
        return NAME if self._criterion.is_running else super().executing

    def _found(
        self, observer: Observer, stack: AccessStack, completion: Completion, valid: bool
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
