"""Compiles the mutants of one module quickly: functions that a mutant leaves alone keep the original's code."""

from __future__ import annotations

import ast
import symtable
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import is_
from types import CodeType
from typing import Any, NamedTuple

from harness.kernel.program.code_reading import codes_of, hangs_on_text, is_of_function, orders_a_constant
from harness.kernel.program.loader import ModuleText, add_ticks, compile_with_ticks

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Place = tuple[str, int]
"""A function's qualified name and the first line of its code."""
_SELF = "self"
"""The name of the variable whose attributes the compiler lists."""


class _Extent(NamedTuple):
    """A function's lines: its first (with decorators), the first that is of its body alone, and its last."""

    place: _Place
    within: str
    first: int
    body: int
    last: int
    end: int


class Recompiler:
    """Compiles mutants to the same code as `compile_with_ticks`, to the byte.

    The code of a function of a module or class depends on its own text and lines alone, unless it has free variables
    (`super()`). Everything else is compiled again, and so are programs that depend on their text.

    Attributes:
        original: the unmutated module's code.

    Raises:
        SyntaxError: the module does not compile.
    """

    def __init__(self, text: ModuleText) -> None:
        self._text = text
        self._lines = text.source.split("\n")
        self.original = compile_with_ticks(text)
        self._hangs_on_text = hangs_on_text(text.source)
        tree = ast.parse(text.source, text.filename)
        functions = [(place, function) for place, function in _functions(tree) if not _has_globals(function)]
        self._constants = _Constants(self.original)
        self._stored = {place: sorted(_stored_attributes(function)) for place, function in functions}
        symbols = symtable.symtable(text.source, text.filename, "exec").get_symbols()
        self._imports = "".join(f"import {symbol.get_name()};" for symbol in symbols if symbol.is_imported())
        apart = dict(_function_codes(self.original, in_function=False))
        extents = [_extent(place, function) for place, function in functions if place in apart]
        self._extents = [extent for extent in extents if extent.first > 2]

    def compile(self, source: str) -> CodeType:
        """Compile the module with another source.

        Raises:
            SyntaxError: it does not compile.
        """
        lines = source.split("\n")
        changed = [number for number, pair in enumerate(zip(lines, self._lines, strict=False), 1) if pair[0] != pair[1]]
        if len(lines) != len(self._lines) or not changed or self._hangs_on_text:
            return self._compiled(source)
        for extent in self._extents:
            if extent.body <= changed[0] and changed[-1] <= extent.last:
                within = self._compile_alone(lines, extent)
                if within is not None and not orders_a_constant(within):
                    return self._with(self.original, extent.place, self._constants.unified(within))
        return self._compiled(source)

    def _compiled(self, source: str) -> CodeType:
        return compile_with_ticks(replace(self._text, source=source))

    def _compile_alone(self, lines: Sequence[str], extent: _Extent) -> CodeType | None:
        """Compile a function whose body was changed from its own lines; return None if these are no whole function."""
        text = "\n".join(lines[extent.first - 1 : extent.last])
        head = f"class {extent.within}:\n" if extent.within else "\n"
        try:
            tree = ast.parse(f"{self._imports}pass" + "\n" * (extent.first - 2) + head + text, self._text.filename)
        except SyntaxError:
            return None  # the whole module says what is wrong
        functions = list(_functions(tree))
        behind = [node for node in tree.body if node.lineno > 1]
        if len(behind) != 1 or len(functions) != 1 or (extent.within and len(behind[0].body) != 1):  # type: ignore[attr-defined]
            return None
        ((_, function),) = functions
        if (function.end_lineno, function.end_col_offset) != (extent.last, extent.end):
            return None
        if "global" in text and _has_globals(function):
            return None
        if _LISTS_ATTRIBUTES and sorted(_stored_attributes(function)) != self._stored[extent.place]:
            return None
        flags = self.original.co_flags & _FUTURE
        code = compile(add_ticks(tree), self._text.filename, "exec", flags=flags, dont_inherit=True)
        codes = [one for (name, _), one in _function_codes(code, in_function=False) if name == extent.place[0]]
        return codes[0] if len(codes) == 1 else None

    def _with(self, code: CodeType, place: _Place, changed: CodeType) -> CodeType:
        """Return a module's or class's code with another function in a place."""
        constants = []
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                here = constant.co_qualname, constant.co_firstlineno
                if here == place:
                    constant = changed
                elif not is_of_function(constant) and place[0].startswith(f"{constant.co_qualname}."):
                    constant = self._with(constant, place, changed)
            constants.append(constant)
        return code.replace(co_consts=tuple(constants))


class _Constants:
    """The constants of a module's code.

    In one compilation equal constants of one type are one object, as a program can see by `is`. Code that was compiled
    apart gets the module's own constants. It is then the same as if it had been compiled with the module.
    """

    def __init__(self, code: CodeType) -> None:
        self._constants_by_key: dict[object, object] = {}
        for one in codes_of(code):
            for constant in one.co_consts:
                self._learn(constant)

    def _learn(self, constant: object) -> None:
        self._constants_by_key.setdefault(_constant_key(constant), constant)
        for part in constant if isinstance(constant, tuple) else ():
            self._learn(part)

    def unified(self, code: CodeType) -> CodeType:
        """Return the code with the module's constants instead of equal ones."""
        return self._unified(code, {})

    def _unified(self, code: CodeType, new: dict[object, object]) -> CodeType:
        constants = tuple(
            self._unified(one, new) if isinstance(one, CodeType) else self._one(one, new) for one in code.co_consts
        )
        return code if all(map(is_, constants, code.co_consts)) else code.replace(co_consts=constants)

    def _one(self, constant: Any, new: dict[object, object]) -> object:
        """Return the object that stands for a constant; `new` are those that the module does not have."""
        key = _constant_key(constant)
        stored = self._constants_by_key.get(key, new)
        if stored is new:
            candidate = tuple(self._one(part, new) for part in constant) if isinstance(constant, tuple) else constant
            stored = new.setdefault(key, candidate)
        return stored


def _constant_key(constant: object) -> object:
    """Return a key that constants share if one compilation has them as one object; signs of zeros count, too."""
    if isinstance(constant, tuple):
        return tuple, *map(_constant_key, constant)
    if isinstance(constant, frozenset):
        return frozenset, frozenset(map(_constant_key, constant))
    return type(constant), constant, repr(constant) if isinstance(constant, float | complex) else ""


def _extent(place: _Place, function: _Function) -> _Extent:
    within = place[0].rpartition(".")[0]
    head = [node.end_lineno or 0 for node in ast.walk(function.args) if isinstance(node, ast.expr | ast.arg)]
    after_head = max([function.lineno, *head, function.returns.end_lineno or 0 if function.returns else 0]) + 1
    last = function.end_lineno or 0, function.end_col_offset or 0
    return _Extent(place, within, place[1], max(function.body[0].lineno, after_head), *last)


def _has_globals(function: _Function) -> bool:
    return any(isinstance(node, ast.Global) for node in ast.walk(function))


def _stored_attributes(function: _Function) -> set[str]:
    """Return the attributes that the compiler takes for assigned on self, without those of augmented assignments."""
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
    """Yield the functions of the module and of its classes."""
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
    """Yield the code objects that depend on nothing around them."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and not in_function:
            if not constant.co_freevars:
                yield (constant.co_qualname, constant.co_firstlineno), constant
            yield from _function_codes(constant, in_function=is_of_function(constant))


_FUTURE: int = annotations.compiler_flag
"""The flag of an import at the top of a module that changes how its functions compile."""
_LISTS_ATTRIBUTES = sys.version_info >= (3, 13)
"""Whether a class's code lists the attributes that its methods assign."""
