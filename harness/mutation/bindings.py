"""Finds the local variables, and fields of `self` in `__init__`, that surely have a value at each use.

This is a structured definite-assignment analysis. Java rejects a program that may read an unassigned variable (Java
Language Specification, chapter 16), so Ferastrau never makes such a mutant. In Python it would be an UnboundLocalError
that any input reveals.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator

from harness.kernel.program.code_reading import INNER_SCOPES
from harness.mutation.program import Function, FunctionNode

Place = tuple[int, int]
"""Line from 1 and column in UTF-8 bytes, as `ast` counts."""
_State = frozenset[str] | None
"""Names surely assigned; None at places that control cannot reach."""
_Scope = FunctionNode | ast.Lambda


def bound_names(function: _Scope) -> frozenset[str]:
    """Return the parameters and local variables of `function`, without those of scopes inside it."""
    names = set(parameter_names(function.args))
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    outside: set[str] = set()
    work: list[ast.AST] = list(body)
    while work:
        node = work.pop()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                names.add(name)
            case ast.MatchMapping(rest=str(name)):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add(other or name.partition(".")[0])
            case ast.Global(names=assigned_names) | ast.Nonlocal(names=assigned_names):
                outside.update(assigned_names)
        if isinstance(node, ast.comprehension):
            # Its target is local to the comprehension; the walrus inside is not.
            work.extend([node.iter, *node.ifs])
        elif not isinstance(node, INNER_SCOPES):
            work.extend(ast.iter_child_nodes(node))
    return frozenset(names - outside)


def parameter_names(arguments: ast.arguments) -> tuple[str, ...]:
    """Return the names of all parameters in order."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return tuple(a.arg for a in (*every, arguments.vararg, arguments.kwarg) if a is not None)


def definitely_assigned(function: FunctionNode, receiver: str | None = None) -> dict[Place, frozenset[str]]:
    """Return, for every use of a name within `function`, the local variables surely assigned just before it.

    If `receiver` names the object that `function` constructs, its fields that `function` has surely assigned are
    included as `receiver.field`. Fields that other functions assign do not count.

    At an assignment's target, only variables assigned before the assignment count. Names that are ever deleted count as
    unassigned throughout. In a nested function or lambda only its own names count; in a comprehension also those around
    it.
    """
    analysis = _Analysis(receiver)
    analysis.scope(function, _fields(function, receiver))
    return analysis.assigned_names


def values_lost(function: FunctionNode, changed: FunctionNode, receiver: str | None = None) -> bool:
    """Return whether a variable that surely has a value where `function` uses it may have none there in `changed`.

    `changed` keeps the places of `function`. With `receiver`, as in `definitely_assigned`, all of its fields are
    checked in the same way wherever it is used, and at the end.
    """
    before, after = (_Analysis(receiver) for _ in range(2))
    for analysis, node in ((before, function), (after, changed)):
        completed = copy.copy(node)
        if receiver is not None:
            completed.body = [*node.body, ast.Expr(ast.Name(receiver, ast.Load(), lineno=0, col_offset=0))]
        analysis.scope(completed, _fields(node, receiver))
    for place in after.used.keys() & before.used.keys() - after.unreached:
        name = after.used[place]
        lost = before.assigned_names[place] - after.assigned_names[place]
        if name in lost or (name == receiver and any("." in field for field in lost)):
            return True
    return False


class _Analysis:
    """Walks statements in order of execution, with the set of surely assigned names."""

    def __init__(self, receiver: str | None) -> None:
        self._receiver = receiver
        self.assigned_names: dict[Place, frozenset[str]] = {}
        self.used: dict[Place, str] = {}
        self.unreached: set[Place] = set()
        self._local: frozenset[str] = frozenset()
        self._breaks: list[list[_State]] = []

    def scope(self, function: _Scope, fields: frozenset[str] = frozenset()) -> None:
        outer = self._local, self._breaks
        self._local, self._breaks = (bound_names(function) | fields) - _unset_names(function), []
        start: _State = frozenset(parameter_names(function.args)) & self._local
        if isinstance(function, ast.Lambda):
            self._expression(function.body, start)
        else:
            self._block(function.body, start)
        self._local, self._breaks = outer

    def _block(self, body: Iterable[ast.stmt], state: _State) -> _State:
        for statement in body:
            state = self._statement(statement, state)
        return state

    def _statement(self, node: ast.stmt, state: _State) -> _State:  # noqa: C901 (a case for each statement)
        match node:
            case ast.Assign(targets=targets, value=value):
                return self._bind(targets, self._expression(value, state))
            case ast.AnnAssign(target=target, value=annotated):
                # Without a value, an annotation assigns nothing.
                return state if annotated is None else self._bind([target], self._expression(annotated, state))
            case ast.AugAssign(target=target, value=value):
                if isinstance(target, ast.Name):
                    self.used[target.lineno, target.col_offset] = target.id
                return self._bind([target], self._expression(value, state))
            case ast.For() | ast.AsyncFor():
                return self._for(node, state)
            case ast.While():
                return self._while(node, state)
            case ast.If(test=test, body=body, orelse=orelse):
                state = self._expression(test, state)
                return _meet(self._block(body, state), self._block(orelse, state))
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    state = self._expression(item.context_expr, state)
                    state = self._bind([item.optional_vars] if item.optional_vars else [], state)
                # The context manager may swallow an exception raised anywhere in the body.
                return _meet(self._block(body, state), state)
            case ast.Try() | ast.TryStar():
                return self._try(node, state)
            case ast.Match(subject=subject, cases=cases):
                return self._match(cases, self._expression(subject, state))
            case ast.Return() | ast.Raise():
                self._children(node, state)
                return None
            case ast.Break():
                self._breaks[-1].append(state)
                return None
            case ast.Continue():
                return None
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.scope(node)
                return self._add(state, [node.name])
            case ast.ClassDef(name=name):
                return self._add(state, [name])
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                return self._add(state, [a.asname or a.name.partition(".")[0] for a in names])
            case _:
                return self._children(node, state)

    def _for(self, node: ast.For | ast.AsyncFor, state: _State) -> _State:
        state = self._expression(node.iter, state)
        self._breaks.append([])
        self._block(node.body, self._bind([node.target], state))
        broken = self._breaks.pop()
        return _meet(self._block(node.orelse, state), *broken)

    def _while(self, node: ast.While, state: _State) -> _State:
        state = self._expression(node.test, state)
        self._breaks.append([])
        self._block(node.body, state)
        broken = self._breaks.pop()
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return _meet(self._block(node.orelse, None if endless else state), *broken)

    def _try(self, node: ast.Try | ast.TryStar, state: _State) -> _State:
        ends = [self._block(node.orelse, self._block(node.body, state))]
        for handler in node.handlers:
            before = self._expression(handler.type, state) if handler.type else state
            ends.append(self._block(handler.body, before))
        end = _meet(*ends)
        final = self._block(node.finalbody, state)
        if not node.finalbody:
            return end
        return None if end is None or final is None else end | final

    def _match(self, cases: list[ast.match_case], state: _State) -> _State:
        ends: list[_State] = []
        for case in cases:
            names = [n.name for n in ast.walk(case.pattern) if isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name]
            inside = self._add(state, names)
            if case.guard:
                inside = self._expression(case.guard, inside)
            ends.append(self._block(case.body, inside))
        last = cases[-1]
        catch_all = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        return _meet(*ends) if catch_all else _meet(*ends, state)

    def _children(self, node: ast.AST, state: _State) -> _State:
        for child in ast.iter_child_nodes(node):
            state = self._expression(child, state)
        return state

    def _expression(self, node: ast.AST, state: _State) -> _State:
        match node:
            case ast.Name():
                if not isinstance(node.ctx, ast.Store):
                    self.used[node.lineno, node.col_offset] = node.id
                self._note(node, state)
                return state
            case ast.NamedExpr(target=target, value=value):
                return self._bind([target], self._expression(value, state))
            case ast.BoolOp(values=[first, *rest]):
                state = self._expression(first, state)
                later = state
                for value in rest:
                    later = self._expression(value, later)
                return state
            case ast.IfExp(test=test, body=body, orelse=orelse):
                state = self._expression(test, state)
                return _meet(self._expression(body, state), self._expression(orelse, state))
            case ast.Lambda():
                self._children(node.args, state)
                self.scope(node)
                return state
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._comprehension(node, state)
                return state
            case _:
                return self._children(node, state)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, state: _State) -> None:
        outer = self._local
        for generator in node.generators:
            state = self._expression(generator.iter, state)
            targets = {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
            self._local |= targets
            state = self._add(state, targets)
            for condition in generator.ifs:
                state = self._expression(condition, state)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            state = self._expression(part, state)
        self._local = outer

    def _bind(self, targets: Iterable[ast.expr], state: _State) -> _State:
        """Note the uses within targets, then add the names that they assign."""
        names: list[str] = []
        for target in targets:
            self._children(target, state) if not isinstance(target, ast.Name) else self._note(target, state)
            names += [n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            names += _stored_fields(target, self._receiver)
        return self._add(state, names)

    def _add(self, state: _State, names: Iterable[str]) -> _State:
        return None if state is None else state | (self._local & set(names))

    def _note(self, node: ast.Name, state: _State) -> None:
        # Where control cannot come, nothing is offered: a mutant there would be equivalent.
        self.assigned_names[node.lineno, node.col_offset] = frozenset() if state is None else state
        if state is None:
            self.unreached.add((node.lineno, node.col_offset))


def _fields(function: FunctionNode, receiver: str | None) -> frozenset[str]:
    """Return the fields of `receiver` that `function` assigns and never deletes; none if `receiver` is bound again."""
    nodes = list(ast.walk(function))
    if any(isinstance(n, ast.Name) and n.id == receiver and not isinstance(n.ctx, ast.Load) for n in nodes):
        return frozenset()
    deleted = {f"{receiver}.{n.attr}" for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Del)}
    return frozenset(_stored_fields(function, receiver)) - deleted


def _stored_fields(node: ast.AST, receiver: str | None) -> list[str]:
    return [
        f"{receiver}.{inner.attr}"
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute)
        and isinstance(inner.ctx, ast.Store)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == receiver
    ]


def _unset_names(function: _Scope) -> set[str]:
    """Return the names that lose their value again: by `del`, or as the name of a caught exception."""
    nodes = list(ast.walk(function))
    deleted = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)}
    return deleted | {n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name}


def _meet(*states: _State) -> _State:
    """Return the names that are surely assigned whichever branch was taken."""
    reached = [state for state in states if state is not None]
    return frozenset.intersection(*reached) if reached else None


_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def can_do_without(function: Function, place: Place) -> bool:
    """Return whether the statement that begins at `place` in `function` can be left out.

    A variable that surely has a value where it is used must still have one there. The same holds for the fields at the
    end of `__init__`. The variables of each scope stay the same, generators stay generators, and no definition is left
    out.
    """
    statement = next(n for n in ast.walk(function.node) if isinstance(n, ast.stmt) and _place(n) == place)
    if any(isinstance(node, _DEFINITIONS) for node in ast.walk(statement)):
        return False
    nothing = ast.copy_location(ast.Pass(), statement)
    changed: FunctionNode = copy.deepcopy(function.node, {id(statement): nothing})
    before = {_place(scope): _kind(scope) for scope in _scopes(function.node)}
    if any(before[_place(scope)] != _kind(scope) for scope in _scopes(changed)):
        return False
    return not values_lost(function.node, changed, function.constructed)


def _place(node: ast.stmt | ast.Lambda) -> Place:
    return node.lineno, node.col_offset


def _scopes(function: FunctionNode) -> Iterator[_Scope]:
    """Return the function, and the functions and lambdas within it."""
    return (node for node in ast.walk(function) if isinstance(node, _SCOPES))


def _kind(scope: _Scope) -> tuple[frozenset[str], bool]:
    """Return the variables of a scope, and whether calling it makes a generator."""
    return bound_names(scope), any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(scope))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, _SCOPES):
            yield child
            yield from _own(child)
