"""The fast path: makes a state once from its bytes, executes each call on it, and undoes the call's changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import ModuleType
from typing import Any, NamedTuple

from harness.generators.sequences.compiled_states import CompiledStates, Saved, Shapes
from harness.generators.sequences.namespaces import Namespaces, NotCompilable, check_module
from harness.generators.sequences.replay import CallFailed, Rejects, ReplayExecutor, permitted
from harness.generators.sequences.structures import (
    CallChoice,
    CallResult,
    Rows,
    SeenStructures,
    Structure,
    length,
    results,
)
from harness.kernel.inputs.routines import ReadyCall, Routines, with_keywords
from harness.kernel.objects.encoding import ODD, PLAIN
from harness.model.routines import Fixed, Made, Routine, RoutineKind

_MOST_LOOKED_AT = 4096
"""The largest number of structures that are cached for the evaluation of preconditions."""


class _Planned(NamedTuple):
    """The calls of one routine: a function that binds it to a receiver, and arguments, or None if each call needs
    fresh ones.
    """

    routine: Routine
    bind: Callable[[Any], Callable[..., Any]]
    calls: list[tuple[CallChoice, Sequence[Any] | None]]


class SnapshotExecutor(ReplayExecutor):
    """Executes calls like `Anew`, for states for which functions can be compiled.

    Args:
        known: keys of structures that results leave out; None: results have all structures.

    Raises:
        NotCompilable: by any method, at states that need the general path.
    """

    restores = True

    def __init__(
        self,
        routines: Routines,
        rows: Rows,
        discards_failures: bool,
        rejects: Rejects,
        seen_structures: SeenStructures | None,
        module: ModuleType,
    ) -> None:
        super().__init__(routines, rows, discards_failures, rejects)
        check_module(module)
        self._seen_structures = seen_structures
        values = (value for routine in routines.routines for p in routine.parameters for value in p.values)
        self._namespaces = Namespaces(module, [value for value in values if type(value) in PLAIN])
        self._shapes = Shapes(self.matcher.omits, self._namespaces)
        self._compile()
        self._plans: dict[int, tuple[Sequence[CallChoice], list[_Planned]]] = {}
        self._looked: dict[tuple[int, bytes], tuple[Any, Saved]] = {}

    def extend(self, parts: Sequence[Structure], choices: Sequence[CallChoice]) -> list[CallResult]:
        """Execute the calls like `Anew.extend`, but leave out results whose structures were seen before."""
        if not parts:
            return super().extend(parts, choices)
        results: list[CallResult] = []
        if len(parts) == 1 and self._routines.routines[choices[0].target].has_receiver:
            self._extend_one(parts[0], choices, results)
        else:
            self._extend_many(parts, choices, results)
        return results

    def permits(self, parts: Sequence[Structure], choices: Sequence[CallChoice]) -> list[CallChoice]:
        """Return the permitted calls, like `Anew.permits`."""
        routines = self._routines.routines
        if all(routines[choice.target].requires is None for choice in choices):
            return list(choices)
        states = list(map(self._looked_at, range(len(parts)), parts))
        roots = [root for root, _ in states]
        permitted_choices = []
        for choice in choices:
            if permitted(*self._call_parts(choice, roots)):
                permitted_choices.append(choice)
            for _, saved in states:
                self._undo(saved)  # a precondition may have changed the objects
        return permitted_choices

    def _looked_at(self, position: int, part: Structure) -> tuple[Any, Saved]:
        """Return a decoded structure: the same object for each request at that position."""
        decoded = self._looked.get((position, part.encoding))
        if decoded is None:
            if len(self._looked) >= _MOST_LOOKED_AT:
                self._looked.clear()
            decoded = self._looked[position, part.encoding] = self._states.decode(part.encoding)
        return decoded

    def _call_parts(self, choice: CallChoice, roots: Sequence[Any]) -> tuple[Routine, Any, Sequence[Any]]:
        """Return the routine of a call on objects, its receiver, and the other arguments."""
        routine = self._routines.routines[choice.target]
        left = iter(roots)
        receiver = next(left) if routine.has_receiver else None
        pairs = zip(routine.parameters, choice.indices, strict=True)
        return routine, receiver, [next(left) if i is None else self._routines.argument(p, i, ()) for p, i in pairs]

    def key_and_bytes(self, root: Any) -> tuple[bytes | None, bytes]:
        """Return the key of a structure, and its bytes."""
        key = self.key(root)
        return key, b"" if key is None else self._whole(root, key)

    def key(self, root: Any) -> bytes | None:
        """Return the canonical form of a structure; None if it is beyond the bounds."""
        while True:
            try:
                return self._states.key(root)
            except ODD as error:
                self._learn(root, error)

    def _whole(self, root: Any, key: bytes) -> bytes:
        """Return the bytes of the whole state that has that key."""
        while self._states.whole is not self._states.key:
            try:
                return self._states.whole(root) or b""
            except ODD as error:
                self._learn(root, error)
        return key

    def _learn(self, root: Any, error: Exception) -> None:
        if not self._shapes.learn(root):
            raise NotCompilable(f"a state that cannot be written ({error})") from None
        self._compile()

    def _compile(self) -> None:
        self._states = CompiledStates(self._shapes, self._routines.scope)

    def _extend_one(self, structure: Structure, choices: Sequence[CallChoice], call_results: list[CallResult]) -> None:  # noqa: C901 (a hot loop)
        """Execute calls on a structure that take no other object."""
        states, seen, drops = self._states, self._seen_structures, self._drops
        root, saved = states.decode(structure.encoding)
        unchanged, restore = states.unchanged, states.restore
        for planned in self._plan(choices):
            try:
                function = planned.bind(root)
            except AttributeError:
                function = self._routines.method(root, planned.routine.name)  # raises an error: there is no such method
            requires = planned.routine.requires
            for choice, arguments in planned.calls:
                if requires is not None and not permitted(*self._call_parts(choice, [root])):
                    continue
                self.at = choice
                try:
                    result = function(*(self._fresh(choice) if arguments is None else arguments))
                except Exception as error:
                    if not drops(error):
                        raise CallFailed((structure,), choice, error) from None
                    restore(saved)
                    continue
                is_told = seen is None or type(result) not in PLAIN
                try:
                    if not is_told and unchanged(saved):
                        continue
                except (KeyError, AttributeError):
                    pass  # a field is missing
                if is_told:
                    self._append_results((structure,), choice, [root], result, call_results)
                else:
                    key = self.key(root)
                    if key is not None and key not in seen:  # type: ignore[operator]
                        whole, names = self._whole(root, key), structure.names
                        rejected = self._rejects(key, names, root)  # rep_ok may change the object: bytes come first
                        call_results.append(CallResult(choice, structure.result, names, key, whole, rejected))
                if states is not self._states:
                    states = self._states
                    unchanged, restore = states.unchanged, states.restore
                    saved += [[] for _ in range(len(self._shapes.kinds) - len(saved))]
                restore(saved)

    def _extend_many(
        self, parts: Sequence[Structure], choices: Sequence[CallChoice], call_results: list[CallResult]
    ) -> None:
        """Execute calls that take several structures."""
        states = [self._states.decode(part.encoding) for part in parts]
        roots = [root for root, _ in states]
        for choice in choices:
            ready = self._ready(choice, roots)
            if not permitted(ready.routine, ready.receiver, ready.arguments):
                continue
            self.at = choice
            try:
                result = ready.function(*ready.passed)
            except Exception as error:
                if not self._drops(error):
                    raise CallFailed(parts, choice, error) from None
            else:
                self._append_results(parts, choice, roots, result, call_results)
            for _, saved in states:
                self._undo(saved)

    def _append_results(
        self,
        parts: Sequence[Structure],
        choice: CallChoice,
        roots: Sequence[Any],
        result: Any,
        call_results: list[CallResult],
    ) -> None:
        """Append the structures that a call has left to `call_results`, except known ones."""
        left = [(part.names, number, root) for part, number, root in zip(parts, results(parts), roots, strict=True)]
        if type(result) not in PLAIN:
            left.append((self.names(type(result)), length(parts), result))
        new = []
        for names, number, root in left:
            if names:
                key = self.key(root)
                if key is None:
                    return
                if self._seen_structures is None or key not in self._seen_structures:
                    new.append((root, CallResult(choice, number, names, key, self._whole(root, key))))
        call_results += [one._replace(rejected=self._rejects(one.key, one.names, root)) for root, one in new]

    def _undo(self, saved: Saved) -> None:
        while len(saved) < len(self._shapes.kinds):
            saved.append([])  # for a kind that was learned since
        self._states.restore(saved)

    def _drops(self, error: Exception) -> bool:
        """Return whether a call that raised is dropped, not reported."""
        return self._discards or self._routines.is_misuse(error)

    def _plan(self, choices: Sequence[CallChoice]) -> list[_Planned]:
        entry = self._plans.get(id(choices))
        if entry is None:
            plan = []
            for target, group in groupby(choices, lambda choice: choice.target):
                routine = self._routines.routines[target]
                plan.append(
                    _Planned(routine, self._binder(target), [(choice, self._arguments(choice)) for choice in group])
                )
            entry = self._plans[id(choices)] = (choices, plan)  # with the choices, so that no id is used twice
        return entry[1]

    def _binder(self, target: int) -> Callable[[Any], Callable[..., Any]]:
        """Return a function that takes a receiver and returns the function of the other arguments."""
        routine = self._routines.routines[target]
        if routine.kind is RoutineKind.METHOD and not routine.keywords:
            return attrgetter(routine.name)
        if routine.kind is RoutineKind.METHOD:
            return lambda root: with_keywords(self._routines.method(root, routine.name), routine.keywords)
        function = self._routines.function(target)
        return lambda root: partial(function, root)

    def _arguments(self, choice: CallChoice) -> Sequence[Any] | None:
        routine = self._routines.routines[choice.target]
        values = [p.values[index or 0] for p, index in zip(routine.parameters, choice.indices, strict=True)]
        return None if any(isinstance(value, (Fixed, Made)) for value in values) else self._fresh(choice)

    def _fresh(self, choice: CallChoice) -> tuple[Any, ...]:
        routine = self._routines.routines[choice.target]
        return tuple(
            self._routines.argument(p, index or 0, ())
            for p, index in zip(routine.parameters, choice.indices, strict=True)
        )

    def _ready(self, choice: CallChoice, roots: Sequence[Any]) -> ReadyCall:
        """Prepare a call on objects."""
        call = choice.call(self._routines.routines[choice.target], range(len(roots)))
        return self._routines.ready(call, roots)
