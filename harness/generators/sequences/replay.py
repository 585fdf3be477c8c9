"""The general path: executes every sequence from its constructor on, so states may hold objects of any kind.

States are matched by canonical forms, those of `concrete` (the linearization of beapi2023, Figure 3, for every kind of
Python state), without the fields that the scope omits. A structure is within the bounds by the objects of each class,
and the elements of each container.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from math import isfinite
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.structures import (
    CallChoice,
    CallResult,
    Rows,
    ScopeClasses,
    Structure,
    length,
    results,
)
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.content import untold
from harness.kernel.objects.equality import UNTOLD_MARK, NotCanonical, concrete
from harness.kernel.objects.reading import ATOMS, CONTAINERS, contents, stored_fields, walked
from harness.kernel.specs.spec import exception_summary
from harness.kernel.specs.tokens import Token
from harness.model.routines import Routine
from harness.model.sequence import SequenceScope

BOUNDED = (list, dict, set, deque)
"""Types whose elements the bounds count."""
CONSTANTS = (type, Token, Enum, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""Types of objects that belong to the program, not to a state."""

MOST_BYTES = 1 << 20
"""The largest canonical form of a structure; one that is larger has grown beyond what tells states apart."""


class Size(NamedTuple):
    """The largest size that something of a kind had in a round, and whether the scope bounds it."""

    kind: str
    most: float
    bounded: bool


KINDS = ("objects", "elements", "parts", "characters", "fraction", "number")
"""The kinds of sizes, in the order in which they explain others."""


class Matcher:
    """Computes the canonical forms of structures as keys, and checks their bounds."""

    def __init__(self, scope: SequenceScope) -> None:
        self.scope = scope
        self.omits = scope.omission()

    def key(self, root: Any) -> bytes | None:
        """Return the canonical form of a structure; None if it is beyond the bounds.

        Raises:
            SpecError: it has none.
        """
        values = reachable(root, self.omits)
        if not self._are_within(root, values):
            return None
        try:
            key = concrete(root, omits=self.omits)
        except (NotCanonical, RecursionError) as error:
            raise SpecError(
                f"a {type(root).__qualname__} has a state that cannot be matched with others ({error}); leave out what "
                "does not tell states apart by s.omit(field)"
            ) from None
        except ValueError:  # a number with more digits than Python writes
            key = None
        if key is None or len(key) > MOST_BYTES:
            largest = max(sizes_of(root, self.scope), key=lambda one: one[1].most)
            raise SpecError(f"a state grows without end; {growing(dict([largest]), self.scope)}")
        if UNTOLD_MARK in key:  # all objects of the type would be equal
            for place, kind in untold([root], self.omits):
                if place and kind != "object":  # a sentinel
                    raise SpecError(
                        f"{place} holds an object of C whose content cannot be read (a file, a lock, a "
                        f"coroutine: {kind}); leave the field out by s.omit({place.rpartition('.')[2]!r})"
                    )
        return key

    def is_within(self, root: Any) -> bool:
        """Return whether the scope allows the numbers of elements, and of objects of a class apart from the root."""
        return self._are_within(root, reachable(root, self.omits))

    def _are_within(self, root: Any, values: Iterable[Any]) -> bool:
        counts: Counter[str] = Counter()
        most = self.scope.most_elements
        for value in values:
            if isinstance(value, CONTAINERS):
                if most is not None and isinstance(value, BOUNDED) and len(value) > most:
                    return False
            elif value is not root and is_counted(value):
                counts[type(value).__qualname__] += 1
        for name, count in counts.items():
            bound = self.scope.most_of(name)
            if bound is not None and count > bound:
                return False
        return True


def is_counted(value: Any) -> bool:
    """Return whether the bounds count a value: it is an object with fields, and no constant of the program."""
    cls = type(value)
    if isinstance(value, CONSTANTS):
        return False
    return bool(cls.__dictoffset__) or any("__slots__" in vars(base) for base in cls.__mro__)


def reachable(root: Any, omits: Callable[[str], bool] | None) -> list[Any]:
    """Return all values below a root that are no atoms, each once, the root first."""

    def inner(value: Any) -> list[Any]:
        held = [*contents(value), *stored_fields(value, omits).values()]
        return [one for one in held if not (type(one) in ATOMS or isinstance(one, CONSTANTS))]

    return [] if type(root) in ATOMS or isinstance(root, CONSTANTS) else list(walked([root], inner))


def sizes_of(root: Any, bounds: SequenceScope) -> list[tuple[str, Size]]:
    """Return the sizes of the fields of all objects of a structure, and the numbers of objects of each class."""
    omits = bounds.omission()
    objects: Counter[str] = Counter()
    sizes: list[tuple[str, Size]] = []
    seen: dict[int, Any] = {}
    agenda: list[tuple[str, Any]] = [(type(root).__qualname__, root)]
    while agenda:
        name, value = agenda.pop()
        kind = type(value)
        if kind in ATOMS:
            sizes.append((name, _size_of_atom(value)))
        elif id(value) not in seen and not isinstance(value, CONSTANTS):
            seen[id(value)] = value
            held = contents(value)
            if isinstance(value, CONTAINERS):
                is_bounded = bounds.most_elements is not None and isinstance(value, BOUNDED)
                sizes.append((name, Size("elements" if isinstance(value, BOUNDED) else "parts", len(held), is_bounded)))
                agenda += [
                    (name if name.startswith("an element of ") else f"an element of {name}", one) for one in held
                ]
            elif value is not root and is_counted(value):
                objects[kind.__qualname__] += 1
            agenda += [(f"{kind.__qualname__}.{field}", one) for field, one in stored_fields(value, omits).items()]
    sizes += [(name, Size("objects", count, bounds.most_of(name) is not None)) for name, count in objects.items()]
    return sizes


def _size_of_atom(value: Any) -> Size:
    """Return the size of a value; that of a fraction grows if it tends to 0."""
    if isinstance(value, (str, bytes)):
        return Size("characters", len(value), False)
    if not isinstance(value, float):
        return Size("number", abs(value or 0), False)
    if not value or not isfinite(value):
        return Size("number", 0, False)
    return Size("number", abs(value), False) if abs(value) >= 1 else Size("fraction", 1 / abs(value), False)


def growing(sizes: Mapping[str, Size], bounds: SequenceScope) -> str:
    """Name the thing without a bound, of those that grow, that explains the others, and the call that bounds it."""
    unbounded = {name: size for name, size in sizes.items() if not size.bounded}
    if not unbounded:
        return "bound it by s.length(...), or leave out what does not tell states apart by s.omit(...)"
    name = min(unbounded, key=lambda one: (KINDS.index(unbounded[one].kind), -unbounded[one].most))
    size = unbounded[name]
    most = f"{size.most:.6g}" if size.most < 1 << 64 else f"a number of {int(size.most).bit_length()} bits"
    if size.kind == "objects":
        return f"there are {most} objects of class {name}, and ever more: bound them by s.objects(...)"
    bound = "s.elements(...)" if size.kind == "elements" else "s.length(...)"
    seen = {"number": f"the value {most}", "fraction": f"the value 1/{most}"}.get(size.kind, f"{most} {size.kind}")
    omitted = name.rpartition(".")[2]
    return f"{name} has {seen}, and grows: bound it by {bound}, or leave it out by s.omit({omitted!r})"


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
