"""Rules that encode what a call returned and the state behind it: one for states, one for sequences of calls.

Equal bytes mean equal values. A state begins with the root; other objects that the call can change follow. Some objects
are encoded by their identity. Structures under test are encoded by the subject's own equality, and all other values by
their content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

from harness.kernel.judging.baseline import CallExpected, trace_bytes
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence
from harness.kernel.objects.content import untold
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.objects.reading import Omits
from harness.kernel.specs.spec import Spec

Check = Callable[[Any], None]
"""Refuses an abstract state of the original that is equal to any other."""


class Rule:
    """Encodes calls on states. With an abstraction, an object of the root's own class is a structure.

    Args:
        spec: rep_ok and abstraction.
        concrete_state: whether states are compared by structure, too.
        omits: says which fields are left out, and which dicts have no order.

    Attributes:
        is_apart: True if encoding values has executed no code of the program so far, as far as that is observed.
    """

    _past_methods = False

    def __init__(self, spec: Spec, concrete_state: bool = False, omits: Omits | None = None) -> None:
        self._spec = spec
        self._abstraction = spec.abstraction
        self._concrete_state = concrete_state
        self._omits = omits
        self.is_apart = False

    def holds(self, prepared: PreparedInput) -> Any:
        """Return what rep_ok says of the post-state."""
        return self._spec.rep_ok(prepared.root)

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        """Encode a value that a call returned."""
        return b"self" if value is prepared.root else self._content(value, prepared)

    def structures(self, prepared: PreparedInput) -> list[Any]:
        """Return the objects of the structure under test, that of the last call first."""
        return [] if prepared.root is None else [prepared.root]

    def state(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        """Encode the state behind a call; `check` is called with the abstract state of the original."""
        root, others, abstraction = prepared.root, self._others(prepared), self._abstraction
        if abstraction is None or not self._is_structure(root, prepared):
            parts = [self._concrete(root)]
        else:
            abstract = abstraction(root)
            if check is not None:
                check(abstract)
            parts = [canonical(abstract, ordered=False)]
        parts.extend(b"self" if held is root else self._content(held, prepared) for held in others)
        if self._concrete_state:
            parts.append(self._concrete(root, *others))
        return parts[0] if len(parts) == 1 else canonical(tuple(parts))

    def untold(self, prepared: PreparedInput) -> Counter[tuple[str, str]]:
        """Count the values without content in the state behind a call, by place and type."""
        return untold([prepared.root, *self._others(prepared)], self._omits)

    def before(self, trace: list[CallExpected]) -> bytes | None:
        """Encode the original's calls before the last one; None for states, which have one call only."""
        return None

    def _is_structure(self, value: Any, prepared: PreparedInput) -> bool:
        """Return whether a value is a structure under test."""
        return self._abstraction is not None and type(value) is type(prepared.root)

    def _others(self, prepared: PreparedInput) -> Sequence[Any]:
        """Return the objects besides the root that the call can have changed."""
        return prepared.changeable

    def _content(self, value: Any, prepared: PreparedInput) -> bytes:
        """Encode a value, or the state of an object."""
        if not self._is_structure(value, prepared):
            return canonical(value, self._omits)
        if not self._spec.rep_ok(value):
            return b"invalid" + self._concrete(value)
        if self._abstraction is None:
            return b"concrete" + self._concrete(value)
        return b"abstract" + canonical(self._abstraction(value), ordered=False)

    def _concrete(self, *roots: Any) -> bytes:
        return concrete(*roots, omits=self._omits, past_methods=self._past_methods)


class SequenceRule(Rule):
    """Encodes the calls of sequences. A structure is an object whose class derives from the root's class.

    An object of the sequence is encoded by the number of the call that made it. A state begins with the receiver. The
    other objects follow in the order of the calls that made them, then the arguments that the last call could change.
    The items of a subclass of dict are read without its own methods.
    """

    _past_methods = True

    def __init__(self, spec: Spec, concrete_state: bool = False, omits: Omits | None = None) -> None:
        super().__init__(spec, concrete_state, omits)
        self.is_apart = True

    def holds(self, prepared: PreparedInput) -> Any:
        return not self._is_structure(prepared.root, prepared) or self._spec.rep_ok(prepared.root)

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        objects = cast(PreparedSequence, prepared).objects
        for number in sorted(objects):
            if objects[number] is value:
                return b"call %d" % number
        self.is_apart = self.is_apart and not self._is_structure(value, prepared)
        return self._content(value, prepared)

    def structures(self, prepared: PreparedInput) -> list[Any]:
        others = cast(PreparedSequence, prepared).other_objects
        return [held for held in (prepared.root, *others) if self._is_structure(held, prepared)]

    def before(self, trace: list[CallExpected]) -> bytes | None:
        return trace_bytes(trace)

    def _is_structure(self, value: Any, prepared: PreparedInput) -> bool:
        return cast(PreparedSequence, prepared).routines.is_of_root(value)

    def _others(self, prepared: PreparedInput) -> Sequence[Any]:
        return *cast(PreparedSequence, prepared).other_objects, *prepared.changeable
