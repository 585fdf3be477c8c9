"""The general path: executes every sequence from its constructor on, so states may hold objects of any kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.calls import CallChoice, ScopeClasses
from harness.generators.sequences.matching import Matcher, reachable
from harness.generators.sequences.structures import CallResult, Rows, Structure, length, results
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.reading import ATOMS, contents, stored_fields
from harness.kernel.specs.spec import exception_summary
from harness.model.routines import Routine


class CallFailed(Exception):
    """A call raised an exception that is no misuse: a failure (beapi2023, Figure 4, line 15)."""

    def __init__(self, parts: Sequence[Structure], choice: CallChoice, error: BaseException) -> None:
        super().__init__(str(choice))
        self.parts, self.choice, self.error = parts, choice, error


UNSTEADY = (
    "the state depends on chance, time or earlier calls: leave the field out by s.omit(...), or make the "
    "program deterministic"
)


Rejects = Callable[[bytes, Sequence[str], Any], bool]
"""A function that returns whether an object is invalid; it takes the key, the scope's class names and the object."""


def _rejects_nothing(key: bytes, names: Sequence[str], value: Any) -> bool:
    return False


class ReplayExecutor:
    """Executes calls on structures, each of which is rebuilt by its sequence.

    Args:
        rejects: called with each object that a call leaves.

    Attributes:
        at: the call that is being executed, or was executed last.
        restores: whether states are made from bytes.
    """

    at: CallChoice | None = None
    restores = False

    def __init__(
        self, routines: Routines, rows: Rows, discards_failures: bool, rejects: Rejects = _rejects_nothing
    ) -> None:
        self._rejects = rejects
        self._routines = routines
        self._rows = rows
        self._discards = discards_failures
        self.names = ScopeClasses(routines.scope).names
        self.matcher = Matcher(routines.scope)

    def extend(self, parts: Sequence[Structure], choices: Sequence[CallChoice]) -> list[CallResult]:
        """Execute each of the calls on parts, and return the objects that it took and its result.

        Leave out calls that are misuse, or that leave one of these objects beyond the bounds.

        Raises:
            CallFailed: a call raises an exception that is no misuse, and failures are not discarded.
        """
        extensions: list[CallResult] = []
        named_results = [(number, part.names) for number, part in zip(results(parts), parts, strict=True)]
        for choice in choices:
            self.at = choice
            held = self.reach(parts)
            ready = self._routines.ready(self._rows.call(parts, choice), held)
            if not permitted(ready.routine, ready.receiver, ready.arguments):
                continue
            try:
                result = ready.function(*ready.passed)
            except Exception as error:
                if not self._discards and not self._routines.is_misuse(error):
                    raise CallFailed(parts, choice, error) from None
                continue
            left = [(held[number], number, names) for number, names in named_results]
            left.append((result, length(parts), self.names(type(result))))
            encoded = [(number, names, value, *self.key_and_bytes(value)) for value, number, names in left if names]
            if all(key is not None for *_, key, _ in encoded):
                extensions += [
                    CallResult(choice, number, names, key or b"", whole, self._rejects(key or b"", names, value))
                    for number, names, value, key, whole in encoded
                ]
        return extensions

    def permits(self, parts: Sequence[Structure], choices: Sequence[CallChoice]) -> list[CallChoice]:
        """Return the calls whose preconditions hold on parts."""
        routines = self._routines.routines
        if all(routines[choice.target].requires is None for choice in choices):
            return list(choices)
        held = self.reach(parts)
        ready = [(c, self._routines.ready(self._rows.call(parts, c), held)) for c in choices]
        return [c for c, one in ready if permitted(one.routine, one.receiver, one.arguments)]

    def key_and_bytes(self, root: Any) -> tuple[bytes | None, bytes]:
        """Return the key of a structure, and the bytes from which it can be made again."""
        return self.key(root), b""

    def key(self, root: Any) -> bytes | None:
        """Return the canonical form of a structure; None if it is beyond the bounds."""
        return self.matcher.key(root)

    def reach(self, parts: Sequence[Structure]) -> list[Any]:
        """Execute the concatenated sequences of the parts, and return the results of all calls.

        Raises:
            SpecError: a call raises, though it did not before.
        """
        held: list[Any] = []
        for part in parts:
            held += self.execute(self._rows.sequence(part.state))
        return held

    def execute(self, calls: Sequence[Call]) -> list[Any]:
        """Execute a sequence, and return the results of its calls.

        Raises:
            SpecError: a call raises, though it did not before.
        """
        held: list[Any] = []
        for call in calls:
            ready = self._routines.ready(call, held)
            try:
                held.append(ready.function(*ready.passed))
            except Exception as error:
                text = show_sequence(self._routines.scope, calls[: len(held) + 1])
                raise SpecError(
                    f"{text} raised {exception_summary(error)} when it was executed again; {UNSTEADY}"
                ) from None
        return held


def permitted(routine: Routine, receiver: Any, arguments: Sequence[Any]) -> bool:
    """Return whether a call's precondition holds.

    Raises:
        SpecError: the precondition raises.
    """
    if routine.requires is None:
        return True
    try:
        return bool(routine.requires(receiver, *arguments))
    except Exception as error:
        raise SpecError(
            f"what {routine.name!r} requires raised {exception_summary(error)}; make it say True or False"
        ) from None


_REPEATED = 16
"""How often a sequence is executed to find a difference between two states that are known to differ."""


def unsteady(path: ReplayExecutor, task: SequenceTask, calls: Sequence[Call], result: int, key: bytes) -> None:
    """Execute a sequence once more.

    Raises:
        SpecError: it leads to another structure than before, so its state cannot be relied on.
    """
    text = show_sequence(task.bounds, calls)
    root = path.execute(calls)[result]
    if path.key(root) != key:
        where = _difference(path, calls, result, root)
        raise SpecError(
            f"{task.module.__file__}: {text} leads to another state when it is executed again: {where}; {UNSTEADY}"
        )


def _difference(path: ReplayExecutor, calls: Sequence[Call], result: int, root: Any) -> str:
    """Describe the first field that has another value after one of several further executions."""
    omits = path.matcher.scope.omission()
    for _ in range(_REPEATED):
        again = path.execute(calls)[result]
        for one, other in zip(reachable(root, omits), reachable(again, omits), strict=False):
            for (name, held), (_, another) in zip(_named_parts(one, omits), _named_parts(other, omits), strict=False):
                if (type(held), held if type(held) in ATOMS else 0) != (
                    type(another), another if type(another) in ATOMS else 0,
                ):  # fmt: skip
                    return f"{name} is {held!r}, then {another!r}"
    return "its objects are others, or in another order (as those of a set are that are told apart by their addresses)"


def _named_parts(value: Any, omits: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields of an object by their full names, and the elements and the length of a container."""
    name = type(value).__qualname__
    held = contents(value)
    if held or type(value).__module__ == "builtins":
        yield f"the length of a {name}", len(held)
        yield from ((f"an element of a {name}", element) for element in held)
    yield from ((f"{name}.{field}", content) for field, content in stored_fields(value, omits).items())
