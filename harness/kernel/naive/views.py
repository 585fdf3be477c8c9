"""Shows what a call did in a comparable form: for states and for sequences of calls.

A view is a pair: its first part says how the second one is compared, and views with different first parts differ.
"""

from __future__ import annotations

from typing import Any

from harness.kernel.naive.calling import PerformedCall, is_object, limit_recursion
from harness.kernel.naive.equality import Omits, equal_values, nothing_omitted
from harness.kernel.specs.spec import Spec

View = tuple[str, Any]

_BY_IDENTITY = ("concrete", "invalid")
"""Views of objects whose inner sharing is compared, too."""


class Views:
    """Shows the calls of sequences. A structure is an object whose class derives from the root's class.

    Args:
        spec: rep_ok and abstraction.
        concrete: True if post-states are compared by structure, too.
        omits: the names of attributes that are not compared.
        root_class: the root's class; None if there is none.
    """

    def __init__(self, spec: Spec, concrete: bool, omits: Omits, root_class: type | None) -> None:
        self._spec = spec
        self._concrete = concrete
        self._omits = omits
        self._root_class = root_class

    def _is_structure(self, value: Any, root: Any) -> bool:
        return self._root_class is not None and self._root_class in type(value).__mro__

    def outcome(self, call: PerformedCall) -> View:
        """Return the view of the call's exception, or of the value that it returned. StepLimit passes."""
        limit_recursion(more=1)
        if call.raised is not None:
            return "raised", call.raised
        try:
            return self.returned(call)
        except Exception as error:
            return "unclear", type(error).__qualname__

    def returned(self, call: PerformedCall) -> View:
        """Return the view of the value that a call returned."""
        if call.constructs and is_object(call.returned):
            return "made", type(call.returned).__qualname__
        answer = self.answer(call.returned, call)
        return answer if answer[0] == "same" else ("returned", answer)

    def answer(self, answer: Any, call: PerformedCall) -> View:
        """Return the view of a value that the program gives after the call, as an observer's answer."""
        same = [number for number, held in call.objects.items() if held is answer]
        return ("same", same[0]) if same else self._view(answer, call.root)

    def _view(self, value: Any, root: Any) -> View:
        if value is root:
            return "root", None
        if not self._is_structure(value, root):
            return "value", value
        if not self._spec.rep_ok(value):
            return "invalid", value
        abstraction = self._spec.abstraction
        return ("concrete", value) if abstraction is None else ("abstract", abstraction(value))

    def holds(self, call: PerformedCall) -> Any:
        """Return the answer of rep_ok for the root after the call."""
        return not self._is_structure(call.root, call.root) or self._spec.rep_ok(call.root)

    def after(self, call: PerformedCall) -> list[View]:
        """Return the views of the objects after the call, that of the root first."""
        root, abstraction = call.root, self._spec.abstraction
        is_abstract = abstraction is not None and self._is_structure(root, root)
        views: list[View] = [("abstract", abstraction(root)) if abstraction and is_abstract else ("concrete", root)]
        other_parts = [*call.other_objects, *call.changeable]
        views += [self._view(held, root) for held in other_parts]
        if self._concrete:
            views.append(("concrete", [root, *other_parts]))
        return views

    def structures(self, call: PerformedCall) -> list[Any]:
        """Return the objects after the call whose observers may be asked."""
        return [held for held in (call.root, *call.other_objects) if self._is_structure(held, call.root)]

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
    """Shows calls on states. With an abstraction, a structure is an object of the root's own class."""

    def _is_structure(self, value: Any, root: Any) -> bool:
        return self._spec.abstraction is not None and type(value) is type(root)

    def holds(self, call: PerformedCall) -> Any:
        return self._spec.rep_ok(call.root)

    def structures(self, call: PerformedCall) -> list[Any]:
        return [] if call.root is None else [call.root]
