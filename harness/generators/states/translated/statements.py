"""Translates statements."""

from __future__ import annotations

import ast
from typing import Any

from harness.generators.states.translated.dispatch import (
    STATEMENTS,
    condition,
    define,
    expression,
    statements,
    translates,
)
from harness.generators.states.translated.emitter import Emitter, Item
from harness.generators.states.translated.expressions import (
    binary,
    bind,
    constant,
    one_value,
    read_attribute,
    static_classes,
    tags_and_types,
)
from harness.generators.states.translated.loops import iterate

# -- simple statements ----------------------------------------------------------------------------------


@translates(STATEMENTS, ast.Expr)
def _expression_statement(emit: Emitter, node: ast.Expr) -> None:
    value = node.value
    if isinstance(value, ast.Constant):
        return
    if isinstance(value, ast.Yield):
        if emit.scope.give is None:
            raise emit.refuse(node, "yield")
        emit.scope.give("PURE(W_NONE)" if value.value is None else expression(emit, value.value))
    elif isinstance(value, ast.YieldFrom):
        give = emit.scope.give
        if give is None:
            raise emit.refuse(node, "yield from")
        iterate(emit, value.value, lambda item: give(one_value(emit, node, item)))
    else:
        expression(emit, value)


@translates(STATEMENTS, ast.Pass)
def _pass(emit: Emitter, node: ast.Pass) -> None:
    del emit, node


@translates(STATEMENTS, ast.FunctionDef)
def _function_definition(emit: Emitter, node: ast.FunctionDef) -> None:
    define(emit, node.name, node, node)


@translates(STATEMENTS, ast.Assign)
def _assign(emit: Emitter, node: ast.Assign) -> None:
    target = node.targets[0]
    value: Item
    if isinstance(node.value, ast.Lambda) and len(node.targets) == 1 and isinstance(target, ast.Name):
        define(emit, target.id, node.value, node)
        return
    paired = len(node.targets) == 1 and isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
    if paired and not any(isinstance(part, ast.Starred) for part in ast.iter_child_nodes(node.value)):
        assert isinstance(node.value, ast.Tuple)
        value = tuple(expression(emit, part) for part in node.value.elts)
    else:
        value = expression(emit, node.value)
    for each in node.targets:
        bind(emit, each, value)


@translates(STATEMENTS, ast.AnnAssign)
def _annotated_assign(emit: Emitter, node: ast.AnnAssign) -> None:
    if node.value is not None:
        bind(emit, node.target, expression(emit, node.value))


@translates(STATEMENTS, ast.AugAssign)
def _augmented_assign(emit: Emitter, node: ast.AugAssign) -> None:
    if isinstance(node.target, ast.Name):
        left = expression(emit, ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
        right = expression(emit, node.value)
        place = emit.place(node, f"the operator {type(node.op).__name__}")
        if isinstance(node.op, ast.Add):
            emit.line(f"if (TAG(W({left})) == LIST) extend(POINTER(List, W({left})), {right}, {place}); else {{")
            bind(emit, node.target, binary(emit, node, node.op, left, right))
            emit.line("}")
            return
        if isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub, ast.Mult)):
            emit.line(f"if (TAG(W({left})) >= LIST) fail(FAILED_UNSUPPORTED, {place});")
        bind(emit, node.target, binary(emit, node, node.op, left, right))
    elif isinstance(node.target, ast.Subscript) and not isinstance(node.target.slice, ast.Slice):
        owner, index = expression(emit, node.target.value), expression(emit, node.target.slice)
        place = emit.place(node, "an assignment to an element")
        left = emit.temporary(f"subscript({owner}, {index}, {place})")
        emit.line(f"if (TAG(W({left})) >= LIST) fail(FAILED_UNSUPPORTED, {place});")
        value = binary(emit, node, node.op, left, expression(emit, node.value))
        emit.line(f"put_subscript({owner}, {index}, {value}, {place});")
    else:
        raise emit.refuse(node, "an assignment to an attribute or a slice")


@translates(STATEMENTS, ast.Return)
def _return(emit: Emitter, node: ast.Return) -> None:
    value = "PURE(W_NONE)" if node.value is None else expression(emit, node.value)
    if emit.scope.tries:
        value = emit.temporary(value)
        _leave_tries(emit, 0)
    emit.scope.leave(value)


def _leave_tries(emit: Emitter, loops: int) -> None:
    """Emit the way out of all try bodies that have so many loops around them, or more."""
    catcher = next((before for before, around in emit.scope.tries if around >= loops), None)
    if catcher is not None:
        emit.line(f"S.catcher = {catcher};")


# -- exceptions -----------------------------------------------------------------------------------------


@translates(STATEMENTS, ast.Assert)
def _assert(emit: Emitter, node: ast.Assert) -> None:
    emit.line(f"if (!{condition(emit, node.test)}) {{")
    if node.msg is not None:
        expression(emit, node.msg)
    emit.line(f"raise_error(ASSERTION_ERROR, {emit.place(node, 'assert')});")
    emit.line("}")


@translates(STATEMENTS, ast.Raise)
def _raise(emit: Emitter, node: ast.Raise) -> None:
    place = emit.place(node, "raise")
    call = node.exc if isinstance(node.exc, ast.Call) else None
    cls = emit.static(call.func if call else node.exc) if node.exc is not None else None
    if cls is None or node.cause is not None or (call and call.keywords) or not _is_simple_error(cls):
        emit.line(f"fail(FAILED_RAISES, {place});")
        return
    for argument in call.args if call else ():
        expression(emit, argument)
    emit.line(f"raise_error({emit.program.error(cls)}, {place});")


@translates(STATEMENTS, ast.Try)
def _try(emit: Emitter, node: ast.Try) -> None:
    """Translate a body whose certain exceptions come back to it. Other exceptions end the search."""
    if node.finalbody or any(handler.name for handler in node.handlers):
        raise emit.refuse(node, "finally, or the name of an exception,")
    if emit.function.is_generator or emit.scope.give is not None or emit.program.outcomes:
        raise emit.refuse(node, "the statement Try in a generator, or with outcome pruning,")
    clauses = [_clause(emit, handler) for handler in node.handlers]
    emit.has_try = True
    before, depth, error = (emit.name(kind, "c") for kind in ("jmp_buf *", "int64_t", "int"))
    emit.line(f"{before} = S.catcher; {depth} = S.depth;")
    emit.line("{ jmp_buf here; if (!setjmp(here)) { S.catcher = &here;")
    resumes, emit.checkpoints = emit.checkpoints, False  # no resumption within: setjmp's frame would be gone
    emit.scope.tries.append((before, len(emit.scope.loops)))
    statements(emit, node.body)
    emit.scope.tries.pop()
    emit.checkpoints = resumes
    emit.line(f"S.catcher = {before}; {error} = NOTHING_RAISED;")
    emit.line(f"}} else {{ S.catcher = {before}; S.depth = {depth}; {error} = S.raised; }} }}")
    emit.line(f"if ({error} == NOTHING_RAISED) {{")
    statements(emit, node.orelse)
    for clause, handler in zip(clauses, node.handlers, strict=True):
        emit.line(f"}} else if (catches({clause}, {error})) {{")
        statements(emit, handler.body)
    emit.line(f"}} else raise_error({error}, {emit.place(node, 'an exception that is not caught')});")


def _clause(emit: Emitter, handler: ast.ExceptHandler) -> int:
    """Register an except clause, and return its number."""
    classes = (BaseException,) if handler.type is None else static_classes(emit, handler, handler.type)
    if not all(issubclass(cls, BaseException) for cls in classes):
        raise emit.refuse(handler, f"except {ast.unparse(handler.type)}" if handler.type else "except")
    emit.program.clauses.append(classes)
    return len(emit.program.clauses) - 1


# -- branches and loops ---------------------------------------------------------------------------------


@translates(STATEMENTS, ast.If)
def _if(emit: Emitter, node: ast.If) -> None:
    begun = len(emit.declared)
    emit.line(f"if ({condition(emit, node.test)}) {{")
    emit.dead.append((begun, len(emit.declared)))
    statements(emit, node.body)
    if node.orelse:
        emit.line("} else {")
        statements(emit, node.orelse)
    emit.line("}")


@translates(STATEMENTS, ast.While)
def _while(emit: Emitter, node: ast.While) -> None:
    after, onwards = emit.label(), emit.label()
    emit.line("for (;;) {")
    emit.mark(onwards)
    emit.tick(node)
    begun = len(emit.declared)
    test = condition(emit, node.test)
    emit.line(f"if (!{test}) break;")
    emit.dead.append((begun, len(emit.declared)))
    _loop_body(emit, node.body, after, onwards)
    emit.line("}")
    statements(emit, node.orelse)
    emit.mark(after)


@translates(STATEMENTS, ast.For)
def _for(emit: Emitter, node: ast.For) -> None:
    after, onwards = emit.label(), emit.label()
    scope = emit.scope

    def body(item: Item) -> None:
        inner, emit.scope = emit.scope, scope
        bind(emit, node.target, item)
        _loop_body(emit, node.body, after, onwards)
        emit.scope = inner

    iterate(emit, node.iter, body, onwards)
    statements(emit, node.orelse)
    emit.mark(after)


def _loop_body(emit: Emitter, nodes: list[ast.stmt], after: str, onwards: str) -> None:
    emit.scope.loops.append((after, onwards))
    emit.live.append((emit.statement_start, len(emit.declared)))
    emit.checkpoint()
    emit.live.pop()
    statements(emit, nodes)
    emit.scope.loops.pop()


@translates(STATEMENTS, ast.Break)
def _break(emit: Emitter, node: ast.Break) -> None:
    _leave_tries(emit, len(emit.scope.loops))
    emit.line(f"goto {emit.scope.loops[-1][0]};")


@translates(STATEMENTS, ast.Continue)
def _continue(emit: Emitter, node: ast.Continue) -> None:
    _leave_tries(emit, len(emit.scope.loops))
    emit.line(f"goto {emit.scope.loops[-1][1]};")


_SPECIAL_ERRORS = (
    *(StopIteration, StopAsyncIteration, GeneratorExit, UnicodeError, SyntaxError, OSError, BaseExceptionGroup),
)
"""Exceptions that mean something in a generator, cannot be made of anything, or may turn out as others."""


def _is_simple_error(cls: Any) -> bool:
    """Return whether making such an exception cannot fail, and executes no code of the predicate's."""
    if type(cls) is not type or not issubclass(cls, BaseException) or issubclass(cls, _SPECIAL_ERRORS):
        return False
    own = [base for base in cls.__mro__ if base.__module__ != "builtins"]
    return not any(name in vars(base) for base in own for name in ("__init__", "__new__"))


_Captures = list[tuple[ast.Name, str]]
"""Names to be bound once all of a pattern has matched, as Python does it."""


@translates(STATEMENTS, ast.Match)
def _match(emit: Emitter, node: ast.Match) -> None:
    subject: Item
    if isinstance(node.subject, ast.Tuple) and not any(isinstance(p, ast.Starred) for p in node.subject.elts):
        subject = tuple(expression(emit, part) for part in node.subject.elts)
    else:
        subject = expression(emit, node.subject)
    end = emit.label()
    for case in node.cases:
        otherwise = emit.label()
        captures: _Captures = []
        _pattern(emit, case.pattern, subject, otherwise, captures)
        for name, value in captures:
            bind(emit, name, value)
        if case.guard is not None:
            emit.line(f"if (!{condition(emit, case.guard)}) goto {otherwise};")
        statements(emit, case.body)
        emit.line(f"goto {end};")
        emit.mark(otherwise)
    emit.mark(end)


def _pattern(emit: Emitter, pattern: ast.pattern, subject: Item, otherwise: str, captures: _Captures) -> None:  # noqa: C901 (a case for each pattern)
    """Emit a test that goes on where the subject matches, else to the label `otherwise`."""
    place = emit.place(pattern, "a pattern")
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return
        case ast.MatchAs(pattern=inner, name=name):
            if inner is not None:
                _pattern(emit, inner, subject, otherwise, captures)
            if name is not None:
                target = ast.copy_location(ast.Name(name, ast.Store()), pattern)
                captures.append((target, one_value(emit, pattern, subject)))
        case ast.MatchSequence(patterns=parts) if isinstance(subject, tuple):
            _sequence_pattern(emit, pattern, parts, subject, otherwise, captures)
        case ast.MatchOr(patterns=parts):
            _alternatives(emit, parts, subject, otherwise)
        case ast.MatchValue(value=value) if isinstance(subject, str):
            emit.line(f"if (!equal({subject}, {expression(emit, value)}, {place})) goto {otherwise};")
        case ast.MatchSingleton(value=value) if isinstance(subject, str):
            emit.line(f"if (!identical({subject}, {constant(emit, pattern, value)}, {place})) goto {otherwise};")
        case ast.MatchClass(cls=cls, patterns=[]) if isinstance(subject, str):
            tags, types = tags_and_types(emit, pattern, static_classes(emit, pattern, cls))
            emit.line(f"if (!is_instance({subject}, {tags}, {types}ULL, {place})) goto {otherwise};")
            for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
                _pattern(emit, inner, read_attribute(emit, pattern, subject, name), otherwise, captures)
        case _:
            raise emit.refuse(pattern, "a pattern of this kind")


def _sequence_pattern(
    emit: Emitter,
    node: ast.pattern,
    parts: list[ast.pattern],
    subject: tuple[Item, ...],
    otherwise: str,
    captures: _Captures,
) -> None:
    if any(isinstance(part, ast.MatchStar) for part in parts):
        raise emit.refuse(node, "a starred pattern")
    if len(parts) != len(subject):
        emit.line(f"goto {otherwise};")
        return
    for part, value in zip(parts, subject, strict=True):
        _pattern(emit, part, value, otherwise, captures)


def _alternatives(emit: Emitter, parts: list[ast.pattern], subject: Item, otherwise: str) -> None:
    matched = emit.label()
    for part in parts:
        another, captures = emit.label(), list[tuple[ast.Name, str]]()
        _pattern(emit, part, subject, another, captures)
        if captures:
            raise emit.refuse(part, "a name within alternatives")
        emit.line(f"goto {matched};")
        emit.mark(another)
    emit.line(f"goto {otherwise};")
    emit.mark(matched)
