"""One table of the properties of Python's own functions and of the methods of its containers.

Each analysis selects the properties that matter to it, because analyses err on opposite sides: one assumes an effect
when it is in doubt, another one refuses the program. A name that is not in the tables may do anything. Names by which a
program gets at its own fields and variables have tables apart.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from enum import Flag, auto


class CallEffects(Flag):
    """The properties of a call, apart from the evaluation of its arguments."""

    NOTHING = 0
    READS = auto()
    """It reads the elements of an argument or of the receiver."""
    CHANGES = auto()
    """It changes an argument or the receiver."""
    DEPENDS_ON_CONTENT = auto()
    """Its result depends on the content of the arguments only, not on addresses, as `hash` and `repr` may."""
    CALLS_BACK = auto()
    """It may call an argument, or return a class that can be called."""
    ITERATES = auto()
    """It returns an iterator."""
    MAKES_CONTAINER = auto()
    """It returns a new container that can be changed."""
    RETURNS_NOTHING = auto()
    """It changes a container, and its result shows nothing of the content."""
    IS_OF_WORKLISTS = auto()
    """It changes a container as algorithms with a worklist do."""
    LENDS = auto()
    """It changes nothing, but a program can change the argument by means of the result."""
    READS_FIELDS = auto()
    """It reads fields of an object."""
    SETS_FIELDS = auto()
    """It gives fields of an object other values."""
    DELETES_FIELDS = auto()
    """It deletes fields of an object."""
    TAKES_FIELD_NAME = auto()
    """It accesses one field, whose name is an argument."""
    READS_VARIABLES = auto()
    """It may read any local variable of the function that calls it."""
    RUNS_TEXT = auto()
    """It runs an argument as a program."""


def _table(rows: Mapping[str, CallEffects]) -> dict[str, CallEffects]:
    return {name: does for names, does in rows.items() for name in names.split()}


_ANSWERS = CallEffects.DEPENDS_ON_CONTENT
_READS = CallEffects.READS

BUILTINS = _table(
    {
        "NotImplemented bin callable chr classmethod complex float hex id issubclass object oct ord pow property "
        "round staticmethod super": CallEffects.NOTHING,
        "abs bool divmod int isinstance range slice": _ANSWERS,
        "type": _ANSWERS | CallEffects.CALLS_BACK,
        "bytes format hash print repr str": _READS,
        "memoryview": _READS | CallEffects.LENDS,
        "bytearray": _READS | CallEffects.MAKES_CONTAINER,
        "all any frozenset len max min sum tuple": _READS | _ANSWERS,
        "dict list set sorted": _READS | _ANSWERS | CallEffects.MAKES_CONTAINER,
        "enumerate reversed zip": _READS | _ANSWERS | CallEffects.ITERATES,
        "filter iter map": _READS | _ANSWERS | CallEffects.ITERATES | CallEffects.CALLS_BACK,
        "next": _READS | CallEffects.CHANGES | _ANSWERS,
    }
)
"""What builtins do. Exceptions are left out: see `is_exception`."""

METHODS = _table(
    {
        "__contains__ __eq__ __ge__ __getitem__ __gt__ __hash__ __iter__ __le__ __len__ __lt__ __ne__ __repr__ "
        "__reversed__ __str__ as_integer_ratio bit_count bit_length capitalize casefold center copy count decode "
        "difference elements encode endswith expandtabs find format fromkeys get hex index intersection is_integer "
        "isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier islower isnumeric isprintable isspace "
        "issubset issuperset istitle isupper items join keys ljust lower lstrip most_common partition removeprefix "
        "removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase "
        "symmetric_difference title to_bytes total translate union upper values zfill": _READS,
        "__delitem__ __iadd__ __ior__ __next__ __setitem__ difference_update discard insert intersection_update "
        "move_to_end popitem remove reverse rotate setdefault sort subtract symmetric_difference_update update": (
            _READS | CallEffects.CHANGES
        ),
        "pop popleft": _READS | CallEffects.CHANGES | CallEffects.IS_OF_WORKLISTS,
        "append appendleft add extend extendleft": CallEffects.CHANGES
        | CallEffects.IS_OF_WORKLISTS
        | CallEffects.RETURNS_NOTHING,
        "clear": CallEffects.CHANGES | CallEffects.RETURNS_NOTHING,
    }
)
"""What the methods of containers, strings and numbers do."""

_FIELD_READ = CallEffects.READS_FIELDS | CallEffects.TAKES_FIELD_NAME
_FIELD_SET = CallEffects.SETS_FIELDS | CallEffects.TAKES_FIELD_NAME
_FIELD_DELETED = CallEffects.DELETES_FIELDS | CallEffects.TAKES_FIELD_NAME
_ANY_FIELD = CallEffects.READS_FIELDS | CallEffects.SETS_FIELDS | CallEffects.DELETES_FIELDS

REFLECTIVE_BUILTINS = _table(
    {
        "getattr hasattr": _FIELD_READ,
        "setattr": _FIELD_SET,
        "delattr": _FIELD_DELETED,
        "vars": _ANY_FIELD | CallEffects.READS_VARIABLES,
        "dir locals": CallEffects.READS_VARIABLES,
        "eval exec": CallEffects.READS_VARIABLES | CallEffects.RUNS_TEXT,
    }
)
"""Builtins that access fields and variables which the program does not name. They may do anything else, too."""

REFLECTIVE_ATTRIBUTES = _table(
    {
        "__getattribute__": _FIELD_READ,
        "__setattr__": _FIELD_SET,
        "__delattr__": _FIELD_DELETED,
        "__dict__": _ANY_FIELD,
        "format format_map": CallEffects.READS_FIELDS,
    }
)
"""Attributes of objects and strings by which a program accesses fields that it does not name."""

REFLECTIVE = REFLECTIVE_BUILTINS | REFLECTIVE_ATTRIBUTES


def named(
    table: Mapping[str, CallEffects], has: CallEffects, lacks: CallEffects = CallEffects.NOTHING
) -> frozenset[str]:
    """Return the names in a table that have all properties in `has`, and none in `lacks`."""
    return frozenset(name for name, does in table.items() if has in does and not lacks & does)


ITERATOR_MAKERS = named(BUILTINS, CallEffects.ITERATES) | {"open"}
"""All builtins that return an iterator; `open` has no properties, since it does more than to read its arguments."""
LOOKING_AT_VARIABLES = named(REFLECTIVE_BUILTINS, CallEffects.READS_VARIABLES)
"""Builtins that may read a local variable of the function that calls them."""
RUNNING_TEXT = named(REFLECTIVE_BUILTINS, CallEffects.RUNS_TEXT)


def is_exception(name: str) -> bool:
    """Return whether a builtin of that name is a class of exceptions."""
    builtin = vars(builtins).get(name)
    return isinstance(builtin, type) and issubclass(builtin, BaseException)
