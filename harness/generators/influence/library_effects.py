"""The effects of Python's own functions and methods on fields and elements, as far as candidates need them."""

from __future__ import annotations

from enum import Enum

from harness.kernel.program import builtin_effects


def words(text: str) -> frozenset[str]:
    """Return the set of the names in a text."""
    return frozenset(text.split())


class CallEffect(Enum):
    """The effects of a call, apart from those of its arguments."""

    NOTHING = "nothing"
    READS = "reads elements"
    CHANGES = "reads and changes elements"
    ANYTHING = "anything"


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


def of_builtin(name: str) -> CallEffect:
    """Return the effects of a builtin that is called by name."""
    return CallEffect.NOTHING if builtin_effects.is_exception(name) else _effects(builtin_effects.BUILTINS.get(name))


def of_module(name: str) -> CallEffect:
    """Return the effects of the functions of an imported module, by its dotted name."""
    first = name.partition(".")[0]
    if first in _SILENT_MODULES:
        return CallEffect.NOTHING
    return CallEffect.CHANGES if first in _ELEMENTARY_MODULES else CallEffect.ANYTHING


def of_method(name: str) -> CallEffect:
    """Return the effects of a method that the program does not define, by its name."""
    return _effects(builtin_effects.METHODS.get(name))


def _effects(properties: builtin_effects.CallEffects | None) -> CallEffect:
    if properties is None:
        return CallEffect.ANYTHING
    if builtin_effects.CallEffects.CHANGES in properties:
        return CallEffect.CHANGES
    return CallEffect.READS if builtin_effects.CallEffects.READS in properties else CallEffect.NOTHING
