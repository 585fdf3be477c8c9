"""What a generator is: a plug-in that turns a task into inputs, as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from harness.generators.productions import ProductionBase

if TYPE_CHECKING:
    from harness.generators.states.arguments import Group
    from harness.generators.states.engine import Workshop
    from harness.kernel.specs.spec import Spec
    from harness.model.finitization import Finitization


@dataclass(frozen=True)
class Task:
    """What to generate inputs for: a spec's finitization at one scope, and the implementation, executed."""

    spec: Spec
    module: ModuleType
    finitization: Finitization
    seed: int
    workshop: Workshop | None = None
    """For the compiled engine, which changes no input; None for the reference engine alone."""
    scope: int | None = None
    """The finitization's, for generators that look at smaller ones beforehand; None where it is not known."""
    begins: Callable[[str], None] = lambda what: None
    """Told what long work begins before anything is explored, for whoever waits for it to end."""


class Production(ProductionBase, Protocol):
    """One run of a generator, iterated over once; a class of productions derives from `ProductionBase`.

    Each group is a valid state's candidate vector with the calls on it; groups may be empty, and
    no call comes twice with the same vector. Same task, same groups in the same order.
    """

    @property
    def explored(self) -> int:
        """Executions of rep_ok so far; grows while the run makes headway."""

    @property
    def current(self) -> str:
        """What is being examined, as short text, for messages about an endless rep_ok."""

    @property
    def structures(self) -> dict[str, list[list[int]]]:
        """The vectors that the indices of `Structures` parameters mean, by `structure_key`; complete at the end."""

    def __iter__(self) -> Iterator[Group]:
        """The groups, as they are found."""


class Generator(Protocol):
    """A way of making suites. `version` changes whenever the inputs of some task do.

    One whose inputs come in a random order, and of which each prefix of a suite is the suite of a smaller limit, sets
    `random_prefixes = True`. Comparisons take prefixes of its suites, and draw at random from those of all others.
    """

    @property
    def name(self) -> str:
        """As on the command line."""

    @property
    def version(self) -> str:
        """Part of every suite's identity."""

    def produce(self, task: Task) -> Production:
        """Starts a run.

        Raises:
            SpecError, UsageError: here or while the run is iterated over.
        """
