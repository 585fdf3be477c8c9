"""What a generator of sequences is: a plug-in that executes calls of the original and writes those worth keeping."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from harness.generators.productions import ProductionBase

if TYPE_CHECKING:
    from harness.kernel.inputs.suites import SuiteWriter
    from harness.kernel.program.loader import ModuleText
    from harness.kernel.specs.spec import Spec
    from harness.model.sequence import SequenceScope


def _unheard(text: str) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class SequenceTask:
    """What to generate sequences for: a spec's bounds at one scope, and the implementation, executed without ticks.

    Attributes:
        restores: whether states may be made from bytes; False after that has been found to be wrong for the program.
        notice: told in one line what a person may want to know.
        concrete: numbers of routines whose arguments are not to be symbolic, each with the reason (`NotSymbolic`).
        text: the program's, for generators that execute a version of their own; None: they take the module as it is.
    """

    spec: Spec
    module: ModuleType
    bounds: SequenceScope
    scope: int
    seed: int
    restores: bool = True
    notice: Callable[[str], object] = _unheard
    text: ModuleText | None = None
    concrete: Mapping[int, str] = field(default_factory=dict)


class NotSymbolic(Exception):
    """Arguments of routines cannot be symbolic: a production is to be begun anew, with each of their values by itself.

    Args:
        targets: the numbers of these routines.
        why: what was found, as text.
    """

    def __init__(self, targets: Iterable[int], why: str) -> None:
        super().__init__(why)
        self.targets = tuple(targets)
        self.why = why


class SequenceProduction(ProductionBase, Protocol):
    """One run of a generator; a class of productions derives from `ProductionBase`.

    The same task writes the same states, inputs and calls in the same order.
    """

    @property
    def explored(self) -> int:
        """Sequences executed so far; grows while the run makes headway."""

    @property
    def current(self) -> str:
        """The sequence that is being executed, as short text, for messages about a call that does not return."""

    def write(self, writer: SuiteWriter) -> None:
        """Does the work: adds each state by `add_state((state before or NO_STATE, number of the call))`, and each
        input by `add_input(state before or NO_STATE, call)`; calls as `harness.model.sequence` numbers them.

        Raises:
            SpecError, UsageError: what the spec says cannot be done, or a call fails that should not.
            NotSymbolic: what was written is of no use, and is to be made anew, with routines in `task.concrete`.
        """


class SequenceGenerator(Protocol):
    """A way of making suites of sequences. `version` changes whenever the inputs of some task do."""

    @property
    def name(self) -> str:
        """As on the command line."""

    @property
    def version(self) -> str:
        """Part of every suite's identity."""

    def explore(self, task: SequenceTask) -> SequenceProduction:
        """Starts a run.

        Raises:
            SpecError, UsageError: here or while it writes.
        """
