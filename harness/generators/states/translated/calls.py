"""Translates calls: functions and methods of the predicate, built-in functions, methods of containers."""

from __future__ import annotations

import ast
from collections import deque, namedtuple
from types import FunctionType
from typing import Any, TypeGuard

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.builtin_calls import Builtins
from harness.generators.states.translated.program import MISSING, class_attribute

CONTAINER_METHODS = {
    "append": (1,),
    "appendleft": (1,),
    "extend": (1,),
    "insert": (2,),
    "pop": (0, 1),
    "popleft": (0,),
    "reverse": (0,),
    "sort": (0,),
    "count": (1,),
    "index": (1,),
    "copy": (0,),
    "clear": (0,),
    "add": (1,),
    "discard": (1,),
    "remove": (1,),
    "update": (1,),
    "get": (1, 2),
    "setdefault": (2,),
    "keys": (0,),
    "values": (0,),
    "items": (0,),
}
"""Methods of lists, deques, sets and dicts: numbers of arguments."""

DEEPEST_INLINED, DEEPEST_RECURSION, MOST_INLINED = 5, 2, 40
"""Calls within calls that are translated in place; among them of one function; and all of a predicate."""

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


class Calls(Builtins):
    """Adds calls to expressions."""

    def call(self, node: ast.Call) -> str:
        """A call's value."""
        answer = self.call_condition(node)
        if answer is not None:
            return f"V_BOOL({answer})"
        folded = self.folded(node)
        if folded is not MISSING:
            return self.constant(node, folded)
        callee = self.callee(node.func)
        if isinstance(callee, FunctionType):
            return self._function_call(node, callee, [])
        if is_named_tuple(callee) and len(node.args) == len(callee._fields) and not node.keywords:
            return self._tuple(ast.copy_location(ast.Tuple(node.args, ast.Load()), node))
        if isinstance(callee, type) or type(callee) is type(len):
            return self.builtin(node, callee)
        if callee is MISSING and isinstance(node.func, ast.Attribute):
            return self._method_call(node, node.func)
        raise self.refuse(node, f"a call of {ast.unparse(node.func)}")

    def call_condition(self, node: ast.Call) -> str | None:
        """The truth of isinstance, hasattr, bool, any and all."""
        callee = self.static(node.func)
        if callee is isinstance and len(node.args) == 2:
            value = self.expression(node.args[0])
            tags, types = self.instance_of(node, self.static_classes(node, node.args[1]))
            place = self.place(node, "isinstance")
            return self.temporary(f"is_instance({value}, {tags}, {types}ULL, {place})", "int")
        if callee is hasattr and len(node.args) == 2:
            value, name = self.expression(node.args[0]), self.expression(node.args[1])
            return self.temporary(f"has_attribute({value}, {name}, {self.place(node, 'hasattr')})", "int")
        if callee is bool and len(node.args) == 1:
            return self.condition(node.args[0])
        if callee in (any, all) and len(node.args) == 1:
            return self.any_or_all(node, callee is all)
        return None

    # -- functions and methods -------------------------------------------------------------------------

    def _function_call(self, node: ast.Call, callee: FunctionType, first: list[str], perhaps: bool = False) -> str:
        if is_generator(callee):
            raise self.refuse(node, f"the generator {callee.__name__} outside a loop")
        begun = len(self.declared)
        return self._invoked(callee, self.arguments(node, callee, first), perhaps, begun)

    def _invoked(
        self, callee: FunctionType, arguments: list[str], perhaps: bool = False, begun: int | None = None
    ) -> str:
        """A function's result for arguments that are there; those declared from `begun` on are used by it alone."""
        if self.checkpoints and not perhaps and self._fits_in_place(callee):
            return self._inlined(callee, arguments, len(self.declared) if begun is None else begun)
        function = self.program.function(callee)
        (self.function.may_call if perhaps else self.function.calls).add(function.number)
        result = self.temporary(f"{function.name}({', '.join(arguments)})")
        if self.checkpoints:
            self.live.append((self.statement_start, len(self.declared)))
            self.checkpoint()
            self.live.pop()
        return result

    def _fits_in_place(self, callee: FunctionType) -> bool:
        if callee is self.function.python or self.bodies >= MOST_INLINED:
            return False
        return self.inlined.count(callee) < DEEPEST_RECURSION and len(self.inlined) < DEEPEST_INLINED

    def _inlined(self, callee: FunctionType, arguments: list[str], own: int) -> str:
        """A call in place, so that checkpoints may lie within; what is declared from `own` on is for its arguments."""
        outer, given = self.scope, len(self.declared)
        result, end = self.name("V"), self.label()

        def leave(value: str) -> None:
            self.line(f"{result} = {value}; goto {end};")

        begun = len(self.declared)
        self.bodies += 1
        inner = self.enter(callee, leave, None)
        self.start(inner, arguments)
        self.dead.append((own, given))
        self.inlined.append(callee)
        self.scope = inner
        self.body_of(inner)
        self.scope = outer
        self.inlined.pop()
        self.dead.append((begun, len(self.declared)))
        self.line(f"{result} = PURE(W_NONE);")
        self.line(f"{end}: ;")
        return result

    def arguments(self, node: ast.Call, callee: FunctionType, first: list[str]) -> list[str]:
        """A call's arguments in the order of the callee's parameters, defaults filled in."""
        code = callee.__code__
        names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
        if code.co_flags & 0x0C or any(isinstance(a, ast.Starred) for a in node.args):
            raise self.refuse(node, "*args or **kwargs")
        given = dict(zip(names[: code.co_argcount], first, strict=False))
        positional = names[len(first) : code.co_argcount]
        if len(node.args) > len(positional):
            raise self.refuse(node, f"a call of {callee.__name__} with too many arguments")
        for name, argument in zip(positional, node.args, strict=False):
            given[name] = self.expression(argument)
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in names or keyword.arg in given:
                raise self.refuse(node, f"the keyword arguments of a call of {callee.__name__}")
            given[keyword.arg] = self.expression(keyword.value)
        defaults = callee.__defaults__ or ()
        by_name = dict(zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True))
        by_name |= callee.__kwdefaults__ or {}
        for name in names:
            if name not in given:
                if name not in by_name:
                    raise self.refuse(node, f"a call of {callee.__name__} without {name}")
                given[name] = self.constant(node, by_name[name])
        return [*(given[name] for name in names), *self._handed(node, callee)]

    def _handed(self, node: ast.AST, callee: FunctionType) -> list[str]:
        """What a nested function is handed of the names around it."""
        captured = self.program.around(callee).captured
        if any(name not in self.scope.locals for name in captured):
            raise self.refuse(node, f"a call of {callee.__name__} away from the names that it uses")
        return [self.scope.locals[name] for name in captured]

    def applied(self, node: ast.AST, callee: Any, values: list[str]) -> str:
        """The result of a function for these values: as map and keys of orders apply it."""
        if not isinstance(callee, FunctionType):
            raise self.refuse(node, f"an application of {getattr(callee, '__name__', 'a value')}")
        code = callee.__code__
        fits = code.co_argcount == len(values) and not code.co_kwonlyargcount and not code.co_flags & 0x2C
        if not fits:
            raise self.refuse(node, f"an application of {callee.__name__}")
        return self._invoked(callee, [*values, *self._handed(node, callee)])

    def methods(self, name: str) -> list[tuple[int, FunctionType, bool]]:
        """The methods called `name` of the classes in the state space: class number, function, whether static."""
        found = []
        for number, cls in enumerate(self.program.classes):
            held = class_attribute(cls, name)
            function = held.__func__ if isinstance(held, staticmethod) else held
            if isinstance(function, FunctionType):
                found.append((number, function, isinstance(held, staticmethod)))
        return found

    def _method_call(self, node: ast.Call, attribute: ast.Attribute) -> str:
        name = attribute.attr
        owner = self.expression(attribute.value)
        methods = self.methods(name)
        if not methods:
            return self._container_method(node, owner, name)
        found = self.name("V")
        place = self.place(node, f"a call of the method {name}")
        self.line(f"if (TAG(W({owner})) == OBJECT) {{ fix({owner}); switch (S.space.type[PAYLOAD(W({owner}))]) {{")
        for number, function, is_static in methods:
            self.line(f"case {number}: {{")
            try:
                self.line(f"{found} = {self._function_call(node, function, [] if is_static else [owner], True)};")
            except Untranslatable as refusal:  # it need not be this class's method that is meant
                self.line(f"fail(FAILED_UNSUPPORTED, {self.place_of(refusal)});")
            self.line("break; }")
        self.line(f"default: fail(FAILED_UNSUPPORTED, {place});")
        self.line("} } else {")
        if name in CONTAINER_METHODS:
            self.line(f"{found} = {self._container_method(node, owner, name)};")
        else:
            self.line(f"fail(FAILED_UNSUPPORTED, {place});")
        self.line("}")
        return found

    def _container_method(self, node: ast.Call, owner: str, name: str) -> str:
        if len(node.args) not in CONTAINER_METHODS.get(name, ()) or node.keywords:
            raise self.refuse(node, f"the method {name}")
        arguments = [self.expression(argument) for argument in node.args]
        place = self.place(node, f"the method {name}")
        return self.temporary(f"m_{name}_{len(arguments)}({', '.join([owner, *arguments, str(place)])})")

    # -- isinstance -------------------------------------------------------------------------------------

    def static_classes(self, node: ast.AST, classes: ast.expr) -> tuple[type, ...]:
        """The classes that isinstance is asked about."""
        if isinstance(classes, ast.Tuple):
            return tuple(cls for part in classes.elts for cls in self.static_classes(node, part))
        found = self.static(classes)
        for part in found if isinstance(found, tuple) else (found,):
            if not isinstance(part, type):
                raise self.refuse(node, f"isinstance of {ast.unparse(classes)}")
        return found if isinstance(found, tuple) else (found,)

    def instance_of(self, node: ast.AST, classes: tuple[type, ...]) -> tuple[str, int]:
        """What is an instance of one of these: tags in C, and a bit for each class of the state space."""
        tags, types = {"0"}, 0
        for cls in classes:
            if cls in TAGS:
                tags |= {f"1u << {tag}" for tag in TAGS[cls]}
            elif cls.__module__ in ("builtins", "collections", "collections.abc", "abc", "numbers"):
                raise self.refuse(node, f"isinstance of {cls.__name__}")
            for number, known in enumerate(self.program.classes):
                if type(known) is not type and type(cls) is not type:
                    raise Untranslatable(f"isinstance of {cls.__name__}, whose metaclass may have a say")
                types |= issubclass(known, cls) << number
        return " | ".join(sorted(tags)), types


_TO_TUPLES = frozenset(dir(namedtuple("_Empty", ""))) | {"__annotations__", "__orig_bases__", "__slots__"}


def is_named_tuple(callee: Any) -> TypeGuard[Any]:
    """Whether it is a class of named tuples that adds nothing but names to what tuples do."""
    if not isinstance(callee, type) or callee.__bases__ != (tuple,) or not hasattr(callee, "_fields"):
        return False
    own = {name for name in vars(callee) if name.startswith("__")} - _TO_TUPLES
    return not own and vars(callee).get("__eq__") is None and vars(callee).get("__hash__") is None


def is_generator(function: FunctionType) -> bool:
    """Whether calling it makes a generator."""
    return bool(function.__code__.co_flags & 0x20)
