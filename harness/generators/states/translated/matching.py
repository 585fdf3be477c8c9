"""Translates match statements: of constants, classes with attributes, and tuples that are written there."""

from __future__ import annotations

import ast

from harness.generators.states.translated.dispatch import STATEMENTS, condition, expression, statements, translates
from harness.generators.states.translated.emitter import Emitter, Item
from harness.generators.states.translated.instances import static_classes, tags_and_types
from harness.generators.states.translated.values import bind, constant, one_value, read_attribute

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
