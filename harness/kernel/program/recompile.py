"""Compiles the mutants of one module quickly: functions that a mutant leaves alone keep the original's code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from types import CodeType

from harness.kernel.program.loader import ModuleText, compile_with_ticks
from harness.kernel.program.steps import add_ticks

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Place = tuple[str, int]
"""A function's qualified name and the first line of its code."""
_SELF = "self"
"""The compiler goes by the name."""


class Recompiler:
    """Code as of `compile_with_ticks`, to the byte.

    What a function of a module or class compiles to depends on its own text and lines alone, unless it
    has free variables (`super()`); everything else is compiled anew.

    Attributes:
        original: the unmutated module's code.

    Raises:
        SyntaxError: the module does not compile.
    """

    def __init__(self, text: ModuleText) -> None:
        self._text = text
        self._lines = text.source.split("\n")
        self.original = compile_with_ticks(text)
        self._codes = dict(_function_codes(self.original, in_function=False))
        functions = _functions(ast.parse(text.source, text.filename))
        self._stored = {place: sorted(_stored_attributes(function)) for place, function in functions}

    def compile(self, source: str) -> CodeType:
        """The code of the module with another source.

        Raises:
            SyntaxError: it does not compile.
        """
        lines = source.split("\n")
        changed = [number for number, pair in enumerate(zip(lines, self._lines, strict=False), 1) if pair[0] != pair[1]]
        if len(lines) != len(self._lines) or not changed:
            return compile_with_ticks(replace(self._text, source=source))
        tree = ast.parse(source, self._text.filename)
        kept: set[_Place] = set()
        for place, function in _functions(tree):
            if place in self._codes and (place[1] > changed[-1] or (function.end_lineno or 0) < changed[0]):
                kept.add(place)
                function.body = [ast.copy_location(part, function.body[0]) for part in self._stand_in(place)]
        ticked = ast.fix_missing_locations(add_ticks(tree))
        return self._with_kept(compile(ticked, self._text.filename, "exec", dont_inherit=True), kept)

    def _stand_in(self, place: _Place) -> list[ast.stmt]:
        """For a kept function's body: from Python 3.13 on, a class lists the attributes that its methods assign."""
        stores = [f"{_SELF}.{name} = None" for name in self._stored[place]]
        return ast.parse("\n".join(stores) or "pass").body

    def _with_kept(self, code: CodeType, kept: set[_Place]) -> CodeType:
        constants = []
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                place = constant.co_qualname, constant.co_firstlineno
                constant = self._codes[place] if place in kept else self._with_kept(constant, kept)
            constants.append(constant)
        return code.replace(co_consts=tuple(constants))


def _stored_attributes(function: _Function) -> set[str]:
    """Attributes that the compiler takes for assigned on self; those of augmented assignments it does not."""
    nodes = list(ast.walk(function))
    augmented = {id(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    return {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == _SELF
        and id(node) not in augmented
    }


def _functions(tree: ast.Module) -> Iterator[tuple[_Place, _Function]]:
    """Functions of the module and of its classes."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, _Function):
                    yield _place(member, f"{node.name}."), member
        elif isinstance(node, _Function):
            yield _place(node, ""), node


def _place(function: _Function, prefix: str) -> _Place:
    first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
    return prefix + function.name, first


def _function_codes(code: CodeType, in_function: bool) -> Iterator[tuple[_Place, CodeType]]:
    """Code that hangs on nothing around it."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and not in_function:
            if not constant.co_freevars:
                yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _function_codes(constant, in_function=bool(constant.co_flags & _OPTIMIZED))


_OPTIMIZED = 1
"""`CO_OPTIMIZED`: of functions, not of classes."""
