"""The `hypothesis` generator: valid states drawn at random by Hypothesis, field by field as rep_ok reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, ClassVar

from harness.errors import SpecError
from harness.generators.named_options import GeneratorOption, NamedOptions, whole_number
from harness.generators.policies.hypothesis import library
from harness.generators.protocol import GeneratorWithOptions, Group, ProductionBase, ProductionFacts, Task
from harness.generators.states.canonical_form import canonical_form
from harness.generators.states.inputs import InputsOfStates, structures_of
from harness.generators.states.reference.narrowing import Narrowing
from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.reference.stack import AccessStack, DrawnStack
from harness.kernel.inputs.state_space import StateSpace
from harness.model.stop_reason import StopReason

MOST_STATES = 1_000_000


@dataclass(frozen=True)
class Options(NamedOptions):
    """The number of states to find, as in `hypothesis:500`."""

    states: int = 100

    table: ClassVar = {
        "states": GeneratorOption(
            f"the number of states (from 1 to {MOST_STATES:,})", whole_number(MOST_STATES), is_bare=True
        ),
    }


MOST_ROUNDS = 50
"""The largest number of rounds; several are needed because Hypothesis may draw the same state again."""

MOST_EXECUTIONS = 1_000
"""The number of executions of rep_ok for one state, because the first drawn values may leave no valid state near by."""

_FEWEST_DRAWS = 100
"""The smallest number of draws of a round, which otherwise draws as many states as are missing."""

_Vector = tuple[int, ...]


class DrawnStates(GeneratorWithOptions):
    """Distinct valid states, in the number after the colon (`hypothesis:500`), or fewer if no more are found.

    Hypothesis draws the value of each field when rep_ok reads it. If rep_ok refuses the state, the last read field with
    remaining values is drawn again from these, as in Korat's search (exhaustive2003, section 3.4). Fields that rep_ok
    does not read are drawn at the end. The same seed and versions give the same states.
    """

    kind, options_class = "hypothesis", Options

    @property
    def version(self) -> str:
        """The generator's version, and that of Hypothesis, on which the states depend as well."""
        return library.version()

    def produce(self, task: Task) -> DrawnProduction:
        """Start a run that holds all states before it yields the first.

        Raises:
            UsageError: Hypothesis is not installed.
        """
        library.check_installed(self.kind)
        return DrawnProduction(task, self._options.states)


class DrawnProduction(ProductionBase):
    """One run, in rounds of Hypothesis with separate seeds, until one finds nothing new or there are enough states.

    Attributes:
        stop_reason: the reason why the run stopped; None while it continues.
    """

    stop_reason: StopReason | None = None

    def __init__(self, task: Task, states: int) -> None:
        self._task = task
        self._states = states
        self._space = StateSpace(task.finitization)
        self._search = DrawnSearch(self._space, task.module, task.spec.rep_ok)
        self.structures: dict[str, list[list[int]]] = {}

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok so far."""
        return self._search.executions

    @property
    def current(self) -> str:
        """The candidate that rep_ok is executed on."""
        return self._search.current

    def facts(self) -> ProductionFacts:
        """Return the facts about the run: the reason why it stopped."""
        return ProductionFacts(stop_reason=self.stop_reason)

    def __iter__(self) -> Iterator[Group]:
        self.structures = structures_of(self._task.finitization, self._task.module, self._task.workshop)
        inputs = InputsOfStates(self._task.module, self._space, self.structures)
        vectors: dict[_Vector, None] = {}
        for number in range(MOST_ROUNDS):
            before = len(vectors)
            self._round(number, vectors)
            if len(vectors) >= self._states:
                self.stop_reason = StopReason.STATES
                break
            if len(vectors) == before:
                self.stop_reason = StopReason.NOTHING_NEW
                break
        else:
            self.stop_reason = StopReason.ROUNDS
        for vector in list(vectors)[: self._states]:
            yield from inputs.groups(vector)

    def _round(self, number: int, states_by_vector: dict[_Vector, None]) -> None:
        """Add the states that Hypothesis draws with the round's seed, in its order."""
        from hypothesis import given, seed
        from hypothesis import strategies as st
        from hypothesis.errors import Flaky

        @cache
        def below(count: int) -> Any:
            return st.integers(0, count - 1)

        @st.composite
        def states(draw: Callable[[Any], int]) -> _Vector | None:
            return self._search.drawn(lambda count: draw(below(count)))

        def look(state: _Vector | None) -> None:
            if state is not None:
                states_by_vector.setdefault(canonical_form(self._space, state)[0])

        settings = library.drawing(max_examples=max(_FEWEST_DRAWS, self._states - len(states_by_vector)))
        draw_states = seed(self._task.seed * MOST_ROUNDS + number)(settings(given(states())(look)))
        try:
            with library.without_local_constants():
                draw_states()
        except Flaky:  # rep_ok reads other fields when it is executed again
            raise SpecError(
                "rep_ok answers otherwise when it is asked again about a state; make its answer depend on the state "
                "alone (no chance, no clock, no memory of earlier calls)"
            ) from None


class DrawnSearch(KoratSearch):
    """Korat's search with values tried in a drawn order, of which only the first state matters."""

    def __init__(self, space: StateSpace, module: ModuleType, rep_ok: Callable[[Any], Any]) -> None:
        super().__init__(space, module, rep_ok, narrowing=False, most=MOST_EXECUTIONS)
        self.executions = 0
        """Those of all searches."""
        self._draw: Callable[[int], int] = lambda count: 0

    def drawn(self, draw: Callable[[int], int]) -> tuple[int, ...] | None:
        """Return a valid state, or None if there is none near by; `draw(count)` returns a number below `count`."""
        self._draw = draw
        with closing(iter(self)) as states:
            return next(states, None)

    def _new_stack(self) -> AccessStack:
        return DrawnStack(self.space, self._draw)

    def _execute(self, observer: StateObserver, narrowing: Narrowing) -> bool:
        self.executions += 1
        return super()._execute(observer, narrowing)
