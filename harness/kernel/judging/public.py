"""The oracles that look at no state: only what calls return or raise kills a mutant, as in a test.

`public` is the differential oracle without states: neither rep_ok nor abstraction is asked what a call leaves.
Results are compared and steps are limited as there, so an input on which it kills kills under the differential oracle.
`observers` asks the spec's observers behind a call, instead of a state. These are methods of the mutant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self, cast

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.canon import canonical, concrete
from harness.kernel.judging.oracle import Oracle
from harness.kernel.judging.prepared import Prepared
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.judging.sequence_oracle import SequenceOracle, is_of
from harness.kernel.judging.vacuous import untold
from harness.kernel.program.steps import StepCounter, StepLimit
from harness.kernel.specs.spec import Spec
from harness.model.sequence import Observation

_Check = Callable[[Any], None]
_Told = Callable[[Any], bytes]


class _LooksAtNoState(Oracle):
    """All states are valid, and the same."""

    looks_at_states = False

    @classmethod
    def for_run(cls, spec: Spec, counter: StepCounter, concrete: bool, observed: Observation) -> Self:
        return cls(spec, counter)

    def _holds(self, prepared: Prepared) -> Any:
        return True

    def _state(self, prepared: Prepared, check: _Check | None = None) -> bytes:
        return b""


class PublicOracle(_LooksAtNoState):
    """Observes executions of state inputs."""


class PublicSequenceOracle(_LooksAtNoState, SequenceOracle):
    """Observes executions of sequences."""


class ObserversOracle(PublicOracle):
    """Observes executions of state inputs, and asks the observers of the root."""

    def __init__(self, spec: Spec, counter: StepCounter) -> None:
        check_observers(spec)
        super().__init__(spec, counter)

    def _state(self, prepared: Prepared, check: _Check | None = None) -> bytes:
        root = prepared.root
        roots = [] if root is None else [root]
        return _asked(self._spec, roots, lambda value: self._value(value, prepared), check is not None)


class ObserversSequenceOracle(PublicSequenceOracle):
    """Observes executions of sequences, and asks the observers of their objects."""

    def __init__(self, spec: Spec, counter: StepCounter, observed: Observation = Observation.END) -> None:
        check_observers(spec)
        super().__init__(spec, counter, observed=observed)

    @classmethod
    def for_run(cls, spec: Spec, counter: StepCounter, concrete: bool, observed: Observation) -> Self:
        return cls(spec, counter, observed)

    def _state(self, prepared: Prepared, check: _Check | None = None) -> bytes:
        self.is_apart = False  # as observers are the program's, whether or not they spend steps
        sequence = cast(PreparedSequence, prepared)
        root, objects = sequence.root, sequence.objects
        held = [root, *(objects[number] for number in sorted(objects) if objects[number] is not root)]
        roots = [one for one in held if is_of(one, sequence.routines.root_class)]
        return _asked(self._spec, roots, lambda value: self._value(value, prepared), check is not None)


def check_observers(spec: Spec) -> None:
    """Refuses a spec without observers.

    Raises:
        SpecError: it has none.
    """
    if not spec.observers:
        raise SpecError(
            f'{spec.module.__file__}: there is no observer to ask; write observers = ["size"], say: methods without '
            "arguments that leave the object as it is"
        )


def _asked(spec: Spec, roots: Iterable[Any], told: _Told, is_original: bool) -> bytes:
    """Ask the observers of each object: what they return or raise."""
    return canonical(tuple(_answer(spec, root, name, told, is_original) for root in roots for name in spec.observers))


def _answer(spec: Spec, root: Any, name: str, told: _Told, is_original: bool) -> tuple[str, Any]:
    before = concrete(root) if is_original else b""
    if is_original and not callable(getattr(root, name, None)):
        raise SpecError(f"{spec.module.__file__}: the observer {name!r} is no method of {type(root).__qualname__}")
    try:
        returned = getattr(root, name)()
    except StepLimit:
        raise
    except Exception as error:
        answer = "raised", exception_name(error).encode()
    else:
        if is_original and untold(returned) is not None:
            raise SpecError(f"{spec.module.__file__}: what the observer {name!r} returns cannot be compared")
        answer = "returned", told(returned)
    if is_original and concrete(root) != before:
        raise SpecError(f"{spec.module.__file__}: the observer {name!r} changes the object; leave it out of observers")
    return answer
