"""Searches a target's pre-state and arguments as one structure, by its own precondition in the role of rep_ok."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from harness.generators.protocol import Group
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.packing import Recipe
from harness.generators.states.reference.plus_search import OfState, Pruning
from harness.generators.states.reference.precondition import THIS, Precondition
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.kernel.judging.prepared import structure_maker
from harness.model.finitization import Finitization, Reference, Structures

_ROOT = Reference(0, 0)


class JointSearch:
    """Finds all inputs of a target with `requires`, one per isomorphism class (exhaustive2003, section 6.1).

    As in the paper, a class is introduced for the root. Its objects refer to the pre-state and the arguments. The
    precondition receives all of these, so the references themselves are read first.

    Args:
        number: the number of the target in the finitization.
        structures: vectors of each `Structures` parameter, by `structure_key`; the precondition gets them decoded.
        rep_ok: it accepts the pre-state before the precondition is asked, unless that is one of any state.
        workshop, outcomes, pruning: as for Search, which does the work; the criterion is one of pre-states.

    Raises:
        SpecError: as Search.
    """

    def __init__(  # noqa: PLR0913 (the parameters of Search besides)
        self,
        finitization: Finitization,
        number: int,
        module: ModuleType,
        structures: Mapping[str, Sequence[Sequence[int]]],
        rep_ok: Callable[[Any], Any],
        workshop: Workshop | None = None,
        *,
        outcomes: bool = False,
        pruning: Pruning | None = None,
    ) -> None:
        target = finitization.targets[number]
        if target.requires is None:
            raise ValueError(f"{target.name} has no precondition of its own")
        self._number = number
        root = f"Input of {target.name}"  # no identifier, so no class of the module has this name
        values: list[Any] = []
        decoders: list[Callable[[int], Any] | None] = []
        for position, parameter in enumerate(target.parameters):
            if isinstance(parameter, Structures):
                vectors = structures[structure_key(number, position)]
                decoders.append(structure_maker(parameter.finitization, module, vectors))
                values.append(tuple(range(len(vectors))))
            else:
                decoders.append(None)
                values.append(parameter)
        predicate = Precondition(target.requires, tuple(decoders), None if target.any_state else rep_ok)
        fields = {THIS: (_ROOT,), **dict(zip(predicate.names, values, strict=True))}
        self._width = len(fields)
        space = StateSpace(finitization.behind(root, fields))
        if pruning is not None:
            first_fields = frozenset(range(self._width))
            pruning = replace(pruning, eq_class=OfState(pruning.eq_class), forced_fields=first_fields)
        module_with_class = _with_class(module, root)
        self.search = StateSearch(space, module_with_class, predicate, workshop, outcomes=outcomes, pruning=pruning)

    def __iter__(self) -> Iterator[Group]:
        """Yield candidate vectors of the target's finitization, each with one call."""
        for vector in self.search:
            yield from self._groups(vector)

    @property
    def recipe(self) -> Recipe:
        """The recipe that turns the search's vectors into inputs."""
        return Recipe(self._groups, skipped=self._width)

    def _groups(self, vector: Sequence[int]) -> Iterator[Group]:
        yield vector[self._width :], [Call(self._number, tuple(vector[1 : self._width]))]


def _with_class(module: ModuleType, name: str) -> ModuleType:
    """Return a module with one more class; the module itself stays unchanged."""
    copy = ModuleType(module.__name__)
    copy.__dict__.update(vars(module))
    copy.__dict__[name] = type(name, (), {})
    return copy
