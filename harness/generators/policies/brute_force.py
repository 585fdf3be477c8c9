"""The `brute-force` generator: filters the whole Cartesian product, as a naive check of cleverer generators.

It shares no search code with them: every field of every object takes every value, and rep_ok runs unobserved on real
objects. An explicit canonical form distinguishes isomorphism classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from types import ModuleType
from typing import Any

from harness.errors import SpecError, UsageError
from harness.generators.protocol import GeneratorBase, Group, ProductionBase, Task
from harness.generators.states.canonical_form import Vector, canonical_form
from harness.generators.states.describe import describe
from harness.generators.states.inputs import domains_of, structure_parameters
from harness.kernel.inputs.state_space import DecodedState, Decoder, FieldDomain, StateSpace
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.prepared import StateTarget
from harness.kernel.specs.spec import exception_summary
from harness.model.finitization import Structures

LARGEST_SPACE = 2_000_000
"""The largest number of states of a space; they take some minutes."""


def labelled_states(space: StateSpace, module: ModuleType, rep_ok: Callable[[Any], Any]) -> Iterator[Vector]:
    """Return every valid state of the whole product, including isomorphic ones and values of unreachable fields.

    Raises:
        UsageError: the space has more than LARGEST_SPACE states.
        SpecError: rep_ok raises.
    """
    if space.size > LARGEST_SPACE:
        raise UsageError(
            f"brute force would try {space.size:,} states, more than {LARGEST_SPACE:,}; take a smaller scope or korat"
        )
    return _labelled(space, module, "rep_ok", lambda state: rep_ok(state.root))


def _labelled(
    space: StateSpace, module: ModuleType, predicate_name: str, accepts: Callable[[DecodedState], Any]
) -> Iterator[Vector]:
    decoder = Decoder(space, module)
    for vector in product(*(range(len(field.domain)) for field in space.fields)):
        try:
            valid = bool(accepts(decoder.decode(vector)))
        except Exception as error:
            raise SpecError(
                f"{predicate_name} raised {exception_summary(error)} on candidate {describe(space, vector)}; "
                f"make it return True or False there"
            ) from error
        if valid:
            yield vector


class BruteForce(GeneratorBase):
    """Filters the whole state space; for small scopes."""

    name = "brute-force"
    version = "1"

    def produce(self, task: Task) -> BruteForceProduction:
        """Start a run that holds all inputs before it yields the first; the seed has no influence."""
        return BruteForceProduction(task)


class BruteForceProduction(ProductionBase):
    """One representative per isomorphism class of pairs of state and arguments."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self.structures: dict[str, list[list[int]]] = {}
        self.explored = 0

    @property
    def current(self) -> str:
        """The number of the current candidate; its state is not shown, because rep_ok may be changing it."""
        return f"number {self.explored} in lexicographical order"

    def __iter__(self) -> Iterator[Group]:
        task = self._task
        space = StateSpace(task.finitization)
        calls = list(self._calls(space))
        groups: dict[Vector, dict[Call, None]] = {}
        if not calls or not all(task.finitization.targets[number].any_state for number, _ in calls):
            for vector in labelled_states(space, task.module, self._counting(task.spec.rep_ok)):
                groups.setdefault(canonical_form(space, vector)[0], {})
                for number, arguments in calls:
                    if task.finitization.targets[number].requires is None:
                        extended, indices = canonical_form(space, vector, arguments)
                        groups.setdefault(extended, {})[Call(number, indices)] = None
        for number, arguments in calls:
            for vector in self._required(space, number, arguments):
                extended, indices = canonical_form(space, vector, arguments)
                groups.setdefault(extended, {})[Call(number, indices)] = None
        for state, calls_of_state in groups.items():
            yield state, sorted(calls_of_state, key=lambda call: (call.target, call.arguments))

    def _required(
        self, space: StateSpace, number: int, arguments: tuple[tuple[FieldDomain, int], ...]
    ) -> Iterator[Vector]:
        """Return every labelled state, valid unless any will do, that the precondition accepts with `arguments`."""
        target = space.finitization.targets[number]
        if target.requires is None:
            return iter(())
        requires, rep_ok = target.requires, self._task.spec.rep_ok

        target_of_states = StateTarget(space, self._task.module, self.structures, number)
        indices = [index for _, index in arguments]

        return _labelled(
            space,
            self._task.module,
            f"the precondition of {target.name}",
            self._counting(
                lambda state: (
                    (target.any_state or rep_ok(state.root))
                    and requires(state.root, *target_of_states.arguments(state, indices))
                )
            ),
        )

    def _calls(self, space: StateSpace) -> Iterator[tuple[int, tuple[tuple[FieldDomain, int], ...]]]:
        for key, parameter in structure_parameters(space.finitization).items():
            self.structures[key] = [list(vector) for vector in self._structures(parameter)]
        counts = {key: len(vectors) for key, vectors in self.structures.items()}
        for number in range(len(space.finitization.targets)):
            domains = domains_of(space, number, counts)
            for arguments in product(*([(domain, index) for index in range(len(domain))] for domain in domains)):
                yield number, arguments

    def _structures(self, parameter: Structures) -> list[Vector]:
        space = StateSpace(parameter.finitization)
        states = labelled_states(space, self._task.module, self._counting(parameter.rep_ok))
        forms = (canonical_form(space, vector)[0] for vector in states)
        return list(dict.fromkeys(forms))

    def _counting(self, predicate: Callable[..., Any]) -> Callable[..., Any]:
        self.explored = 0

        def counted(*values: Any) -> Any:
            self.explored += 1
            return predicate(*values)

        return counted
