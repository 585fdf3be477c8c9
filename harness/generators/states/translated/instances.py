"""Finds what is an instance of which classes, for isinstance, patterns and named tuples."""

from __future__ import annotations

import ast
from collections import deque, namedtuple
from typing import Any, TypeGuard

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.emitter import Emitter

TAGS: dict[type, tuple[str, ...]] = {
    int: ("INT", "BOOL"),
    bool: ("BOOL",),
    type(None): ("NONE",),
    str: ("STRING",),
    list: ("LIST", "ARRAY"),
    tuple: ("TUPLE",),
    set: ("SET",),
    dict: ("DICT",),
    deque: ("IS_DEQUE",),
    float: ("INFINITE",),
    object: (
        "INFINITE",
        "INT",
        "NONE",
        "BOOL",
        "OBJECT",
        "STRING",
        "LIST",
        "TUPLE",
        "SET",
        "DICT",
        "ARRAY",
        "IS_DEQUE",
    ),
}
"""What is an instance of a built-in class."""


def static_classes(emit: Emitter, node: ast.AST, classes: ast.expr) -> tuple[type, ...]:
    """Return the classes that an expression such as the second argument of isinstance names."""
    if isinstance(classes, ast.Tuple):
        return tuple(cls for part in classes.elts for cls in static_classes(emit, node, part))
    named = emit.static(classes)
    for part in named if isinstance(named, tuple) else (named,):
        if not isinstance(part, type):
            raise emit.refuse(node, f"isinstance of {ast.unparse(classes)}")
    return named if isinstance(named, tuple) else (named,)


def tags_and_types(emit: Emitter, node: ast.AST, classes: tuple[type, ...]) -> tuple[str, int]:
    """Return the tags in C of the instances of these classes, and a bit for each subclass in the state space."""
    tags, types = {"0"}, 0
    for cls in classes:
        if type(cls).__hash__ is None:  # nothing can be looked up by such a class
            raise emit.refuse(node, f"isinstance of {cls.__name__}, whose metaclass has no hash")
        if cls in TAGS:
            tags |= {f"1u << {tag}" for tag in TAGS[cls]}
        elif cls.__module__ in ("builtins", "collections", "collections.abc", "abc", "numbers"):
            raise emit.refuse(node, f"isinstance of {cls.__name__}")
        for number, own in enumerate(emit.program.classes):
            if type(own) is not type and type(cls) is not type:
                raise Untranslatable(f"isinstance of {cls.__name__}, whose metaclass may have a say")
            types |= issubclass(own, cls) << number
    return " | ".join(sorted(tags)), types


_TO_TUPLES = frozenset(dir(namedtuple("_Empty", ""))) | {"__annotations__", "__orig_bases__", "__slots__"}


def is_named_tuple(callee: Any) -> TypeGuard[Any]:
    """Return whether a class of named tuples adds nothing but names to the behaviour of tuples."""
    if not isinstance(callee, type) or callee.__bases__ != (tuple,) or not hasattr(callee, "_fields"):
        return False
    own = {name for name in vars(callee) if name.startswith("__")} - _TO_TUPLES
    return not own and vars(callee).get("__eq__") is None and vars(callee).get("__hash__") is None
