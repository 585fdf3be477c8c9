"""Remembers prefixes of sequences that were judged before: they are run again to make their states, but not judged.

Random sequences extend earlier ones, so most calls of a suite have been judged with another input. The verdict on them
is known if nothing can have changed it:

- the behaviour of the program's routines depends only on their objects and arguments (`is_watchable`);
- the spec's functions that judge keep nothing and assign nothing in objects. They call methods that sort, clear or
  update only on containers of their own, and never append to a field or pop from it. An argument of a function may be
  a worklist, and is not checked;
- judging has run nothing of the program, which the caller of `learn` sees to;
- the original had the same outcomes in these calls, as the baseline says.

Steps are counted all the same. If they differ from the earlier ones, every call is judged from then on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType
from typing import NamedTuple

from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.kernel.judging.endless import is_watchable
from harness.kernel.judging.isolation import KEEPS_STATE, names_read
from harness.kernel.judging.prepared import PreparedSequence
from harness.kernel.program.builtin_effects import BUILTINS, METHODS, CallEffects, named
from harness.kernel.program.steps import StepCounter
from harness.kernel.specs.contracts import postconditions
from harness.kernel.specs.spec import Spec
from harness.model.sequence import SequenceScope

MOST_KNOWN = 1 << 18
"""The greatest number of prefixes remembered on one module, of some hundred bytes each."""

_ASSIGNS = frozenset({"STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"})
"""Instructions by which a function changes an object."""

_CHANGING = named(METHODS, has=CallEffects.CHANGES, lacks=CallEffects.IS_OF_WORKLISTS)
"""Methods that change a container, and seldom one that another function made, as those of worklists do."""

_OF_WORKLISTS = named(METHODS, CallEffects.IS_OF_WORKLISTS)
"""Methods that change a container, which may be an argument, but no field."""

_MAKING = named(BUILTINS, CallEffects.MAKES_CONTAINER)
"""Builtins that return a new container, which nobody else refers to."""

_CONTAINER = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


class JudgedPrefix(NamedTuple):
    """A judged prefix: the number of its calls, the steps that they took, and those of the original in them.

    `did` is the number of the original's outcomes in the baseline, in these calls and perhaps more.
    """

    calls: int
    steps: int
    original: int
    did: int


NOTHING = JudgedPrefix(0, 0, 0, -1)


class PrefixCache:
    """The judged prefixes of one suite's sequences on one module.

    Args:
        is_closed: whether calls can be left unjudged at all; called after the first input that passed.
    """

    def __init__(self, suite: SuiteReader, counter: StepCounter, is_closed: Callable[[], bool]) -> None:
        self._suite = suite
        self._counter = counter
        self._is_closed = is_closed
        self._prefixes: dict[int, JudgedPrefix] | None = {}

    def repeat(self, number: int, sequence: PreparedSequence, is_same: Callable[[JudgedPrefix], bool]) -> JudgedPrefix:
        """Run the longest known prefix of input `number`, without judging it.

        Args:
            sequence: the input, before its first call.
            is_same: whether the original had the same outcomes in these calls.

        Returns:
            The prefix that was run; NOTHING if none is known.
        """
        prefixes = self._prefixes
        if not prefixes:
            return NOTHING
        state, _ = self._suite.input(number)
        prefix = prefixes.get(state)
        while prefix is None and state != NO_STATE:
            state = self._suite.before(state)
            prefix = prefixes.get(state)
        if prefix is None or not is_same(prefix):
            return NOTHING
        self._counter.start(prefix.steps)
        sequence.repeat(prefix.calls)
        if self._counter.spent() != prefix.steps:
            self._prefixes = None
            sequence.restart()
            return NOTHING
        return prefix

    def is_new(self, number: int) -> bool:
        """Return whether all calls of input `number` but the last are worth remembering."""
        if self._prefixes is None or len(self._prefixes) >= MOST_KNOWN:
            return False
        state, _ = self._suite.input(number)
        if state == NO_STATE or state in self._prefixes:
            return False
        if not self._is_closed():
            self._prefixes = None
        return self._prefixes is not None

    def learn(self, number: int, prefixes: Iterable[JudgedPrefix]) -> None:
        """Remember the calls of input `number` before its last one, and their prefixes: the longest comes first."""
        if self._prefixes is None:
            return
        state, _ = self._suite.input(number)
        for prefix in prefixes:
            if state in self._prefixes or len(self._prefixes) >= MOST_KNOWN:
                break
            self._prefixes[state] = prefix
            state = self._suite.before(state)


def is_closed(module: ModuleType, spec: Spec, source: str, bounds: SequenceScope, by_promises: bool) -> bool:
    """Return whether calls of the routines do the same each time on the same objects, and their judges keep nothing.

    Args:
        source: the text of the spec.
        by_promises: whether the spec's postconditions judge.
    """
    posts = [*postconditions(spec.module).values()] if by_promises else []
    if any("program" in post.extras for post in posts):
        return False
    functions = [post.holds for post in posts]
    functions += [routine.requires for routine in bounds.routines if routine.requires is not None]
    names = names_read(spec, functions, KEEPS_STATE | _ASSIGNS)
    looks_only = names is not None and not names & _changing_others(source, spec.module)
    return looks_only and is_watchable(module, [routine.name for routine in bounds.routines])


@cache
def _changing_others(source: str, spec: ModuleType) -> frozenset[str]:
    """Return methods by which a function of a spec may change a container that neither it nor its caller has made."""
    parts = list(ast.walk(ast.parse(source)))
    functions = [part for part in parts if isinstance(part, ast.FunctionDef)]
    making = _MAKING - vars(spec).keys()
    on_own = {id(part) for each in functions for part in _methods_of(each, _own_containers(each, making))}
    of_fields = {id(part) for each in functions for part in _methods_of(each, _variables_with_fields(each))}
    methods = [part for part in parts if isinstance(part, ast.Attribute) and id(part) not in on_own]
    on_fields = [part for part in methods if isinstance(part.value, ast.Attribute) or id(part) in of_fields]
    return _CHANGING & {part.attr for part in methods} | _OF_WORKLISTS & {part.attr for part in on_fields}


def _methods_of(function: ast.FunctionDef, names: set[str]) -> list[ast.Attribute]:
    """Return the attributes of these local variables that the function reads."""
    read = [part for part in ast.walk(function) if isinstance(part, ast.Attribute)]
    return [part for part in read if isinstance(part.value, ast.Name) and part.value.id in names]


def _variables_with_fields(function: ast.FunctionDef) -> set[str]:
    """Return the local variables of a function that are assigned the content of a field."""
    assigned = [part for part in ast.walk(function) if isinstance(part, ast.Assign)]
    from_fields = [each for each in assigned if isinstance(each.value, ast.Attribute)]
    return {target.id for each in from_fields for target in each.targets if isinstance(target, ast.Name)}


def _own_containers(function: ast.FunctionDef, making: frozenset[str]) -> set[str]:
    """Return the local variables of a function that are only ever assigned a container which is made there."""
    parts = list(ast.walk(function))
    within = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal)
    if any(isinstance(part, within) for part in parts[1:]):
        return set()
    own_names = [
        target.id
        for part in parts
        if isinstance(part, ast.Assign) and _is_made(part.value, making)
        for target in part.targets
        if isinstance(target, ast.Name)
    ]
    stored = [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    parameters = {part.arg for part in parts if isinstance(part, ast.arg)}
    return {name for name in own_names if own_names.count(name) == stored.count(name)} - parameters


def _is_made(value: ast.expr, making: frozenset[str]) -> bool:
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in making
    return isinstance(value, _CONTAINER)
