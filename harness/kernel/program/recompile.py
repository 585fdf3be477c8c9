"""Compiles the mutants of one module quickly: functions that a mutant leaves alone keep the original's code."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import CodeType
from typing import NamedTuple

from harness.kernel.program.loader import ModuleText, compile_with_ticks
from harness.kernel.program.steps import add_ticks

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Place = tuple[str, int]
"""A function's qualified name and the first line of its code."""
_SELF = "self"
"""The compiler goes by the name."""


class _Extent(NamedTuple):
    """A function's lines: its first (with decorators), the first that is of its body alone, and its last."""

    place: _Place
    within: str
    first: int
    body: int
    last: int


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
        functions = list(_functions(ast.parse(text.source, text.filename)))
        self._stored = {place: sorted(_stored_attributes(function)) for place, function in functions}
        self._extents = [_extent(place, function) for place, function in functions if place in self._codes]

    def compile(self, source: str) -> CodeType:
        """The code of the module with another source.

        Raises:
            SyntaxError: it does not compile.
        """
        lines = source.split("\n")
        changed = [number for number, pair in enumerate(zip(lines, self._lines, strict=False), 1) if pair[0] != pair[1]]
        if len(lines) != len(self._lines) or not changed:
            return compile_with_ticks(replace(self._text, source=source))
        for extent in self._extents:
            if (
                extent.first > 1
                and extent.body <= changed[0]
                and changed[-1] <= extent.last
                and self._ends_alike(lines, extent.last)
            ):
                within = self._compile_alone(lines, extent)
                if within is not None:
                    return self._with(self.original, extent.place, within)
        tree = ast.parse(source, self._text.filename)
        kept: set[_Place] = set()
        for place, function in _functions(tree):
            if place in self._codes and (place[1] > changed[-1] or (function.end_lineno or 0) < changed[0]):
                kept.add(place)
                function.body = [ast.copy_location(part, function.body[0]) for part in self._stand_in(place)]
        ticked = ast.fix_missing_locations(add_ticks(tree))
        return self._with_kept(compile(ticked, self._text.filename, "exec", dont_inherit=True), kept)

    def _ends_alike(self, lines: Sequence[str], last: int) -> bool:
        """Whether a function ends in the same column: the code that defines it tells where."""
        return len(lines[last - 1].encode()) == len(self._lines[last - 1].encode())

    def _compile_alone(self, lines: Sequence[str], extent: _Extent) -> CodeType | None:
        """The code of a function whose body was changed, from its own lines; None where these are no whole function."""
        text = "\n".join(lines[extent.first - 1 : extent.last])
        head = f"class {extent.within}:\n" if extent.within else "\n"
        try:
            tree = ast.parse("\n" * (extent.first - 2) + head + text, self._text.filename)
        except SyntaxError:
            return None  # the whole module says what is wrong
        found = list(_functions(tree))
        if len(tree.body) != 1 or len(found) != 1 or (extent.within and len(tree.body[0].body) != 1):  # type: ignore[attr-defined]
            return None
        ((_, function),) = found
        if _LISTS_ATTRIBUTES and sorted(_stored_attributes(function)) != self._stored[extent.place]:
            return None
        flags = self.original.co_flags & _FUTURE
        code = compile(add_ticks(tree), self._text.filename, "exec", flags=flags, dont_inherit=True)
        codes = [one for (name, _), one in _function_codes(code, in_function=False) if name == extent.place[0]]
        return codes[0] if len(codes) == 1 else None

    def _with(self, code: CodeType, place: _Place, changed: CodeType) -> CodeType:
        """A module's or class's code with another function in a place."""
        constants = []
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                here = constant.co_qualname, constant.co_firstlineno
                if here == place:
                    constant = changed
                elif not constant.co_flags & _OPTIMIZED and place[0].startswith(f"{constant.co_qualname}."):
                    constant = self._with(constant, place, changed)
            constants.append(constant)
        return code.replace(co_consts=tuple(constants))

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


def _extent(place: _Place, function: _Function) -> _Extent:
    within = place[0].rpartition(".")[0]
    head = [node.end_lineno or 0 for node in ast.walk(function.args) if isinstance(node, ast.expr | ast.arg)]
    after_head = max([function.lineno, *head, function.returns.end_lineno or 0 if function.returns else 0]) + 1
    return _Extent(place, within, place[1], max(function.body[0].lineno, after_head), function.end_lineno or 0)


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


_FUTURE: int = annotations.compiler_flag
"""What a module may ask for at its top that changes how its functions compile."""
_LISTS_ATTRIBUTES = sys.version_info >= (3, 13)
"""Whether a class's code says what its methods assign."""
_OPTIMIZED = 1
"""`CO_OPTIMIZED`: of functions, not of classes."""
