"""Makes the inputs of valid states: every target with every tuple of arguments that its precondition accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType

from harness.generators.protocol import Group
from harness.generators.states.describe import describe
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.layout import Layout
from harness.generators.states.reference.failure import rep_ok_failure
from harness.kernel.inputs.state_space import PLAIN, Decoder, FieldDomain, StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.kernel.judging.prepared import StateTarget
from harness.model.finitization import Finitization, Structures


class Arguments:
    """Extends valid states by arguments, as if they were the last fields on the search's stack.

    So isomorphism breaking continues from the state. An argument from a class domain is one of the objects of the
    state, or of the earlier arguments, or the first other object. An object that the state does not reach adds its own
    fields, which take all their values in turn (breadth first, after all arguments). The candidate vector then differs
    from the state's.

    Args:
        layout: the layout of the pre-state's space.
        targets: the numbers of the targets that are called.
        structures: the number of structures of each `Structures` parameter, by `structure_key`.
    """

    def __init__(
        self,
        layout: Layout,
        structures: Mapping[str, int],
        targets: Iterable[int],
    ) -> None:
        space = layout.space
        self._layout = layout
        self._parameters = {number: domains_of(space, number, structures) for number in targets}
        self.all_plain = all(set(d.objects) <= {PLAIN} for domains in self._parameters.values() for d in domains)
        """Whether no argument is an object, so that the calls are the same on all states."""
        self._choices: dict[tuple[int, ...], list[tuple[Call, tuple[int, ...]]]] = {}
        self._plain_calls = [call for call, _ in self._choose(self._maxima(()))] if self.all_plain else []

    def of(self, vector: Sequence[int]) -> Iterator[Group]:
        """Yield the inputs of a valid state: its own vector with its calls first, then its extensions.

        Calls are in the targets' order, and lexicographically by argument within a target.
        """
        if self.all_plain:
            yield vector, self._plain_calls
            return
        _, reached = self._layout.reachable(vector)
        reached_objects = frozenset(reached)
        maxima = self._maxima(reached)
        groups: dict[tuple[int, ...], list[Call]] = {tuple(vector): []}
        for call, objects in self._choose(maxima):
            fresh = [number for number in dict.fromkeys(objects) if number not in reached_objects]
            if fresh:
                agenda = tuple(field for number in fresh for field in self._layout.entry[number])
                for extended in self._extend(
                    tuple(vector), agenda, self._raised(maxima, fresh), reached_objects.union(fresh)
                ):
                    groups.setdefault(extended, []).append(call)
            else:
                groups[tuple(vector)].append(call)
        yield from groups.items()

    def _choose(self, maxima: tuple[int, ...]) -> list[tuple[Call, tuple[int, ...]]]:
        """Return all calls from `maxima` on, each with the objects among its arguments."""
        calls = self._choices.get(maxima)
        if calls is None:
            calls = self._choices[maxima] = [
                (Call(target, indices), objects)
                for target, domains in self._parameters.items()
                for indices, objects in self._tuples(domains, maxima)
            ]
        return calls

    def _tuples(
        self, domains: Sequence[FieldDomain], maxima: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if not domains:
            yield (), ()
            return
        first, *later_domains = domains
        for index in self._allowed(first, maxima):
            other = first.objects[index]
            objects = () if other == PLAIN else (other,)
            for indices, more in self._tuples(later_domains, self._raised(maxima, objects)):
                yield (index, *indices), (*objects, *more)

    def _extend(
        self, vector: tuple[int, ...], agenda: tuple[int, ...], maxima: tuple[int, ...], reached_objects: frozenset[int]
    ) -> Iterator[tuple[int, ...]]:
        """Yield every assignment to the fields of `agenda` and to those that become reachable by it."""
        if not agenda:
            yield vector
            return
        field, *later_fields = agenda
        domain = self._layout.space.fields[field].domain
        for index in self._allowed(domain, maxima):
            more = list(later_fields)
            below = self._layout.elements[field]
            if below is not None:
                more.extend(below[index])
            other = domain.objects[index]
            fresh = () if other == PLAIN or other in reached_objects else (other,)
            for number in fresh:
                more.extend(self._layout.entry[number])
            chosen = (*vector[:field], index, *vector[field + 1 :])
            yield from self._extend(chosen, tuple(more), self._raised(maxima, fresh), reached_objects.union(fresh))

    def _allowed(self, domain: FieldDomain, maxima: tuple[int, ...]) -> Iterator[int]:
        for index, (number, position) in enumerate(zip(domain.classes, domain.indices, strict=True)):
            if number == PLAIN or position <= maxima[number] + 1:
                yield index

    def _maxima(self, objects: Sequence[int]) -> tuple[int, ...]:
        """Return the largest index of each class domain among `objects`."""
        return self._raised((PLAIN,) * len(self._layout.space.finitization.domains), objects)

    def _raised(self, maxima: tuple[int, ...], objects: Sequence[int]) -> tuple[int, ...]:
        if not objects:
            return maxima
        raised = list(maxima)
        for number in objects:
            owner = self._layout.space.objects[number]
            raised[owner.domain.number] = max(raised[owner.domain.number], owner.index)
        return tuple(raised)


class InputsOfStates:
    """The inputs on valid states: all arguments that the targets' preconditions accept.

    Args:
        structures: vectors of each `Structures` parameter, by `structure_key`.
        targets: the numbers of the targets; None: all.
    """

    def __init__(
        self,
        module: ModuleType,
        space: StateSpace,
        structures: Mapping[str, Sequence[Sequence[int]]],
        targets: Iterable[int] | None = None,
    ) -> None:
        self._module = module
        self._targets = space.finitization.targets
        self._space = space
        self._decoder = Decoder(space, module)
        numbers = [*(range(len(self._targets)) if targets is None else targets)]
        self._callables = {number: StateTarget(space, module, structures, number) for number in numbers}
        counts = {key: len(vectors) for key, vectors in structures.items()}
        self._arguments = Arguments(Layout(space), counts, numbers)
        self.all_plain = self._arguments.all_plain
        """Whether no argument is an object."""
        self.filters = any(self._targets[number].requires is not None for number in numbers)
        """Whether a precondition decides which calls a state has."""

    def groups(self, vector: Sequence[int]) -> Iterator[Group]:
        """Yield the inputs on a state.

        Raises:
            SpecError: a precondition raises.
        """
        for extended, calls in self._arguments.of(vector):
            yield extended, [call for call in calls if self._is_allowed(extended, call)] if self.filters else calls

    def _is_allowed(self, vector: Sequence[int], call: Call) -> bool:
        requires = self._targets[call.target].requires
        if requires is None:
            return True
        state = self._decoder.decode(vector)
        values = self._callables[call.target].arguments(state, call.arguments)
        root = state.root
        numbers = {id(state.made(number)): number for number in range(len(self._space.objects))}
        try:
            return bool(requires(root, *values))
        except Exception as error:
            candidate = describe(self._space, vector)
            name = getattr(requires, "__name__", "the precondition")
            raise rep_ok_failure(error, requires, self._space, numbers, self._module, candidate, name) from error


def domains_of(space: StateSpace, number: int, structures: Mapping[str, int]) -> list[FieldDomain]:
    """Return the domains of a target's parameters, of which those of `Structures` have so many values."""
    return [
        space.field_domain(tuple(range(structures[structure_key(number, position)])))
        if isinstance(parameter, Structures)
        else space.field_domain(parameter)
        for position, parameter in enumerate(space.finitization.targets[number].parameters)
    ]


def structure_parameters(finitization: Finitization) -> dict[str, Structures]:
    """Return the `Structures` parameters of all targets by `structure_key`."""
    return {
        structure_key(number, position): parameter
        for number, target in enumerate(finitization.targets)
        for position, parameter in enumerate(target.parameters)
        if isinstance(parameter, Structures)
    }


def structures_of(
    finitization: Finitization, module: ModuleType, workshop: Workshop | None
) -> dict[str, list[list[int]]]:
    """Search the vectors of each `Structures` parameter. Return them by `structure_key`."""
    return {
        key: [list(vector) for vector in StateSearch(StateSpace(one.finitization), module, one.rep_ok, workshop)]
        for key, one in structure_parameters(finitization).items()
    }
