"""The effects of Python's own functions and methods on fields and elements, as far as candidates need them."""

from __future__ import annotations

import builtins
from enum import Enum


def words(text: str) -> frozenset[str]:
    """Return the set of the names in a text."""
    return frozenset(text.split())


class Does(Enum):
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

_QUIET = words(
    "NotImplemented abs bin bool callable chr classmethod complex divmod float hex id int isinstance issubclass object "
    "oct ord pow property range round slice staticmethod super type"
)
_READING = words(
    "all any bytearray bytes dict enumerate filter format frozenset hash iter len list map max memoryview min print "
    "repr reversed set sorted str sum tuple zip"
)
_CHANGING = frozenset({"next"})

_READING_METHODS = words(
    "__contains__ __eq__ __ge__ __getitem__ __gt__ __hash__ __iter__ __le__ __len__ __lt__ __ne__ __repr__ "
    "__reversed__ __str__ as_integer_ratio bit_count bit_length capitalize casefold center copy count decode "
    "difference elements encode endswith expandtabs find format fromkeys get hex index intersection is_integer isalnum "
    "isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable isspace issubset "
    "issuperset istitle isupper items join keys ljust lower lstrip most_common partition removeprefix removesuffix "
    "replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase "
    "symmetric_difference title to_bytes total translate union upper values zfill"
)
_CHANGING_METHODS = words(
    "__delitem__ __iadd__ __ior__ __next__ __setitem__ add append appendleft clear difference_update discard extend "
    "extendleft insert intersection_update move_to_end pop popitem popleft remove reverse rotate setdefault sort "
    "subtract symmetric_difference_update update"
)

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


def is_exception(name: str) -> bool:
    """Return whether a builtin of that name is a class of exceptions."""
    builtin = getattr(builtins, name, None)
    return isinstance(builtin, type) and issubclass(builtin, BaseException)


def of_builtin(name: str) -> Does:
    """Return the effects of a builtin that is called by name."""
    if name in _QUIET or is_exception(name):
        return Does.NOTHING
    if name in _READING:
        return Does.READS
    return Does.CHANGES if name in _CHANGING else Does.ANYTHING


def of_module(name: str) -> Does:
    """Return the effects of the functions of an imported module, by its dotted name."""
    first = name.partition(".")[0]
    if first in _SILENT_MODULES:
        return Does.NOTHING
    return Does.CHANGES if first in _ELEMENTARY_MODULES else Does.ANYTHING


def of_method(name: str) -> Does:
    """Return the effects of a method that the program does not define, by its name."""
    if name in _CHANGING_METHODS:
        return Does.CHANGES
    return Does.READS if name in _READING_METHODS else Does.ANYTHING
