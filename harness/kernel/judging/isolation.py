"""Recognises programs of which no run leaves anything behind, so that mutants of them can share one process in turn.

Each mutant has a fresh module of its own, so nothing within it reaches the next one. Outside of its module, a program
could change objects of other modules, or the judge's. It cannot if

- its module does nothing on loading but to import, to define functions and classes, and to name constants;
- all its functions satisfy `is_watchable`: they call each other, the module's classes and some builtins, catch nothing
  and pass no class on;
- none of them makes a set, whose order may depend on addresses, and no class has a finalizer, which would run at some
  later time;
- nothing in it depends on how its text is laid out and compiled (`hangs_on_text`).

A mutant is held to the same rules: it may change only bodies of functions, and each of these is checked.
"""

from __future__ import annotations

import ast
import builtins
import dis
from collections.abc import Callable, Collection, Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from harness.kernel.judging.endless import is_closed_function, is_watchable
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.builtin_effects import BUILTINS, CallEffects, is_exception, named
from harness.kernel.program.code_reading import (
    codes_of,
    hangs_on_text,
    is_of_function,
    operations,
    orders_a_constant,
)
from harness.kernel.program.loader import SELECTOR, TICK
from harness.kernel.specs.spec import Spec

_SETS = frozenset(dis.opmap[name] for name in ("BUILD_SET", "SET_ADD", "SET_UPDATE"))
_NAMES_OF_SETS = frozenset({"set", "frozenset", "keys", "items"})
_FINALIZER = "__del__"
_BASES = frozenset({"object", "Exception"})


class IsolatedProgram:
    """A module with its text and code, with which mutants of it are compared.

    Args:
        source: its text; `code` is the text compiled, and `module` was made of that.
    """

    def __init__(self, source: str, code: CodeType, module: ModuleType) -> None:
        self._code = code
        functions = [*_functions(module)]
        names = [function.__name__ for function in functions]
        self.holds = (
            only_defines(source)
            and not hangs_on_text(source)
            and is_watchable(module, names)  # which looks at them all by `is_closed_function`
            and not any(map(_is_refused, functions))
        )
        """True if the program leaves nothing behind."""

    def changed(self, code: CodeType) -> list[CodeType] | None:
        """Return the functions that a mutant, compiled to `code`, changes; None if it changes something else."""
        return changed_functions(code, self._code)

    def holds_with(self, changed: Collection[CodeType], module: ModuleType) -> bool:
        """Return whether a mutant, loaded as `module`, is such a program as well, with these functions changed."""
        if not changed:  # of a metamutant, which was looked at as a whole
            return self.holds
        functions = [function for function in _functions(module) if any(function.__code__ is one for one in changed)]
        return len(functions) == len(changed) and all(
            is_closed_function(function) and not _is_refused(function) for function in functions
        )


def only_defines(source: str) -> bool:
    """Return whether a module's text only imports, defines and names constants.

    Code of a metamutant for controls alone, whose numbers are negative, is not checked.
    """
    return all(map(_is_definition, ast.parse(source).body))


def changed_functions(code: CodeType, original: CodeType) -> list[CodeType] | None:
    """Return the functions of a module or class, by their code, that differ from those in `original`.

    None if the code does anything else than `original`, besides defining functions.
    """
    if code.co_code != original.co_code or code.co_names != original.co_names:
        return None
    changed: list[CodeType] = []
    for one, other in zip(code.co_consts, original.co_consts, strict=False):
        if one is other or one == other or not isinstance(one, CodeType):
            continue
        if not isinstance(other, CodeType) or one.co_name != other.co_name:
            return None
        if is_of_function(one):
            changed.append(one)
        else:
            within = changed_functions(one, other)
            if within is None:
                return None
            changed += within
    return changed


def _functions(module: ModuleType) -> Iterator[FunctionType]:
    names = vars(module)
    classes = [cls for cls in names.values() if isinstance(cls, type) and cls.__module__ == module.__name__]
    for holder in (names, *map(vars, classes)):
        for value in holder.values():
            if isinstance(value, FunctionType) and value.__globals__ is names:
                yield value


def _is_refused(function: FunctionType) -> bool:
    if function.__name__ == _FINALIZER:
        return True
    return orders_a_constant(function.__code__) or any(
        not (_NAMES_OF_SETS.isdisjoint(code.co_names) and _SETS.isdisjoint(operations(code)))
        for code in codes_of(function.__code__)
    )


def _is_definition(node: ast.stmt) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Pass():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef(decorator_list=[], args=arguments):
            return all(map(_is_constant, (*arguments.defaults, *filter(None, arguments.kw_defaults))))
        case ast.ClassDef(decorator_list=[], keywords=[], bases=bases, body=body):
            return all(isinstance(base, ast.Name) and base.id in _BASES for base in bases) and all(
                map(_is_definition, body)
            )
        case ast.Assign(targets=[ast.Name()], value=value):
            return _is_constant(value)
        case ast.AnnAssign(target=ast.Name(), value=value):
            return value is None or _is_constant(value)
        case ast.If(test=ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[number]), orelse=[]):
            return name == SELECTOR and isinstance(number, ast.UnaryOp) and isinstance(number.op, ast.USub)
    return False


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    return isinstance(node, ast.Constant)


ANSWERING = named(BUILTINS, CallEffects.DEPENDS_ON_CONTENT)
"""Builtins that the spec's functions may call."""

_FORBIDDEN = {name for name in vars(builtins) if name not in ANSWERING and not is_exception(name)}
KEEPS_STATE = frozenset(
    {"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "IMPORT_NAME", "LOAD_BUILD_CLASS"}
)
"""Instructions of functions whose answers may change from one call to the next."""


def names_read(
    spec: Spec, more: Iterable[Callable[..., Any]] = (), refused: frozenset[str] = KEEPS_STATE
) -> frozenset[str] | None:
    """Return the names of attributes that judging a state may read; None if it may read more than the state.

    Args:
        more: functions of the spec that are called, too.
        refused: instructions that none of these functions may have.
    """
    functions = [*more, spec.rep_ok] if spec.abstraction is None else [*more, spec.rep_ok, spec.abstraction]
    names: set[str] = set()
    seen: set[object] = set()
    while functions:
        function = functions.pop()
        if function in seen:
            continue
        seen.add(function)
        if not isinstance(function, FunctionType) or function.__globals__ is not vars(spec.module):
            return None
        referenced = (
            *(function.__defaults__ or ()),
            *(function.__kwdefaults__ or {}).values(),
            *vars(function).values(),
        )
        if function.__closure__ or not ATOMS.issuperset(map(type, referenced)):
            return None
        for code in codes_of(function.__code__):
            if any(instruction.opname in refused for instruction in dis.get_instructions(code)):
                return None
            names.update(code.co_names)
        for name in names - {TICK}:
            value = vars(spec.module).get(name)
            if isinstance(value, FunctionType):
                functions.append(value)
            elif name.startswith("__") or type(value) not in ATOMS or name in _FORBIDDEN:
                return None
    return frozenset(names)
