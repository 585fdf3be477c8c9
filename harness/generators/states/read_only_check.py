"""Asks predicates of a spec about real objects of some of the found states: they only look at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any

from harness.generators.states.describe import describe
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.steady import SteadyPredicate


class Unchanged:
    """Asks a predicate of the spec about states that it accepts, as `SteadyPredicate` does.

    Args:
        predicate_name: the name of the function, for messages.
        again: whether states are asked about again.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        *,
        predicate_name: str = "rep_ok",
        again: bool = True,
    ) -> None:
        self._space = space
        self._decoder = Decoder(space, module)
        self._predicate = SteadyPredicate(rep_ok, predicate_name, again=again)

    def look(self, vector: Sequence[int]) -> bool:
        """Check a valid state; return False if rep_ok refuses it.

        Raises:
            SpecError: rep_ok changes it, or gives more than one answer.
        """
        return self._predicate.look(self._decoder.decode(vector).root, partial(describe, self._space, vector))
