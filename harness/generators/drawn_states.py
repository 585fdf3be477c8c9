"""The `hypothesis` generator: states drawn at random by Hypothesis, field by field; the valid ones are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import metadata
from typing import Any

from harness.errors import SpecError, UsageError
from harness.generators.arguments import Group
from harness.generators.brute_force import canonical_form
from harness.generators.describe import describe
from harness.generators.protocol import Task
from harness.generators.sat.inputs import InputsOfInstances
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.state_space import PLAIN, StateSpace

DEFAULT_STATES = 100
MOST_STATES = 1_000_000

_ROUNDS = 50
"""Times that Hypothesis is asked for more, at the most: it may give a state again that it gave."""

_DRAWS, _FEWEST_DRAWS = 20, 300
"""Candidates for each state that a round is to give; and of a round."""

_Vector = tuple[int, ...]


class DrawnStates:
    """Distinct valid states, as many as stand behind the colon (`hypothesis:500`), or all that are found.

    Hypothesis draws the fields of the objects that it has reached, breadth-first; what a field refers to is None or a
    plain value, an object reached before, or the next one that is not. Same seed and version: same states.
    """

    def __init__(self, states: int = DEFAULT_STATES) -> None:
        self._states = states
        self.name = "hypothesis" if states == DEFAULT_STATES else f"hypothesis:{states}"

    @property
    def version(self) -> str:
        """Ours, and that of Hypothesis, on which the states hang as well."""
        try:
            return f"1 of hypothesis {metadata.version('hypothesis')}"
        except metadata.PackageNotFoundError:
            return "1"

    def with_parameter(self, text: str) -> DrawnStates:
        """The generator of as many states as `text` says.

        Raises:
            UsageError: it is no number of states.
        """
        if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= MOST_STATES:
            raise UsageError(
                f"hypothesis:{text}: behind the colon stands a number of states, from 1 to {MOST_STATES:,}"
            )
        return DrawnStates(int(text))

    def produce(self, task: Task) -> DrawnProduction:
        """A run that holds all states before it yields the first.

        Raises:
            UsageError: Hypothesis is not installed.
        """
        try:
            import hypothesis  # noqa: F401
        except ImportError:
            raise UsageError(
                "the generator hypothesis needs the package hypothesis: pip install 'mutascope[hypothesis]'"
            ) from None
        return DrawnProduction(task, self._states)


class DrawnProduction:
    """One run, in rounds of Hypothesis with seeds of their own, until one finds nothing new or there are enough."""

    def __init__(self, task: Task, states: int) -> None:
        self._task = task
        self._states = states
        self._space = StateSpace(task.finitization)
        self._decoder = Decoder(self._space, task.module)
        self._drawn: _Vector = (0,) * self._space.width
        self.explored = 0
        self.structures: dict[str, list[list[int]]] = {}

    @property
    def current(self) -> str:
        """The candidate that rep_ok is executed on."""
        return describe(self._space, self._drawn)

    def __iter__(self) -> Iterator[Group]:
        inputs = InputsOfInstances(self._task, self._space)
        self.structures = inputs.structures
        found: dict[_Vector, None] = {}
        for number in range(_ROUNDS):
            before = len(found)
            if before >= self._states:
                break
            self._round(number, found)
            if len(found) == before:
                break
        for vector in list(found)[: self._states]:
            yield from inputs.groups(vector)

    def _round(self, number: int, found: dict[_Vector, None]) -> None:
        """Adds the valid states that Hypothesis draws with the round's seed, in its order."""
        from hypothesis import HealthCheck, Phase, given, seed, settings
        from hypothesis import strategies as st

        @cache
        def below(count: int) -> Any:
            return st.integers(0, count - 1)

        @st.composite
        def candidates(draw: Callable[[Any], int]) -> _Vector:
            return self._candidate(lambda choices: choices[draw(below(len(choices)))] if choices[1:] else choices[0])

        @seed(self._task.seed * _ROUNDS + number)
        @settings(
            max_examples=max(_FEWEST_DRAWS, _DRAWS * (self._states - len(found))),
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
            deadline=None,
        )
        @given(candidates())
        def look(candidate: _Vector) -> None:
            if len(found) < self._states and self._is_valid(candidate):
                found.setdefault(canonical_form(self._space, candidate)[0])

        look()

    def _candidate(self, draw: Callable[[list[int]], int]) -> _Vector:
        """A vector with drawn values in the fields of what is reached, and 0 in all others."""
        vector = [0] * self._space.width
        reached, left = {0}, [0]
        while left:
            owner = self._space.objects[left.pop(0)]
            for field in self._space.fields[owner.first : owner.first + len(owner.names)]:
                others = field.domain.objects
                allowed = {PLAIN, *reached, *self._next_objects(others, reached)}
                index = draw([at for at, other in enumerate(others) if other in allowed])
                vector[field.number] = index
                other = others[index]
                if other != PLAIN and other not in reached:
                    reached.add(other)
                    left.append(other)
        return tuple(vector)

    def _next_objects(self, others: Sequence[int], reached: set[int]) -> set[int]:
        """Of each class domain, the first object that is not reached."""
        unmet = [other for other in others if other != PLAIN and other not in reached]
        return set({self._space.objects[other].domain.number: other for other in reversed(unmet)}.values())

    def _is_valid(self, candidate: _Vector) -> bool:
        self._drawn = candidate
        self.explored += 1
        try:
            return bool(self._task.spec.rep_ok(self._decoder.decode(candidate).root))
        except Exception as error:
            raise SpecError(
                f"rep_ok raised {type(error).__name__}: {error} on candidate {self.current}; make it return True or "
                "False there"
            ) from error
