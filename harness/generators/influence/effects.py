"""The effects of a routine: the names of fields that it may read and write (jtestcraft2010, section 4.3.1).

Those of Python's own functions and methods are known as far as candidates need them.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.kernel.program.builtin_effects import BUILTINS, CallEffects, is_exception

ELEMENTS = "[]"
"""The location for elements, order and length of all lists, sets, dicts and other collections."""
ANYTHING = "*"
"""The location for all other effects, which the source does not show."""

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Effects:
    """Locations that a routine may access.

    Locations are names of fields, whatever the object, `variable x` of the module, ELEMENTS and ANYTHING.

    Attributes:
        writes: the locations that may be assigned, or whose elements may be added or removed.
        reads: the locations that may be read.
        shared: the locations of both kinds that two calls may have in common without a common object: variables of
            the module and fields of classes.
    """

    writes: frozenset[str] = _NONE
    reads: frozenset[str] = _NONE
    shared: frozenset[str] = _NONE

    def __or__(self, other: Effects) -> Effects:
        """Return the effects of both, executed one after the other in any order."""
        return Effects(self.writes | other.writes, self.reads | other.reads, self.shared | other.shared)

    def feeds(self, later: Effects) -> bool:
        """Return whether it may write a location that `later` reads: a define-use or a store-load pair."""
        return meet(self.writes, later.reads)

    def commutes_with(self, other: Effects) -> bool:
        """Return whether neither writes a location that the other reads or writes."""
        return not (self.feeds(other) or other.feeds(self) or meet(self.writes, other.writes))

    def shares(self, other: Effects) -> bool:
        """Return whether both may access the same object although no object is passed to both."""
        return meet(self.shared, other.shared)


NO_EFFECTS = Effects()
ANY_EFFECTS = Effects(frozenset({ANYTHING}), frozenset({ANYTHING}), frozenset({ANYTHING}))


def meet(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two sets have a location in common, where ANYTHING equals every location."""
    if ANYTHING in one or ANYTHING in other:
        return bool(one and other)
    return not one.isdisjoint(other)


def words(text: str) -> frozenset[str]:
    """Return the set of the names in a text."""
    return frozenset(text.split())


COMPARING = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__"})
ITERATING = frozenset({"__iter__", "__next__", "__reversed__", "__len__", "__getitem__", "__contains__"})
TRUTH = frozenset({"__bool__", "__len__"})
SHOWING = frozenset({"__str__", "__repr__", "__format__"})
"""Special methods that an operation may call, by kind of operation."""
CREATING = frozenset({"__init__", "__new__", "__post_init__"})

_ELEMENTARY_MODULES = words(
    "array bisect cmath collections decimal fractions functools heapq itertools math numbers operator statistics string"
)
"""Modules of the standard library whose functions access the elements of their arguments, but no field."""
_SILENT_MODULES = words("__future__ abc dataclasses enum typing typing_extensions warnings")

CONTAINERS = words(
    "Counter OrderedDict UserDict UserList bytes defaultdict deque dict float frozenset int list set str tuple"
)
"""Base classes whose own methods access the object's elements and no field of a program."""
MIXINS = words(
    "Collection Container ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence "
    "MutableSet Reversible Sequence Set Sized ValuesView"
)
"""Base classes, of collections.abc, whose methods call special ones of the program."""
SILENT_BASES = words("ABC Enum Flag Generic IntEnum IntFlag NamedTuple Protocol StrEnum TypedDict object")
"""Base classes whose methods have no relevant effect."""
SILENT_DECORATORS = words(
    "abstractmethod classmethod contextmanager dataclass deleter final getter overload override property "
    "recursive_repr runtime_checkable setter staticmethod total_ordering unique wraps"
)


def of_builtin(name: str) -> CallEffects | None:
    """Return the effects of a builtin that is called by name; None: it may do anything."""
    return CallEffects.NOTHING if is_exception(name) else BUILTINS.get(name)


def of_module(name: str) -> CallEffects | None:
    """Return the effects of the functions of an imported module, by its dotted name; None: they may do anything."""
    first = name.partition(".")[0]
    if first in _SILENT_MODULES:
        return CallEffects.NOTHING
    return CallEffects.CHANGES if first in _ELEMENTARY_MODULES else None
