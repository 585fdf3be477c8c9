"""Executes an implementation or a spec from its text, as a module, without the import system finding it.

The steps of a program are limited, by ticks at loop heads and function entries, and how deep it may call itself.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, Self, cast

from harness.errors import SourceError, SpecError
from harness.model.subject import Subject

if TYPE_CHECKING:
    from importlib.abc import Loader
import ast

SELECTOR = "__mutascope_mutant__"
"""The global of a metamutant module that selects the mutant; 0 is the original."""

MARK = "__mutascope_mark__"
"""The global of a marked metamutant that is called when code of the selected mutant begins to run; it returns True."""

DRIVER = "mutascope_driver"
"""The name of the companion through which a program is called, if it has one; a spec's names are found in it."""


@dataclass(frozen=True)
class ModuleText:
    """A module to be executed: its name, text, the file that tracebacks and coverage name, and blocked imports.

    `companions` are the other modules of a program of several files, as texts, too, because the process that executes
    them can read no file of the user's.
    """

    name: str
    source: str
    filename: str
    blocked: tuple[str, ...] = ()
    companions: tuple[ModuleText, ...] = ()

    @classmethod
    def of(cls, subject: Subject) -> ModuleText:
        """Return a subject's implementation."""
        companions = tuple(cls(file.module, file.source, file.path) for file in subject.companions)
        return cls(subject.module, subject.source, str(subject.source_path), subject.blocked, companions)

    @property
    def is_package(self) -> bool:
        """Whether other modules lie within it."""
        return os.path.basename(self.filename) == "__init__.py"

    @property
    def package(self) -> str:
        """The package that its relative imports start from; empty for a module on its own."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


@contextmanager
def _blocked(names: tuple[str, ...]) -> Iterator[None]:
    """Make any import of `names` raise ImportError within the block."""
    absent = object()
    before: dict[str, Any] = {name: sys.modules.get(name, absent) for name in names}
    for name in names:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name, module in before.items():
            if module is absent:
                del sys.modules[name]
            else:
                sys.modules[name] = module


@contextmanager
def loading(text: ModuleText) -> Iterator[None]:
    """Report any exception of the block, which loads the text, as an error of the user's making.

    Raises:
        SourceError: the text, or a companion of it, does not compile, or raises.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        files = {module.name: module.filename for module in (text, *text.companions)}
        frames = [(frame.f_globals.get("__name__"), line) for frame, line in traceback.walk_tb(error.__traceback__)]
        places = [(files[name], line) for name, line in frames if name in files]  # an observer may name another file
        file, line = places[-1] if places else (text.filename, None)
        line = error.lineno if isinstance(error, SyntaxError) else line
        raise SourceError(
            f"{file}{f':{line}' if line else ''}: {type(error).__name__} while it was loaded"
            f"{f': {error}' if str(error) else ''}; correct the source"
        ) from error


Compiling = Callable[[ModuleText], CodeType]


def plainly(text: ModuleText) -> CodeType:
    """Compile the text as it is.

    Raises:
        SyntaxError: it does not compile.
    """
    return compile(text.source, text.filename, "exec", dont_inherit=True)


def execute(
    text: ModuleText,
    code: CodeType | None = None,
    presets: Mapping[str, object] | None = None,
    compiling: Compiling = plainly,
) -> ModuleType:
    """Return a fresh module made by executing `code` (or `text.source`) with `presets` among its globals.

    `sys.modules` names it while it executes, as dataclasses and pickling expect, and is restored afterwards: the
    interpreter's own users of, say, `heapq` keep theirs. A package that it lies in is imported first: packages import
    names from their modules, which must not be found half executed. Other modules of an installed package keep the
    names that they have imported from the installed module.

    Companions are compiled by `compiling` and executed again with the same presets, so that they find this module and
    no other. These names stay in `sys.modules`, for imports inside functions. With a driver among them, the driver is
    returned.
    """
    code = plainly(text) if code is None else code
    if text.companions:
        return _execute_among_companions(text, code, presets or {}, compiling)
    with _blocked(text.blocked):
        parent = text.name.rpartition(".")[0]
        if parent:
            importlib.import_module(parent)
        return _execute(text, code, presets or {})


def _execute(text: ModuleText, code: CodeType, presets: Mapping[str, object]) -> ModuleType:
    module = ModuleType(text.name)
    module.__file__ = text.filename
    module.__package__ = text.package
    if text.is_package:
        module.__path__ = [os.path.dirname(text.filename)]
    module.__dict__.update(presets)
    before = sys.modules.get(text.name)
    sys.modules[text.name] = module
    try:
        exec(code, module.__dict__)
    finally:
        if before is None:
            sys.modules.pop(text.name, None)
        else:
            sys.modules[text.name] = before
    return module


def _execute_among_companions(
    text: ModuleText, code: CodeType, presets: Mapping[str, object], compiling: Compiling
) -> ModuleType:
    texts = {companion.name: companion for companion in text.companions} | {text.name: text}
    finder = _Companions(texts, lambda found: code if found is text else compiling(found), presets)
    sys.meta_path[:] = [finder, *(other for other in sys.meta_path if not isinstance(other, _Companions))]
    for name in texts:
        sys.modules.pop(name, None)
    with _blocked(text.blocked):
        module = importlib.import_module(text.name)
        return importlib.import_module(DRIVER) if DRIVER in texts else module


def names_of_program(module: ModuleType) -> set[str]:
    """Return the names of the modules that were loaded for this one alone, and its own."""
    groups = (set(finder.texts) for finder in sys.meta_path if isinstance(finder, _Companions))
    return next((names for names in groups if module.__name__ in names), {module.__name__})


class _Companions:
    """Finds the modules of one program in their texts, and loads them.

    It has no base class: importing `importlib.abc` imports `tempfile`, `random` and `shutil`, and their memory would
    make each fork of a child for a mutant slower.
    """

    def __init__(self, texts: Mapping[str, ModuleText], compiling: Compiling, presets: Mapping[str, object]) -> None:
        self.texts = texts
        self._compiling = compiling
        self._presets = presets

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        text = self.texts.get(fullname)
        if text is None:
            return None
        spec = ModuleSpec(fullname, cast("Loader", self), origin=text.filename, is_package=text.is_package)
        spec.has_location = True
        if text.is_package:
            spec.submodule_search_locations = [os.path.dirname(text.filename)]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system to make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        code = self._compiling(self.texts[module.__name__])
        module.__dict__.update(self._presets)
        exec(code, module.__dict__)


def compile_with_ticks(text: ModuleText) -> CodeType:
    """Compile the text so that every function entry and loop iteration spends a step.

    Raises:
        SyntaxError: it does not compile.
    """
    tree = with_ticks(text.source, text.filename)
    return compile(tree, text.filename, "exec", dont_inherit=True)


def execute_with_ticks(
    text: ModuleText, counter: StepCounter, code: CodeType | None = None, selector: int = 0
) -> ModuleType:
    """Execute like `execute`, with ticks going to `counter`; `selector` picks the mutant of a metamutant."""
    presets = {TICK: counter.tick, SELECTOR: selector}
    return execute(text, compile_with_ticks(text) if code is None else code, presets, _kept_with_ticks)


_kept_with_ticks = lru_cache(maxsize=None)(compile_with_ticks)
"""A cache: companions are the same for each mutant; a forked process finds them compiled."""


def resolve(module: ModuleType, dotted: str) -> Any:
    """Return the class or function `dotted` of `module`.

    Raises:
        SpecError: there is none.
    """
    member: Any = module
    for part in dotted.split("."):
        try:
            member = getattr(member, part)
        except AttributeError:
            raise SpecError(
                f"the spec names {dotted!r}, but {module.__file__} has no such class or function; correct the name"
            ) from None
    return member


@dataclass(frozen=True)
class SubjectRequest:
    """A request about a subject at a scope; subclasses add what they ask for."""

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    scope: int

    @classmethod
    def of(cls, subject: Subject, scope: int, /, **more: Any) -> Self:
        """Return the request about `subject`, with `more` for the other fields."""
        return cls(ModuleText.of(subject), subject.spec_source, str(subject.spec_path), scope, **more)


@dataclass(frozen=True)
class SuiteJob(SubjectRequest):
    """A request about a subject and a suite, given by its folder."""

    suite: str


TICK = "__mutascope_tick__"

BUDGET_FACTOR = 10
BUDGET_CONSTANT = 1000
LOAD_BUDGET = 1_000_000
"""The steps within which a mutant is loaded, and those within which the objects of an input are made."""


class CallEnd(BaseException):
    """Raised in a program to end it: no outcome. The program's `except Exception` cannot swallow a BaseException."""


class StepLimit(CallEnd):
    """Raised when the budget is spent."""


Look = Callable[[int], int | None]


@dataclass(frozen=True)
class StepCounter:
    """Closures over one count: faster than attributes, as `tick` runs at every loop iteration.

    `tick()` spends a step and returns True, or raises StepLimit once the budget is spent (and ever after: a program
    that catches it gains nothing). `start(budget)` sets the budget, and `spent()` returns the steps since.
    `spec_tick()` is the spec's own `tick`. `spent_by_others()` returns the steps that were not spent by it, which shows
    whether judging has run the program.

    `start(budget, first, look)` has `look` called, with the steps remaining, at the step after the `first` ones. It
    returns how many pass before it is called again, or None to end the budget there and then.
    """

    tick: Callable[[], bool]
    spec_tick: Callable[[], bool]
    start: Callable[..., None]
    spent: Callable[[], int]
    spent_by_others: Callable[[], int]


def step_counter() -> StepCounter:  # noqa: C901 (closures over one state, for speed)
    """Return a fresh counter with an empty budget."""
    left = later = beyond = budget = own = 0
    look: Look | None = None

    # `left` steps pass before the next look, `later` ones after it, and `beyond` ones were spent after the budget. No
    # number is ever negative, and `tick` compares none: a comparison of large integers is a call for Python 3.11. The
    # original, whose budget is large, would meet the recursion limit before its mutants do.

    def tick() -> bool:
        nonlocal left, later, beyond
        if left:
            left -= 1
            return True
        if not later:
            beyond += 1
            raise StepLimit
        later -= 1
        try:
            look_or_raise()
        except (RecursionError, MemoryError):  # of looking, not of the program: it goes on unseen
            left, later = later, 0
        return True

    def spec_tick() -> bool:
        nonlocal left, later, beyond, own
        own += 1
        if left:
            left -= 1
        elif later:
            left, later = later - 1, 0
        else:
            beyond += 1
            raise StepLimit
        return True

    def look_or_raise() -> None:
        nonlocal left, later, beyond
        steps = None if look is None else look(later)
        if steps is None:
            left, later, beyond = 0, 0, 1
            raise StepLimit
        left = min(steps, later)
        later -= left

    def start(steps: int, first: int = 0, looking: Look | None = None) -> None:
        nonlocal left, later, beyond, budget, own, look
        budget = max(steps, 0)
        beyond = own = 0
        look = looking
        left = budget if looking is None else min(first, budget)
        later = budget - left

    def spent() -> int:
        return budget - left - later + beyond

    def spent_by_others() -> int:
        return spent() - own

    return StepCounter(tick, spec_tick, start, spent, spent_by_others)


def budget_for(original_steps: int) -> int:
    """Return the budget of a mutant on an input on which the original took `original_steps`."""
    return BUDGET_FACTOR * original_steps + BUDGET_CONSTANT


class _Ticks(ast.NodeTransformer):
    """Adds a tick to every function entry, loop body, comprehension and lambda."""

    def _call(self, at: ast.AST) -> ast.Call:
        name = ast.copy_location(ast.Name(TICK, ast.Load()), at)
        return ast.copy_location(ast.Call(name, [], []), at)

    def _body(self, body: list[ast.stmt], at: ast.AST) -> list[ast.stmt]:
        tick = ast.copy_location(ast.Expr(self._call(at)), at)
        return [tick, *body]

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        docstring = int(ast.get_docstring(node, clean=False) is not None)
        node.body = node.body[:docstring] + self._body(node.body[docstring:], node)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    # Most of a tree is these: nothing below them is ticked, and visiting it takes longer than all the rest.

    def _alone(self, node: ast.expr) -> ast.AST:
        return node

    visit_Name = visit_Constant = _alone

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.value = self.visit(node.value)
        return node

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body = self._body(node.body, node)
        return node

    visit_For = visit_AsyncFor = visit_While = _loop

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, self._call(node.target))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.copy_location(ast.BoolOp(ast.And(), [self._call(node.body), node.body]), node.body)
        return node


def with_ticks(source: str, filename: str) -> ast.Module:
    """Return the source's tree with ticks added; line numbers are the source's.

    Raises:
        SyntaxError: the source does not parse.
    """
    return add_ticks(ast.parse(source, filename))


def add_ticks(tree: ast.Module) -> ast.Module:
    """Add ticks to the tree in place, and return it."""
    return cast(ast.Module, _Ticks().visit(tree))


# The limit is deep enough that an endless recursion of small steps spends its budget first on small inputs, and shallow
# enough for the C stack of every supported interpreter.
RECURSION_LIMIT = 3000


def limit_recursion(more: int = 0) -> None:
    """Allow RECURSION_LIMIT frames, and some `more`, below the caller's, however deep the caller is."""
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth += 1
        frame = frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(depth + RECURSION_LIMIT + more)


@contextmanager
def recursion_limited() -> Iterator[None]:
    """Allow as many frames within the block, and restore the limit after it."""
    before = sys.getrecursionlimit()
    limit_recursion()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
