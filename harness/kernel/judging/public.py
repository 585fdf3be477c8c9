"""The oracles that look at no state: only what calls return or raise kills a mutant, as in a test.

`public` is the differential oracle without states: neither rep_ok nor abstraction is asked what a call leaves.
Results are compared and steps are limited as there, so an input on which it kills kills under the differential oracle.
`observers` asks the spec's observers behind a call, instead of a state. These are methods of the mutant.
"""

from __future__ import annotations

from typing import Any

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.oracle import Oracle
from harness.kernel.judging.prepared import PreparedInput
from harness.kernel.judging.rules import Check, Rule
from harness.kernel.objects.content import STILL_TO_RUN, untold
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.program.steps import StepCounter, StepLimit
from harness.kernel.specs.spec import Spec
from harness.model.sequence import Observation


class PublicOracle(Oracle):
    """Compares what calls return or raise. All states are valid and equal."""

    looks_at_states = False

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        super().__init__(spec, counter, rule, observed)
        self._holds = lambda prepared: True
        self._state = self._told

    def _told(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        return b""


class ObserversOracle(PublicOracle):
    """Compares what calls return or raise, and what the observers of structures answer behind them.

    Raises (on making):
        SpecError: the spec has no observers.
    """

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        super().__init__(spec, counter, rule, observed)
        self._names = spec.observers
        self._file = spec.module.__file__
        if not self._names:
            raise SpecError(
                f'{self._file}: there is no observer to ask; write observers = ["size"], say: methods without '
                "arguments that leave the object as it is"
            )

    @property
    def is_apart(self) -> bool:
        """False, as observers are the program's, whether or not they spend steps."""
        return False

    def _told(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        roots = self._rule.structures(prepared)
        return canonical(
            tuple(self._answer(root, name, prepared, check is not None) for root in roots for name in self._names)
        )

    def _answer(self, root: Any, name: str, prepared: PreparedInput, is_original: bool) -> tuple[str, Any]:
        before = concrete(root) if is_original else b""
        if is_original and not callable(getattr(root, name, None)):
            raise SpecError(f"{self._file}: the observer {name!r} is no method of {type(root).__qualname__}")
        try:
            returned = getattr(root, name)()
        except StepLimit:
            raise
        except Exception as error:
            answer = "raised", exception_name(error).encode()
        else:
            if is_original and untold([returned], refused=STILL_TO_RUN):
                raise SpecError(f"{self._file}: what the observer {name!r} returns cannot be compared")
            answer = "returned", self._rule.value(returned, prepared)
        if is_original and concrete(root) != before:
            raise SpecError(f"{self._file}: the observer {name!r} changes the object; leave it out of observers")
        return answer
