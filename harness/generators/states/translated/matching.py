"""Translates match statements: of constants, classes with attributes, and tuples that are written there."""

from __future__ import annotations

import ast
from abc import abstractmethod

from harness.generators.states.translated.calls import Calls
from harness.generators.states.translated.emitter import Item

_Captures = list[tuple[ast.Name, str]]
"""Names to be bound once all of a pattern has matched, as Python does it."""


class Matching(Calls):
    """Adds match statements to calls."""

    @abstractmethod
    def statements(self, nodes: list[ast.stmt]) -> None:
        """Translates a block."""

    def _do_match(self, node: ast.Match) -> None:
        subject: Item
        if isinstance(node.subject, ast.Tuple) and not any(isinstance(p, ast.Starred) for p in node.subject.elts):
            subject = tuple(self.expression(part) for part in node.subject.elts)
        else:
            subject = self.expression(node.subject)
        end = self.label()
        for case in node.cases:
            otherwise = self.label()
            captures: _Captures = []
            self._pattern(case.pattern, subject, otherwise, captures)
            for name, value in captures:
                self.bind(name, value)
            if case.guard is not None:
                self.line(f"if (!{self.condition(case.guard)}) goto {otherwise};")
            self.statements(case.body)
            self.line(f"goto {end};")
            self.line(f"{otherwise}: ;")
        self.line(f"{end}: ;")

    def _pattern(self, pattern: ast.pattern, subject: Item, otherwise: str, captures: _Captures) -> None:  # noqa: C901 (a case for each pattern)
        """Goes on where the subject matches, else to the label `otherwise`."""
        place = self.place(pattern, "a pattern")
        match pattern:
            case ast.MatchAs(pattern=None, name=None):
                return
            case ast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self._pattern(inner, subject, otherwise, captures)
                if name is not None:
                    target = ast.copy_location(ast.Name(name, ast.Store()), pattern)
                    captures.append((target, self.value(pattern, subject)))
            case ast.MatchSequence(patterns=parts) if isinstance(subject, tuple):
                self._sequence_pattern(pattern, parts, subject, otherwise, captures)
            case ast.MatchOr(patterns=parts):
                self._either(parts, subject, otherwise)
            case ast.MatchValue(value=value) if isinstance(subject, str):
                self.line(f"if (!equal({subject}, {self.expression(value)}, {place})) goto {otherwise};")
            case ast.MatchSingleton(value=value) if isinstance(subject, str):
                self.line(f"if (!identical({subject}, {self.constant(pattern, value)}, {place})) goto {otherwise};")
            case ast.MatchClass(cls=cls, patterns=[]) if isinstance(subject, str):
                tags, types = self.instance_of(pattern, self.static_classes(pattern, cls))
                self.line(f"if (!is_instance({subject}, {tags}, {types}ULL, {place})) goto {otherwise};")
                for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
                    self._pattern(inner, self.attribute(pattern, subject, name), otherwise, captures)
            case _:
                raise self.refuse(pattern, "a pattern of this kind")

    def _sequence_pattern(
        self,
        node: ast.pattern,
        parts: list[ast.pattern],
        subject: tuple[Item, ...],
        otherwise: str,
        captures: _Captures,
    ) -> None:
        if any(isinstance(part, ast.MatchStar) for part in parts):
            raise self.refuse(node, "a starred pattern")
        if len(parts) != len(subject):
            self.line(f"goto {otherwise};")
            return
        for part, value in zip(parts, subject, strict=True):
            self._pattern(part, value, otherwise, captures)

    def _either(self, parts: list[ast.pattern], subject: Item, otherwise: str) -> None:
        found = self.label()
        for part in parts:
            another, captures = self.label(), list[tuple[ast.Name, str]]()
            self._pattern(part, subject, another, captures)
            if captures:
                raise self.refuse(part, "a name within alternatives")
            self.line(f"goto {found};")
            self.line(f"{another}: ;")
        self.line(f"goto {otherwise};")
        self.line(f"{found}: ;")
