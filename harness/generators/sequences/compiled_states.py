"""Compiles functions for the seen classes that encode, decode and restore states, and detect changes.

Equal bytes mean equal canonical forms, like those of `harness.generators.sequences.replay`. The state can be decoded
again.
"""

from __future__ import annotations

import marshal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from operator import is_
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from harness.generators.sequences.namespaces import Namespaces, NotCompilable, check_class, check_module
from harness.kernel.objects.encoding import (
    KEYS,
    MOST_OBJECTS,
    PLAIN,
    EncodedClass,
    Encoder,
    HeldKinds,
    UnsupportedState,
    execute,
    indented,
    many_first,
    names_of,
)
from harness.kernel.objects.reading import is_of_c, reader_of, stored_fields, walked
from harness.kernel.specs.tokens import Token
from harness.model.sequence import SequenceScope

CONTAINERS: tuple[type, ...] = (list, dict, deque)
CONSTANTS = (Token, Enum, type)
"""Types of objects that are the same in every state."""


class Shapes:
    """The kinds of objects that are known; `learn` adds to them.

    Attributes:
        constants: the code of each constant, by its id; `constant_objects` has the constants by index.
    """

    def __init__(self, omits: Callable[[str], bool] | None, namespaces: Namespaces) -> None:
        self.omits = omits
        self.namespaces = namespaces
        self.kinds: dict[type, EncodedClass] = {}
        self.constants: dict[int, tuple[int]] = {}
        self.constant_objects: list[Any] = []

    def learn(self, root: Any) -> bool:
        """Learn the objects below a root. Return whether there was anything new.

        Raises:
            NotCompilable: an object is of a kind that needs the general path.
        """
        before = self._extent()
        for _ in walked([root], lambda value: filter(self._is_object, self._visit(value))):
            pass
        return self._extent() != before

    def _extent(self) -> tuple[int, ...]:
        places = [place for kind in self.kinds.values() for place in _places(kind)]
        return (
            len(self.kinds),
            len(self.constants),
            len(places),
            *(place.plain * 2 + place.objects for place in places),
        )

    def _visit(self, value: Any) -> Iterable[Any]:
        cls = type(value)
        kind = self.kinds.get(cls)
        if kind is None:
            kind = self._new_kind(value)
        if kind.elements is not None:
            if cls is dict and not KEYS.issuperset(map(type, value)):
                raise NotCompilable("a dict with keys that are no plain values")
            held = list(value.values()) if cls is dict else list(value)
            for one in held:
                self._note(kind.elements, one)
            return held
        fields = stored_fields(value)
        if fields.keys() != kind.fields.keys():
            raise NotCompilable(f"objects of class {cls.__qualname__} have different fields")
        for name, one in fields.items():
            if isinstance(one, dict) and name in getattr(self.omits, "unordered", ()):
                raise NotCompilable("a dict without an order")
            self._note(kind.fields[name], one)
        return fields.values()

    def _note(self, place: HeldKinds, value: Any) -> None:
        if value is None:
            return
        if self._is_object(value):
            place.objects = True
        else:
            place.plain = True
            if isinstance(value, CONSTANTS) and id(value) not in self.constants:
                self.constants[id(value)] = (len(self.constant_objects),)
                self.constant_objects.append(value)

    @staticmethod
    def _is_object(value: Any) -> bool:
        return type(value) not in PLAIN and not isinstance(value, CONSTANTS)

    def _new_kind(self, value: Any) -> EncodedClass:
        cls = type(value)
        kind = EncodedClass(cls, len(self.kinds))
        if cls in CONTAINERS:
            if cls is deque and value.maxlen is not None:
                raise NotCompilable("a deque of bounded length")
            kind.elements = HeldKinds()
        else:
            self._check(cls)
            kind.slotted = not cls.__dictoffset__
            kind.fields = {name: HeldKinds() for name in sorted(stored_fields(value))}
        self.kinds[cls] = kind
        return kind

    def _check(self, cls: Any) -> None:
        """Refuse a class whose instances are more than their fields, or could be changed unseen."""
        name = cls.__qualname__
        if cls is object:
            raise NotCompilable("an object() without fields, that is nothing but itself")
        if any(map(is_of_c, cls.__mro__)):
            raise NotCompilable(f"{name} is, or derives from, a class of C")
        slots = reader_of(cls).members
        if slots and cls.__dictoffset__:
            raise NotCompilable(f"{name} has both slots and a __dict__")
        if any(not isinstance(getattr(cls, slot), MemberDescriptorType) for slot in slots):
            raise NotCompilable(f"{name} hides a slot")
        dicts = [vars(base)["__dict__"] for base in cls.__mro__ if "__dict__" in vars(base)]
        if not all(isinstance(one, GetSetDescriptorType) for one in dicts):
            raise NotCompilable(f"{name} has a __dict__ of its own making")
        for method in ("__getattribute__", "__del__", *(("__setattr__", "__getattr__") if slots else ())):
            if getattr(cls, method, None) is not getattr(object, method, None):
                raise NotCompilable(f"{name} has a {method} of its own")
        for base in cls.__mro__[:-1]:
            check_module(sys.modules.get(base.__module__))
            check_class(base)
            self.namespaces.add(base)


def _places(kind: EncodedClass) -> list[HeldKinds]:
    return list(kind.fields.values()) if kind.elements is None else [kind.elements]


Encode = Callable[[Any], bytes | None]
"""A function from a root to its bytes, or None beyond the bounds; it raises one of ODD at unknown shapes."""
Saved = list[list[tuple[Any, ...]]]
"""By kind, for each object: the place of its fields, and their values."""

_SETATTR: Any = object.__setattr__


class CompiledStates:
    """The functions for the currently known shapes.

    Attributes:
        key: returns the canonical form, without omitted fields.
        whole: returns a whole state, so that it can be made again; the same as `key` if nothing is omitted.
        decode: returns the root for bytes of `whole`, and the saved values for the next two functions.
        unchanged: returns whether a state still has its saved values.
        restore: gives a state its saved values again.
    """

    def __init__(self, shapes: Shapes, scope: SequenceScope) -> None:
        kinds = list(shapes.kinds.values())
        bounds = {kind.cls: scope.most_of(kind.cls.__qualname__) for kind in kinds if kind.elements is None}
        bounded = {cls: most for cls, most in bounds.items() if most is not None}

        def beyond(order: list[Any]) -> bool:
            counts = Counter(map(type, order[1:]))
            return any(counts[cls] > most for cls, most in bounded.items())

        def plain(value: Any) -> Any:
            if type(value) is tuple:
                return shapes.constant_objects[value[0]]
            return shapes.namespaces.plain.get(marshal.dumps(value, 2), value)

        names: dict[str, Any] = {
            **names_of(kinds, shapes.constants), "loads": marshal.loads, "is_": is_, "plain": plain,  # noqa: S302 (of bytes made here)
            "beyond": beyond, "makers": [_maker(kind) for kind in kinds],
        }  # fmt: skip
        small = shapes.namespaces.small
        names |= {"held": shapes.namespaces.held, "Held": NotCompilable("a state refers to an object of the program")}
        names |= {"smalls": small, "small": int if int in small else None}
        names |= {f"set_dict{kind.number}": _set_dict(kind.cls) for kind in kinds if _assigns_itself(kind)}
        if kinds:
            held = "if held and not held.isdisjoint(numbers): raise Held"
            fewest = min(bounded.values(), default=MOST_OBJECTS)
            within = f"if len(order) > {fewest + 1} and beyond(order): return None"
            key = Encoder(kinds, shapes.omits, scope.most_elements, ending=(held, within))
            whole = Encoder(kinds, ending=(held,))
            lines = [*whole.function("whole"), *key.function("key")]
            execute([*lines, *_decoder(kinds), *_unchanged(kinds), *_restore(kinds)], names)
        self.key: Encode = names.get("key", _none)
        self.whole: Encode = names.get("whole", self.key)
        if shapes.omits is None:
            self.whole = self.key
        self.decode: Callable[[bytes], tuple[Any, Saved]] = names.get("decode", _none)
        self.unchanged: Callable[[Saved], bool] = names.get("unchanged", _none)
        self.restore: Callable[[Saved], None] = names.get("restore", _none)


def _none(_: Any) -> Any:
    """Raise Odd: without known kinds, no state can be decoded."""
    raise UnsupportedState


def _maker(kind: EncodedClass) -> Callable[[], Any]:
    return kind.cls if kind.elements is not None else partial(object.__new__, kind.cls)


def _decoder(kinds: list[EncodedClass]) -> list[str]:
    lines = [
        "def decode(data):",
        "    parts = loads(data)",
        "    kinds = parts.pop()",
        "    made = [makers[kind]() for kind in kinds]",
        "    of = dict(zip(references, made))",
        "    of[None] = None",
        "    at = 0",
        f"    {', '.join(f'saved{kind.number}' for kind in kinds)} = {', '.join('[]' for _ in kinds)}",
        "    for one, kind in zip(made, kinds):",
    ]
    for at, kind in enumerate(many_first(kinds)):
        lines.append(f"        {'elif' if at else 'if'} kind == {kind.number}:")
        body = _fill_container(kind) if kind.elements is not None else _fill_instance(kind)
        lines += indented(body, 3)
    return [*lines, f"    return made[0], [{', '.join(f'saved{kind.number}' for kind in kinds)}]"]


def _value_code(value: str, place: HeldKinds) -> str:
    """Return code for the value that a part represents."""
    if place.objects and not place.plain:
        return f"of[{value}]"
    plain = f"{value} if type({value}) is small or type({value}) in smalls else plain({value})"
    return f"of[{value}] if type({value}) is bytes else {plain}" if place.objects else plain


def _fill_instance(kind: EncodedClass) -> list[str]:
    names = list(kind.fields)
    count = len(names)
    if not count:
        return [f"saved{kind.number}.append((one if {kind.slotted} else one.__dict__,))"]
    values = ", ".join(f"f{at}" for at in range(count))
    lines = [f"{values}, = parts[at:at + {count}]", f"at += {count}"]
    lines += [f"f{at} = {_value_code(f'f{at}', place)}" for at, place in enumerate(kind.fields.values())]
    if kind.slotted:
        lines += [f"one.{name} = f{at}" for at, name in enumerate(names)]
        return [*lines, f"saved{kind.number}.append((one, {values}))"]
    display = ", ".join(f"{name!r}: f{at}" for at, name in enumerate(names))
    making = f"fields = one.__dict__ = {{{display}}}"
    if _assigns_itself(kind):
        making = f"fields = {{{display}}}; set_dict{kind.number}(one, fields)"
    return [*lines, making, f"saved{kind.number}.append((fields, {values}))"]


def _assigns_itself(kind: EncodedClass) -> bool:
    """Return whether assigning to an object executes code of the program, or fails, as for frozen dataclasses."""
    return kind.elements is None and not kind.slotted and kind.cls.__setattr__ is not _SETATTR


def _set_dict(cls: type) -> Callable[[Any, dict[str, Any]], None]:
    """Return a function that sets the `__dict__` of an object of the class without the class's own methods."""
    descriptor: Any = next(vars(base)["__dict__"] for base in cls.__mro__ if "__dict__" in vars(base))
    setter: Callable[[Any, dict[str, Any]], None] = descriptor.__set__
    return setter


def _fill_container(kind: EncodedClass) -> list[str]:
    assert kind.elements is not None
    element = _value_code("item", kind.elements)
    lines = ["count = parts[at]", "at += 1"]
    if kind.cls is dict:
        return [
            *lines,
            f"values = [{element} for item in parts[at + 1:at + 2 * count:2]]",
            "names = [item if type(item) in smalls else plain(item) for item in parts[at:at + 2 * count:2]]",
            "at += 2 * count",
            "one.update(zip(names, values))",
            f"saved{kind.number}.append((one, names, values))",
        ]
    return [
        *lines,
        f"values = [{element} for item in parts[at:at + count]]",
        "at += count",
        "one.extend(values)",
        f"saved{kind.number}.append((one, values))",
    ]


def _unchanged(kinds: list[EncodedClass]) -> list[str]:
    lines = ["def unchanged(saved):"]
    for kind in kinds:
        lines.append(f"    for {_saved(kind)} in saved[{kind.number}]:")
        if kind.cls is dict:
            tests = ["len(one) == len(names)", "all(map(is_, one, names))", "all(map(is_, one.values(), values))"]
        elif kind.elements is not None:
            tests = ["len(one) == len(values)", "all(map(is_, one, values))"]
        else:
            fields = enumerate(kind.fields)
            tests = [f"{kind.read('one', 'one', name)} is f{at}" for at, name in fields]
            tests += [] if kind.slotted else [f"len(one) == {len(kind.fields)}"]
        lines.append(f"        if not ({' and '.join(tests) or True}): return False")
    return [*lines, "    return True"]


def _restore(kinds: list[EncodedClass]) -> list[str]:
    lines = ["def restore(saved):"]
    for kind in kinds:
        lines.append(f"    for {_saved(kind)} in saved[{kind.number}]:")
        if kind.cls is dict:
            body = ["one.clear()", "one.update(zip(names, values))"]
        elif kind.cls is list:
            body = ["one[:] = values"]
        elif kind.elements is not None:
            body = ["one.clear()", "one.extend(values)"]
        else:
            body = [f"{kind.read('one', 'one', name)} = f{at}" for at, name in enumerate(kind.fields)]
            if not kind.slotted:
                again = "; ".join(["one.clear()", *body])
                body.append(f"if len(one) != {len(kind.fields)}: {again}")
        lines += indented(body or ["pass"], 2)
    return [*lines, "    return"]


def _saved(kind: EncodedClass) -> str:
    if kind.cls is dict:
        return "one, names, values"
    if kind.elements is not None:
        return "one, values"
    return ", ".join(["one", *(f"f{at}" for at in range(len(kind.fields)))]) + ","
