"""The interface of generators of sequences: plug-ins that execute calls of the original and write some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, TypeVar

from harness.generators.protocol import GeneratorBase, ProductionBase

if TYPE_CHECKING:
    from harness.kernel.inputs.suites import SuiteWriter
    from harness.kernel.program.loader import ModuleText
    from harness.kernel.specs.spec import Spec
    from harness.model.sequence import SequenceScope


Result = TypeVar("Result")


def _unheard(text: str) -> None:
    """Ignore a notice."""


@dataclass(frozen=True)
class SequenceTask:
    """The task of a generator: a spec's bounds at one scope, and the implementation, executed without step counting.

    Attributes:
        notice: a function that reports one line to the user.
        concrete: numbers of routines whose arguments must not be symbolic, each with the reason (`NotSymbolic`).
        text: the program's text, for generators that execute their own version; None: they use the module.
    """

    spec: Spec
    module: ModuleType
    bounds: SequenceScope
    scope: int
    seed: int
    notice: Callable[[str], object] = _unheard
    text: ModuleText | None = None
    concrete: Mapping[int, str] = field(default_factory=dict)


class NotSymbolic(Exception):
    """Arguments of routines cannot be symbolic: the production must be repeated with their values tried one by one.

    Args:
        targets: the numbers of these routines.
        why: the reason, as text.
    """

    def __init__(self, targets: Iterable[int], why: str) -> None:
        super().__init__(why)
        self.targets = tuple(targets)
        self.why = why


def until_symbolic(make: Callable[[Mapping[int, str]], Result]) -> Result:
    """Return what `make` returns for the routines whose arguments cannot be symbolic, which it finds one by one.

    Raises:
        NotSymbolic: it names no further routine.
    """
    concrete: dict[int, str] = {}
    while True:
        try:
            return make(concrete)
        except NotSymbolic as found:
            more = {**dict.fromkeys(found.targets, found.why), **concrete}
            if more == concrete:
                raise
            concrete = more


class SequenceProduction(ProductionBase, Protocol):
    """One run of a generator; a class of productions derives from `ProductionBase`.

    The same task writes the same states, inputs and calls in the same order.
    """

    @property
    def explored(self) -> int:
        """The number of sequences executed so far; it grows while the run makes headway."""

    @property
    def current(self) -> str:
        """The sequence that is being executed, as short text, for messages about a call that does not return."""

    def write(self, writer: SuiteWriter) -> None:
        """Write the suite: each state by `add_state((state before or NO_STATE, number of the call))`, and each input by
        `add_input(state before or NO_STATE, call)`; `harness.model.sequence` defines the numbers in calls.

        Raises:
            SpecError, UsageError: the spec requires something impossible, or a call fails that should not.
            NotSymbolic: the suite is useless, and must be made again with routines in `task.concrete`.
        """


class SequenceGenerator(GeneratorBase, Protocol):
    """A generator of sequences; its class derives from `GeneratorBase`, and its `input_kind` is `InputKind.SEQUENCES`.

    `version` changes whenever the inputs of some task do.
    """

    @property
    def version(self) -> str:
        """The version, which is part of every suite's identity."""

    def explore(self, task: SequenceTask) -> SequenceProduction:
        """Start a run.

        Raises:
            SpecError, UsageError: now or while the production writes.
        """
