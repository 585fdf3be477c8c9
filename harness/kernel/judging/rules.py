"""Rules that encode what a call returned and the state behind it: one for states, one for sequences of calls.

Equal bytes mean equal values. A state begins with the root; other objects that the call can change follow. Some objects
are encoded by their identity. Structures under test are encoded by the subject's own equality, and all other values by
their content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol, cast

from harness.kernel.judging.baseline import CallExpected, trace_bytes
from harness.kernel.judging.prepared import PreparedInput
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.objects.content import untold
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.objects.reading import Omits
from harness.kernel.specs.spec import Spec

Check = Callable[[Any], None]
"""Refuses an abstract state of the original that is equal to any other."""


class Rule(Protocol):
    """Encodes values and states of one kind of inputs."""

    @property
    def is_apart(self) -> bool:
        """True if encoding values has executed no code of the program so far, as far as that is observed."""

    def holds(self, prepared: PreparedInput) -> Any:
        """Return what rep_ok says of the post-state."""

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        """Encode a value that a call returned."""

    def state(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        """Encode the state behind a call; `check` is called with the abstract state of the original."""

    def structures(self, prepared: PreparedInput) -> list[Any]:
        """Return the objects of the structure under test, that of the last call first."""

    def untold(self, prepared: PreparedInput) -> Counter[tuple[str, str]]:
        """Count the values without content in the state behind a call, by place and type."""

    def before(self, trace: list[CallExpected]) -> bytes | None:
        """Encode the original's calls before the last one; None for states, which have one call only."""


class StateRule:
    """Encodes calls on states. A structure is an object of the root's own class.

    Args:
        spec: rep_ok and abstraction.
        concrete_state: whether post-states are compared by structure, too.
        omits: says which dicts have no order.
    """

    is_apart = False
    """This is not observed for states."""

    def __init__(self, spec: Spec, concrete_state: bool = False, omits: Omits | None = None) -> None:
        self._omits = omits
        self._abstraction = spec.abstraction
        self._rep_ok = spec.rep_ok
        self._concrete = concrete_state

    def holds(self, prepared: PreparedInput) -> Any:
        return self._rep_ok(prepared.root)

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        if value is prepared.root:
            return b"self"
        abstraction = self._abstraction
        if abstraction is None or type(value) is not type(prepared.root):
            return canonical(value, self._omits)
        if self._rep_ok(value):
            return b"abstract" + canonical(abstraction(value), ordered=False)
        return b"concrete" + concrete(value, omits=self._omits)

    def state(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        root = prepared.root
        abstraction = self._abstraction
        if abstraction is None:
            parts = [concrete(root, omits=self._omits)]
        else:
            abstract = abstraction(root)
            if check is not None:
                check(abstract)
            parts = [canonical(abstract, ordered=False)]
        parts.extend(self.value(argument, prepared) for argument in prepared.changeable)
        if self._concrete:
            parts.append(concrete(root, *prepared.changeable, omits=self._omits))
        return parts[0] if len(parts) == 1 else canonical(tuple(parts))

    def structures(self, prepared: PreparedInput) -> list[Any]:
        return [] if prepared.root is None else [prepared.root]

    def untold(self, prepared: PreparedInput) -> Counter[tuple[str, str]]:
        return untold([prepared.root, *prepared.changeable])

    def before(self, trace: list[CallExpected]) -> bytes | None:
        return None


class SequenceRule:
    """Encodes the calls of sequences. A structure is an object whose class derives from the root's class.

    An object of the sequence is encoded by the number of the call that made it. A state begins with the receiver. The
    other objects follow in the order of the calls that made them, then the arguments that the last call could change.
    Fields that the spec omits are left out, and the items of a subclass of dict are read without its own methods.

    Args:
        spec: rep_ok and abstraction.
        concrete_state: whether states are compared by structure, too.
    """

    def __init__(self, spec: Spec, concrete_state: bool = False) -> None:
        self._spec = spec
        self._concrete = concrete_state
        self.is_apart = True

    def holds(self, prepared: PreparedInput) -> Any:
        sequence = cast(PreparedSequence, prepared)
        return not sequence.routines.is_of_root(sequence.root) or self._spec.rep_ok(sequence.root)

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        sequence = cast(PreparedSequence, prepared)
        for number in sorted(sequence.objects):
            if sequence.objects[number] is value:
                return b"call %d" % number
        self.is_apart = self.is_apart and not sequence.routines.is_of_root(value)
        return self._content(value, sequence)

    def _content(self, value: Any, sequence: PreparedSequence) -> bytes:
        """Encode a value, or the state of an object."""
        if not sequence.routines.is_of_root(value):
            return canonical(value, sequence.routines.omits)
        if not self._spec.rep_ok(value):
            return b"invalid" + _concrete(sequence, value)
        abstraction = self._spec.abstraction
        if abstraction is None:
            return b"concrete" + _concrete(sequence, value)
        return b"abstract" + canonical(abstraction(value), ordered=False)

    def state(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        sequence = cast(PreparedSequence, prepared)
        root, objects = sequence.root, sequence.other_objects
        parts = [self._root_state(root, sequence, check)]
        parts.extend(self._content(held, sequence) for held in (*objects, *sequence.changeable))
        if self._concrete:
            parts.append(_concrete(sequence, root, *objects, *sequence.changeable))
        return parts[0] if len(parts) == 1 else canonical(tuple(parts))

    def _root_state(self, root: Any, sequence: PreparedSequence, check: Check | None) -> bytes:
        abstraction = self._spec.abstraction
        if abstraction is None or not sequence.routines.is_of_root(root):
            return _concrete(sequence, root)
        abstract = abstraction(root)
        if check is not None:
            check(abstract)
        return canonical(abstract, ordered=False)

    def structures(self, prepared: PreparedInput) -> list[Any]:
        sequence = cast(PreparedSequence, prepared)
        return [held for held in (sequence.root, *sequence.other_objects) if sequence.routines.is_of_root(held)]

    def untold(self, prepared: PreparedInput) -> Counter[tuple[str, str]]:
        sequence = cast(PreparedSequence, prepared)
        return untold([sequence.root, *sequence.other_objects, *sequence.changeable], sequence.routines.omits)

    def before(self, trace: list[CallExpected]) -> bytes | None:
        return trace_bytes(trace)


def _concrete(sequence: PreparedSequence, *roots: Any) -> bytes:
    return concrete(*roots, omits=sequence.routines.omits, past_methods=True)
