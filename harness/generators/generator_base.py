"""The part of a generator that most generators need not define."""

from __future__ import annotations

from typing import Protocol, Self

from harness.errors import UsageError
from harness.kernel.inputs.suite_header import InputKind


class GeneratorBase(Protocol):
    """The defaults of a generator; generators of states and of sequences derive from it.

    Attributes:
        name: the name on the command line.
        input_kind: the kind of the inputs: a generator of states has `produce`, one of sequences has `explore`.
        imports: names of modules that a run needs. They are imported before any code of users runs, and not where a
            generator is only named.
    """

    name: str
    input_kind: InputKind = InputKind.STATES
    imports: tuple[str, ...] = ()

    def with_parameter(self, text: str) -> Self:
        """Return the generator whose name has `text` after a colon.

        Raises:
            UsageError: `text` does not describe options, or the generator has none.
        """
        raise UsageError(f"generator {self.name!r} takes nothing behind a colon; leave out ':{text}'")

    def repeating(self, inputs: int) -> Self:
        """Return the generator that makes a suite of `inputs` inputs of this one again.

        It is another one if suites depend on more than the name, such as a limit of time.
        """
        return self

    def beginning(self, instances: int) -> Self | None:
        """Return the generator of the first instances that an interrupted run has found; None if there is none."""
        return None
