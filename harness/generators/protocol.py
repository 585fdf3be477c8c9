"""The interface of generators of states: plug-ins that make a stream of inputs for a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from harness.generators.generator_base import GeneratorBase
from harness.generators.productions import Group, ProductionBase

if TYPE_CHECKING:
    from harness.generators.states.engine import Workshop
    from harness.kernel.specs.spec import Spec
    from harness.model.finitization import Finitization


@dataclass(frozen=True)
class Task:
    """The task of a generator: a spec's finitization at one scope, and the module of the executed implementation."""

    spec: Spec
    module: ModuleType
    finitization: Finitization
    seed: int
    workshop: Workshop | None = None
    """The folder and limits of the compiled engine, which changes no input; None for the reference engine only."""
    scope: int | None = None
    """The finitization's scope, for generators that search smaller ones first; None if it is unknown."""
    begins: Callable[[str], None] = lambda what: None
    """A function that is called with the name of long work that begins before the search, for the waiting user."""


class Production(ProductionBase, Protocol):
    """One run of a generator, iterated over once; a class of productions derives from `ProductionBase`.

    Each group is a valid state's candidate vector with the calls on it. Groups may be empty, and no call comes twice
    with the same vector. The same task yields the same groups in the same order. A class that does not write its groups
    one by one defines `write_states`.
    """

    @property
    def explored(self) -> int:
        """The number of executions of rep_ok so far; it grows while the run makes headway."""

    @property
    def current(self) -> str:
        """The current candidate as short text, for messages about an endless rep_ok."""

    @property
    def structures(self) -> dict[str, list[list[int]]]:
        """The vectors for the indices of `Structures` parameters, by `structure_key`; complete at the end."""

    def __iter__(self) -> Iterator[Group]:
        """Yield the groups as they are found."""


class Generator(GeneratorBase, Protocol):
    """A generator of states; its class derives from `GeneratorBase`.

    `version` changes whenever the inputs of some task do.
    """

    @property
    def version(self) -> str:
        """The version, which is part of every suite's identity."""

    def produce(self, task: Task) -> Production:
        """Start a run.

        Raises:
            SpecError, UsageError: now or during the iteration over the run.
        """
