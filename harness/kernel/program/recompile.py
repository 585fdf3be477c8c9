"""Compiles the mutants of one module quickly: functions that a mutant leaves alone keep the original's code."""

from __future__ import annotations

import ast
import symtable
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
_SMALL_INTEGERS = range(-5, 257)
"""Of each there is one object."""
_SELF = "self"
"""The compiler goes by the name."""


class _Extent(NamedTuple):
    """A function's lines: its first (with decorators), the first that is of its body alone, and its last."""

    place: _Place
    within: str
    first: int
    body: int
    last: int
    end: int
    has_globals: bool


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
        tree = ast.parse(text.source, text.filename)
        functions = list(_functions(tree))
        self._ends = {place: function.end_lineno for place, function in functions}
        self._compares_identity = _compares_identity(tree)
        self._stored = {place: sorted(_stored_attributes(function)) for place, function in functions}
        symbols = symtable.symtable(text.source, text.filename, "exec").get_symbols()
        self._imports = "".join(f"import {symbol.get_name()};" for symbol in symbols if symbol.is_imported())
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
            if extent.first > 2 and not extent.has_globals and extent.body <= changed[0] and changed[-1] <= extent.last:
                within = self._compile_alone(lines, extent)
                if within is not None:
                    return self._with(self.original, extent.place, within)
        tree = ast.parse(source, self._text.filename)
        kept: set[_Place] = set()
        for place, function in _functions(tree):
            end = function.end_lineno or 0
            if place in self._codes and (place[1] > changed[-1] or (end < changed[0] and end == self._ends.get(place))):
                kept.add(place)
                function.body = [ast.copy_location(part, function.body[0]) for part in self._stand_in(place)]
        if self._tells_compilations(tree):
            return compile_with_ticks(replace(self._text, source=source))
        ticked = ast.fix_missing_locations(add_ticks(tree))
        return self._with_kept(compile(ticked, self._text.filename, "exec", dont_inherit=True), kept)

    def _compile_alone(self, lines: Sequence[str], extent: _Extent) -> CodeType | None:
        """The code of a function whose body was changed, from its own lines; None where these are no whole function."""
        text = "\n".join(lines[extent.first - 1 : extent.last])
        head = f"class {extent.within}:\n" if extent.within else "\n"
        try:
            tree = ast.parse(f"{self._imports}pass" + "\n" * (extent.first - 2) + head + text, self._text.filename)
        except SyntaxError:
            return None  # the whole module says what is wrong
        found = list(_functions(tree))
        behind = [node for node in tree.body if node.lineno > 1]
        if len(behind) != 1 or len(found) != 1 or (extent.within and len(behind[0].body) != 1):  # type: ignore[attr-defined]
            return None
        ((_, function),) = found
        if (function.end_lineno, function.end_col_offset) != (extent.last, extent.end) or _has_globals(function):
            return None
        if self._tells_compilations(function):
            return None
        if _LISTS_ATTRIBUTES and sorted(_stored_attributes(function)) != self._stored[extent.place]:
            return None
        flags = self.original.co_flags & _FUTURE
        code = compile(add_ticks(tree), self._text.filename, "exec", flags=flags, dont_inherit=True)
        codes = [one for (name, _), one in _function_codes(code, in_function=False) if name == extent.place[0]]
        return codes[0] if len(codes) == 1 else None

    def _tells_compilations(self, changed: ast.AST) -> bool:
        """Whether the program could tell that what was changed was compiled apart from the rest.

        Equal constants of one compilation are one object: of two, they are two, unless the interpreter has one alone.
        """
        return (self._compares_identity or _compares_identity(changed)) and any(map(_is_shared, ast.walk(changed)))

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
    last = function.end_lineno or 0, function.end_col_offset or 0
    return _Extent(place, within, place[1], max(function.body[0].lineno, after_head), *last, _has_globals(function))


def _has_globals(function: _Function) -> bool:
    return any(isinstance(node, ast.Global) for node in ast.walk(function))


def _compares_identity(within: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Compare)
        and any(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops)
        and not any(map(_is_single, (node.left, *node.comparators)))
        for node in ast.walk(within)
    )


def _is_single(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is ... or type(node.value) is bool)


def _is_shared(node: ast.AST) -> bool:
    """Whether it gives a constant which is one object within a compilation alone."""
    match node:
        case ast.Tuple(elts=[_, *_]) | ast.BinOp(left=ast.Constant(), right=ast.Constant()):
            return True
        case ast.Constant(value=str() as text):
            return not (text.isascii() and text.replace("_", "a").isalnum())
        case ast.Constant(value=bool() | None):
            return False
        case ast.Constant(value=int() as number):
            return number not in _SMALL_INTEGERS
        case ast.Constant(value=float() | complex() | bytes()):
            return True
    return False


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
