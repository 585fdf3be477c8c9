"""Rewrites the source of a program for execution on symbolic integers, so that it calls the functions defined here.

`a[i]` becomes `array(a)[i]`, `a is b` becomes `same(a, b)`, and `type(a)` becomes `kind(type, a)`. `caught()` stands
wherever an exception may be swallowed. If a program imports modules that are not harmless, each of its calls `f(a)`
becomes `leave(f)(a)`.

`array` compares a symbolic index with the bounds of a list first, and then with each index within them: a list written
in C would ask for its number, which would pin it although other numbers are possible. `same` and `kind` answer which
object a proxy is (`is`), and of which class (`type`).

`caught` keeps handlers from swallowing the end of a path. The number of frames before the stack ends differs between
proxies and integers, so a path on which it ends counts as endless, even if the program expects RecursionError.

`ForeignCalls` guards functions without source in the program, which a proxy cannot control. Code in C may look at the
class of an object past all proxies, and refuse it or take another branch. Modules are harmless if they are known to use
integers only by `__index__` and comparisons.
"""

from __future__ import annotations

import ast
import builtins
import operator
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType, MethodType, ModuleType, TracebackType
from typing import Any

from harness.generators.sequences.replay import reachable
from harness.generators.symbolic.values import Abandoned, EndlessPath, isinstance_of
from harness.kernel.program.loader import ModuleText, StepLimit, with_ticks

ARRAY, CAUGHT, LEAVE = "__mutascope_array__", "__mutascope_caught__", "__mutascope_leave__"
SAME, KIND, KIND_OF = "__mutascope_same__", "__mutascope_kind__", "__mutascope_kind_of__"
HARMLESS = frozenset(
    {"__future__", "_bisect", "_collections", "_collections_abc", "_functools", "_heapq", "_operator", "_queue"}
    | {"_thread", "abc", "array", "bisect", "builtins", "cmath", "collections", "contextlib", "copy", "dataclasses"}
    | {"enum", "functools", "heapq", "itertools", "math", "numbers", "operator", "queue", "sys", "threading", "types"}
    | {"typing", "typing_extensions", "warnings", "weakref"}
)
"""Modules whose functions compare their arguments, ask for their numbers, or keep them."""
IDENTITIES = (operator.is_, operator.is_not)
_LEAST, _GREATEST = -5, 256
"""The range of integers of which CPython has only one object each."""
_STACK_ENDS = "maximum recursion depth exceeded"


class Access:
    """A list or tuple that is about to be accessed."""

    __slots__ = ("_items",)

    def __init__(self, items: Any) -> None:
        self._items = items

    def __getitem__(self, index: Any) -> Any:
        return self._items[place_of(self._items, index) if isinstance_of(index) else index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[place_of(self._items, index) if isinstance_of(index) else index] = value

    def __delitem__(self, index: Any) -> None:
        del self._items[place_of(self._items, index) if isinstance_of(index) else index]


def array(owner: Any) -> Any:
    """Return the object to make an access on: an `Access` for a list or tuple, else the owner itself."""
    return Access(owner) if type(owner) is list or type(owner) is tuple else owner


def place_of(items: Any, index: Any) -> int:
    """Find the number that a symbolic index has, by comparing it with the bounds and then with each index within."""
    count = len(items)
    if index >= count or index < -count:
        return count  # out of range: the list itself raises the error
    at = 0 if index >= 0 else -count
    while not index == at:  # noqa: SIM201 - the last one follows from the bounds
        at += 1
    return at


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same object (`is`), as equal small integers are."""
    if one is other:
        return True
    if not isinstance_of(one):
        one, other = other, one
    if not isinstance_of(one) or not (type(other) is int or isinstance_of(other)):
        return False
    return bool(one == other) and bool(other >= _LEAST) and bool(other <= _GREATEST)


def kind(function: Any, value: Any) -> Any:
    """Return `type(value)`, which is int for a symbolic value, if the program's name `type` means the builtin."""
    return int if function is type and isinstance_of(value) else function(value)


def kind_of(function: Any) -> Any:
    """Return a function that calls `kind` on each value."""
    return partial(kind, type) if function is type else function


class _PathEnd:
    """The exception that has ended the current path, if a handler has caught it."""

    __slots__ = ("by",)
    by: BaseException | None


PATH_END = _PathEnd()
"""Before a call, `by` is set to None. After the call it is read, because an `__exit__` may swallow exceptions."""


def is_end_of_stack(error: BaseException | None) -> bool:
    """Return whether Python raised the error at its recursion limit; programs may raise RecursionError, too."""
    return isinstance(error, RecursionError) and str(error).startswith(_STACK_ENDS)


def caught() -> None:
    """Raise the exception that ends the path again, if a handler has caught it.

    Raises:
        EndlessPath: the stack has ended.
        Abandoned, StepLimit: this exception was caught.
    """
    error = sys.exc_info()[1]
    if is_end_of_stack(error):
        PATH_END.by = EndlessPath()
    elif isinstance(error, (Abandoned, StepLimit)):
        PATH_END.by = error
    else:
        return
    raise PATH_END.by from None


class SymbolicArgumentEscaped(Abandoned):
    """A function that is not the program's was called with symbolic integers.

    Attributes:
        variables: the variables of these integers.
    """

    def __init__(self, variables: frozenset[int], message: str) -> None:
        super().__init__(message)
        self.variables = variables


class ForeignCalls:
    """The function that `leave` refers to in the source of a program.

    Args:
        own: names of the program's modules.
    """

    def __init__(self, own: Iterable[str]) -> None:
        self._own = frozenset(own)

    def __call__(self, function: Any) -> Any:
        """Return the function, or a wrapper of a foreign function that checks for symbolic integers before the call."""
        return _Foreign(function, self._home(function)) if self._is_foreign(function) else function

    def _is_foreign(self, function: Any) -> bool:
        if any(function is one for one in IDENTITIES):
            return True
        if type(function) is MethodType:
            function = function.__func__
        if type(function) is FunctionType and ARRAY in function.__globals__:
            return False
        home = self._home(function)
        return home not in self._own and home.partition(".")[0] not in HARMLESS

    @staticmethod
    def _home(function: Any) -> str:
        """Return the name of the module of a function, or of the class of a callable object."""
        owner = getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, ModuleType):
            function = owner if isinstance(owner, type) else type(owner)
        return str(getattr(function, "__module__", None) or "builtins")


class _Foreign:
    """A foreign function, which raises SymbolicArgumentEscaped if it is called with symbolic integers."""

    __slots__ = ("_function", "_home")

    def __init__(self, function: Callable[..., Any], home: str) -> None:
        self._function = function
        self._home = home

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        variables = frozenset(
            x for one in reachable([*arguments, *named.values()], None) if isinstance_of(one) for x, _ in one.parts()[0]
        )
        if variables:
            name = getattr(self._function, "__qualname__", type(self._function).__qualname__)
            raise SymbolicArgumentEscaped(variables, f"{self._home}.{name} is given it {_place(sys._getframe(1))}")
        return self._function(*arguments, **named)


def _place(frame: Any, line: int = 0) -> str:
    """Return the place in the program that a frame executes, as text."""
    return f"({os.path.basename(frame.f_code.co_filename)}:{line or frame.f_lineno})"


def place_of_error(traceback: TracebackType | None) -> str:
    """Return the innermost line of the program in the traceback of an exception, as text; empty if there is none."""
    text = ""
    while traceback is not None:
        if ARRAY in traceback.tb_frame.f_globals:
            text = _place(traceback.tb_frame, traceback.tb_lineno)
        traceback = traceback.tb_next
    return text


_BUILT_IN = frozenset(dir(builtins))
"""The names of builtins, which need no `leave`; some of them look at the frame that they are called in."""


def presets(text: ModuleText) -> dict[str, object]:
    """Return the names that rewritten source refers to, except that of the step counter."""
    return {
        ARRAY: array,
        CAUGHT: caught,
        KIND: kind,
        KIND_OF: kind_of,
        LEAVE: ForeignCalls(_own_names(text)),
        SAME: same,
    }


def compiled(text: ModuleText) -> Any:
    """Return the code of a module with counted steps, rewritten for symbolic integers.

    Raises:
        SyntaxError: it does not parse.
    """
    return compile(ast.fix_missing_locations(decidable(text)), text.filename, "exec", dont_inherit=True)


def decidable(text: ModuleText) -> ast.Module:
    """Return the tree of a module with counted steps, rewritten for symbolic integers, for further changes.

    Raises:
        SyntaxError: it does not parse.
    """
    tree: ast.Module = with_ticks(text.source, text.filename)
    rewritten: ast.Module = _Asking(_imports_foreign(tree, text)).visit(tree)
    return rewritten


def is_risky(text: ModuleText) -> bool:
    """Return whether a program may behave differently with proxies without an exception that shows it."""
    tree = ast.parse(text.source)
    return _imports_foreign(tree, text) or any(isinstance(node, ast.ExceptHandler) for node in ast.walk(tree))


def _own_names(text: ModuleText) -> frozenset[str]:
    """Return the names of a program's modules."""
    return frozenset({text.name, *(companion.name for companion in text.companions)})


def _imports_foreign(tree: ast.AST, text: ModuleText) -> bool:
    """Return whether a source imports modules whose functions may not accept symbolic integers."""
    names: list[str] = []
    identities = {function.__name__ for function in IDENTITIES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
            names += identities.intersection(one.name for one in node.names)
        elif isinstance(node, ast.Attribute) and node.attr in identities:
            names.append(node.attr)
    own = _own_names(text)
    return any(name not in own and name.partition(".")[0] not in HARMLESS for name in names)


def call_of(name: str, *arguments: ast.expr, at: ast.AST | None = None) -> ast.Call:
    """Return a call of a function of that name, at the place of a node or of the first argument."""
    place = at or arguments[0]
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), place), list(arguments), []), place)


class OutsideAnnotations(ast.NodeTransformer):
    """Changes code, and leaves annotations and the bases of classes as they are."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Leave the annotation as it is."""
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        bases, node.bases = node.bases, []
        self.generic_visit(node)
        node.bases = bases
        return node


class _Asking(OutsideAnnotations):
    """Inserts calls of the functions of `runtime`, in parts of a node first.

    Args:
        has_foreign: whether `leave` is put around each called function except builtins.
    """

    def __init__(self, has_foreign: bool) -> None:
        self._has_foreign = has_foreign

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        node.value = call_of(ARRAY, node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return node
        sides = [node.left, node.comparators[0]]
        if any(isinstance(side, ast.Constant) and type(side.value) is not int for side in sides):
            return node
        called = call_of(SAME, *sides, at=node)
        return called if isinstance(node.ops[0], ast.Is) else ast.copy_location(ast.UnaryOp(ast.Not(), called), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "type" and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
            return call_of(KIND, node.func, node.args[0], at=node)
        if name == "map" and node.args:
            node.args[0] = _applied(node.args[0])
        for keyword in node.keywords:
            if keyword.arg == "key":
                keyword.value = _applied(keyword.value)
        if self._has_foreign and not (name.startswith("__mutascope_") or name in _BUILT_IN):
            node.func = call_of(LEAVE, node.func)
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        return self._guarded(node)

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        return self._guarded(node)

    def _guarded(self, node: ast.Try | ast.TryStar) -> ast.AST:
        self.generic_visit(node)
        for handler in node.handlers:
            handler.body.insert(0, _call_of_caught(handler))
        if node.finalbody:
            node.finalbody.insert(0, _call_of_caught(node))
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._within(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._within(node)

    def _within(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        """Call `caught` on an exception that leaves the block, before the context manager's `__exit__` receives it."""
        self.generic_visit(node)
        again = ast.copy_location(ast.Raise(), node)
        handler = ast.copy_location(ast.ExceptHandler(None, None, [_call_of_caught(node), again]), node)
        node.body = [ast.copy_location(ast.Try(node.body, [handler], [], []), node)]
        return node


def _applied(function: ast.expr) -> ast.expr:
    """Return a function in a form that can be applied to symbolic values."""
    return call_of(KIND_OF, function) if isinstance(function, ast.Name) and function.id == "type" else function


def _call_of_caught(at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Expr(call_of(CAUGHT, at=at)), at)
