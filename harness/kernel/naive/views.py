"""Shows what a call did in a comparable form: for states and for sequences of calls.

A view is a pair: its first part says how the second one is compared, and views with different first parts differ.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.kernel.naive.calling import limit_recursion
from harness.kernel.naive.equality import Omits, equal_values, nothing_omitted
from harness.kernel.naive.sequences import is_object
from harness.kernel.specs.spec import Spec

View = tuple[str, Any]

_BY_IDENTITY = ("concrete", "invalid")
"""Views of objects whose inner sharing is compared, too."""


@dataclass(frozen=True)
class PerformedCall:
    """A call that has run, with the objects behind it.

    Attributes:
        raised: the type of the exception that it raised, if it did.
        returned: the value that it returned.
        root: the object that it was called on, or the one that it constructed.
        arguments: its other arguments.
        objects: of a sequence, all objects by the number of the call that gave them.
        number: of a sequence, the number of the call.
        constructs: True if it was a constructor's call.
    """

    raised: str | None
    returned: Any
    root: Any
    arguments: Sequence[Any]
    objects: Mapping[int, Any] = field(default_factory=dict)
    number: int = 0
    constructs: bool = False

    @property
    def other_objects(self) -> list[Any]:
        """The objects of the sequence besides the root."""
        return [held for held in self.objects.values() if held is not self.root]

    @property
    def changeable(self) -> list[Any]:
        """The arguments that the call can have changed, and that are no objects of the sequence."""
        earlier_objects = [held for number, held in self.objects.items() if number != self.number]
        return [held for held in self.arguments if is_object(held) and not any(held is one for one in earlier_objects)]


class Views(ABC):
    """Shows the calls of one kind of inputs.

    Args:
        spec: rep_ok and abstraction.
        concrete: True if post-states are compared by structure, too.
        omits: the names of attributes that are not compared.
    """

    def __init__(self, spec: Spec, concrete: bool, omits: Omits = nothing_omitted) -> None:
        self._spec = spec
        self._concrete = concrete
        self._omits = omits

    def outcome(self, call: PerformedCall) -> View:
        """Return the view of the call's exception, or of the value that it returned. StepLimit passes."""
        limit_recursion(more=1)
        if call.raised is not None:
            return "raised", call.raised
        try:
            return self.returned(call)
        except Exception as error:
            return "unclear", type(error).__qualname__

    @abstractmethod
    def returned(self, call: PerformedCall) -> View:
        """Return the view of the value that a call returned."""

    @abstractmethod
    def holds(self, call: PerformedCall) -> Any:
        """Return the answer of rep_ok for the root after the call."""

    @abstractmethod
    def after(self, call: PerformedCall) -> list[View]:
        """Return the views of the objects after the call, that of the root first."""

    @abstractmethod
    def structures(self, call: PerformedCall) -> list[Any]:
        """Return the objects after the call whose observers may be asked."""

    @abstractmethod
    def answer(self, answer: Any, call: PerformedCall) -> View:
        """Return the view of an observer's answer after the call."""

    def equal(self, left: View, right: View) -> bool:
        """Return True if two views show the same."""
        if left[0] != right[0]:
            return False
        omits = nothing_omitted if left[0] == "abstract" else self._omits
        is_told = left[0] != "abstract"  # the spec means a mapping by a dict
        return equal_values(left[1], right[1], by_identity=left[0] in _BY_IDENTITY, omits=omits, ordered=is_told)

    def same_outcome(self, left: View, right: View) -> bool:
        """Return True if two calls had the same outcome."""
        if left[0] != "returned" or right[0] != "returned":
            return left == right
        return self.equal(left[1], right[1])


class StateViews(Views):
    """Shows calls on states. A structure is an object of the root's own class."""

    def returned(self, call: PerformedCall) -> View:
        return "returned", self._view(call.returned, call.root)

    def _view(self, value: Any, root: Any) -> View:
        if value is root:
            return "root", None
        abstraction = self._spec.abstraction
        if abstraction is None or type(value) is not type(root):
            return "value", value
        return ("abstract", abstraction(value)) if self._spec.rep_ok(value) else ("concrete", value)

    def holds(self, call: PerformedCall) -> Any:
        return self._spec.rep_ok(call.root)

    def after(self, call: PerformedCall) -> list[View]:
        root, abstraction = call.root, self._spec.abstraction
        views: list[View] = [("concrete", root) if abstraction is None else ("abstract", abstraction(root))]
        views += [self._view(argument, root) for argument in call.arguments]
        if self._concrete:
            views.append(("concrete", [root, *call.arguments]))
        return views

    def structures(self, call: PerformedCall) -> list[Any]:
        return [] if call.root is None else [call.root]

    def answer(self, answer: Any, call: PerformedCall) -> View:
        return self._view(answer, call.root)


class SequenceViews(Views):
    """Shows the calls of sequences. A structure is an object whose class derives from the root's class."""

    def __init__(self, spec: Spec, concrete: bool, omits: Omits, root_class: type | None) -> None:
        super().__init__(spec, concrete, omits)
        self._root_class = root_class

    def of(self, root_class: type | None) -> SequenceViews:
        """Return the views of another module's objects, of which this is the root's class."""
        return SequenceViews(self._spec, self._concrete, self._omits, root_class)

    def _is_structure(self, value: Any) -> bool:
        return self._root_class is not None and self._root_class in type(value).__mro__

    def returned(self, call: PerformedCall) -> View:
        returned = call.returned
        if call.constructs and is_object(returned):
            return "made", type(returned).__qualname__
        for number, held in call.objects.items():
            if held is returned:
                return "same", number
        return "returned", self._view(returned)

    def _view(self, value: Any) -> View:
        if not self._is_structure(value):
            return "value", value
        if not self._spec.rep_ok(value):
            return "invalid", value
        abstraction = self._spec.abstraction
        return ("concrete", value) if abstraction is None else ("abstract", abstraction(value))

    def holds(self, call: PerformedCall) -> Any:
        return not self._is_structure(call.root) or self._spec.rep_ok(call.root)

    def after(self, call: PerformedCall) -> list[View]:
        root, abstraction = call.root, self._spec.abstraction
        is_abstract = abstraction is not None and self._is_structure(root)
        views: list[View] = [("abstract", abstraction(root)) if abstraction and is_abstract else ("concrete", root)]
        other_parts = [*call.other_objects, *call.changeable]
        views += [self._view(held) for held in other_parts]
        if self._concrete:
            views.append(("concrete", [root, *other_parts]))
        return views

    def structures(self, call: PerformedCall) -> list[Any]:
        return [held for held in (call.root, *call.other_objects) if self._is_structure(held)]

    def answer(self, answer: Any, call: PerformedCall) -> View:
        same = [number for number, held in call.objects.items() if held is answer]
        return ("same", same[0]) if same else self._view(answer)
