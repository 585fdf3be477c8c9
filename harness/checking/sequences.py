"""Sequences of API calls that build a structure, found breadth first with state matching (section 6.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import Any

from harness.checking.judge import Judge
from harness.kernel.inputs.decode import token
from harness.kernel.judging.canon import NotCanonical, concrete
from harness.kernel.program.loader import resolve
from harness.kernel.program.steps import StepLimit
from harness.kernel.specs.spec import Spec
from harness.model.finitization import DomainKind, Finitization, Reference, Structures, Target

MOST_STATES = 2_000
"""Different states that are visited at the most; beyond, a structure counts as not found."""


@dataclass(frozen=True)
class Step:
    """One call, with its arguments."""

    target: Target
    arguments: tuple[Any, ...]


class Sequences:
    """Goes through the states that calls of the targets lead to, shortest sequences first.

    It starts from what the root's class makes without arguments (an empty list where the root is a
    list) and calls all targets whose arguments are plain values or tokens, with those of the
    finitization. Calls that raise, do not end, or break rep_ok lead nowhere.
    """

    def __init__(self, spec: Spec, module: ModuleType, finitization: Finitization, judge: Judge) -> None:
        self._spec = spec
        self._finitization = finitization
        self._judge = judge
        root = finitization.domains[0]
        self._make: Callable[[], Any] = list if root.kind is DomainKind.LIST else resolve(module, root.class_name)
        self._tokens: dict[Reference, Any] = {}
        self._steps = [
            Step(target, arguments) for target in finitization.targets for arguments in self._arguments(target)
        ]

    def find(self, accepts: Callable[[Any], bool]) -> tuple[Step, ...] | None:
        """The first shortest sequence to a state that is accepted; None if there is none among those visited.

        A state is handed over once, and not used any more.
        """
        seen: set[bytes] = set()
        agenda: list[tuple[Step, ...]] = [()]
        for path in agenda:  # grows while it is walked
            state = self._replay(path)
            if state is None:
                continue
            (root,) = state
            try:
                key = concrete(root)
            except NotCanonical:
                continue
            if key in seen:
                continue
            seen.add(key)
            if accepts(root):
                return path
            if len(seen) >= MOST_STATES:
                return None
            agenda.extend((*path, step) for step in self._steps)
        return None

    def _replay(self, path: tuple[Step, ...]) -> tuple[Any] | None:
        """The state at the end of a sequence whose calls but the last are known to be in order."""
        try:
            root = self._make()
            for step in path:
                self._judge.call(step.target, root, list(step.arguments))
            return (root,) if self._spec.rep_ok(root) else None
        except (Exception, SystemExit, StepLimit):
            return None

    def _arguments(self, target: Target) -> list[tuple[Any, ...]]:
        domains: list[list[Any]] = []
        for parameter in target.parameters:
            if isinstance(parameter, Structures):
                return []
            values = [self._value(value) for value in parameter]
            if any(isinstance(value, Reference) for value in values):
                return []
            domains.append(values)
        return list(product(*domains))

    def _value(self, value: Any) -> Any:
        """A plain value or the token that stands for a reference; references to objects stay what they are."""
        if isinstance(value, Reference):
            domain = self._finitization.domains[value.domain]
            if domain.kind is DomainKind.TOKEN:
                return self._tokens.setdefault(value, token(domain, value.index))
        return value
