"""General state matching: decides whether two structures are the same, and whether one is within the bounds.

Canonical forms are those of `concrete` (the linearization of beapi2023, Figure 3, for every kind of Python state),
without the fields that the scope omits. Objects are counted by class, and elements by container.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from math import isfinite
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.kernel.objects.content import untold
from harness.kernel.objects.equality import UNTOLD_MARK, NotCanonical, concrete
from harness.kernel.objects.reading import ATOMS, CONTAINERS, contents, stored_fields, walked
from harness.kernel.specs.tokens import Token
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
