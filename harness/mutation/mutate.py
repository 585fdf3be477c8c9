"""Makes the mutants of a source text: every operator at every site of the chosen functions."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider

from harness.errors import SourceError
from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.outcome import Location, Mutant, OperatorSet
from harness.model.subject import Subject
from harness.mutation.algebra import without_equals
from harness.mutation.bindings import Place, definitely_assigned
from harness.mutation.context import MutationContext
from harness.mutation.filters import classify
from harness.mutation.inference import Inference
from harness.mutation.operator_sets import FERASTRAU, operators_of
from harness.mutation.operators import OPERATORS, MutationOperator
from harness.mutation.program import WITHIN, Program, TypeProfile, read_program
from harness.mutation.reach import reachable

# These nodes are not code, or not a method's code. The text of a docstring, message, type or import changes no
# behaviour that the oracle compares. Defaults and decorators belong to the signature, not to the body.
_LEFT_ALONE = (
    cst.Annotation,
    cst.Decorator,
    cst.Parameters,
    cst.BaseString,
    cst.Import,
    cst.ImportFrom,
    cst.Global,
    cst.Nonlocal,
    cst.ClassDef,
    cst.MatchPattern,
)
_SLUG = 32
_Assigned: TypeAlias = dict[cst.CSTNode, frozenset[str]]
_Order = tuple[int, int, int, int]
"""Line and column, the operator's place in the table, and the variant's among its replacements."""


def mutate(
    source: str,
    functions: Collection[str],
    profile: TypeProfile,
    operators: Sequence[MutationOperator] = OPERATORS,
    program: Program | None = None,
) -> list[Mutant]:
    """Return all mutants of the functions with these qualified names, in the order of `_Order`.

    No mutant is classified yet: every status is VIABLE. `program` has the definitions; by default,
    `read_program` reads them.

    Raises:
        SourceError: the source does not parse.
    """
    program = program or read_program(source)
    return _Mutation(source, program, Inference(program, profile), operators).mutants(functions)


def derive(
    subject: Subject, targets: Iterable[str], profile: TypeProfile, operators: OperatorSet = FERASTRAU
) -> list[Mutant]:
    """Return all mutants of the subject's target methods and helpers by the operators of a set, in source order.

    Args:
        targets: qualified names, as `harness.mutation.reach.target_names` gives them.
        profile: types observed on a small scope, for values without annotations; they also determine the helpers.

    Raises:
        SpecError: a target or helper is not in the implementation.
        SourceError: the implementation does not parse.
    """
    functions = reachable(subject.source, targets, subject.helpers, profile)
    mutants = mutate(subject.source, functions, profile, operators_of(operators))
    return without_equals(subject.source, classify(subject.source, mutants), profile)


class _Mutation:
    """One pass over one source text."""

    def __init__(
        self, source: str, program: Program, inference: Inference, operators: Sequence[MutationOperator]
    ) -> None:
        self._source = source
        self._starts = line_starts(source)
        self._hash = hashlib.sha256(source.encode()).hexdigest()
        self._program = program
        self._inference = inference
        self._operators = operators
        try:
            wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
        except cst.ParserSyntaxError as error:
            raise SourceError(
                f"the implementation's line {error.raw_line} can be read by Python, but not by libcst "
                f"({' '.join(error.message.split())}); write it in another way"
            ) from None
        self._module = wrapper.module
        self._positions: Mapping[cst.CSTNode, CodeRange] = wrapper.resolve(PositionProvider)
        self._parents: Mapping[cst.CSTNode, cst.CSTNode] = wrapper.resolve(ParentNodeProvider)

    def mutants(self, functions: Collection[str]) -> list[Mutant]:
        mutants: dict[str, tuple[_Order, Mutant]] = {}
        for name, node in self._definitions(self._module, ""):
            # Of several definitions of one name, as in `if` and `else`, that of the program counts.
            if name in functions and self._program.functions[name].node.lineno == self._positions[node.name].start.line:
                for key, mutant in self._function(name, node):
                    mutants.setdefault(mutant.id, (key, mutant))
        return [mutant for _, mutant in sorted(mutants.values(), key=lambda pair: pair[0])]

    def _definitions(self, node: cst.CSTNode, prefix: str) -> Iterator[tuple[str, cst.FunctionDef]]:
        for child in node.children:
            if isinstance(child, cst.FunctionDef):
                yield prefix + child.name.value, child
                yield from self._definitions(child, f"{prefix}{child.name.value}{WITHIN}")
            elif isinstance(child, cst.ClassDef):
                yield from self._definitions(child, f"{prefix}{child.name.value}.")
            else:
                yield from self._definitions(child, prefix)

    def _function(self, name: str, node: cst.FunctionDef) -> Iterator[tuple[_Order, Mutant]]:
        nodes = list(self._body(node.body))
        assigned, constructed = self._assigned(name, nodes)
        context = MutationContext(
            name, self._program, self._inference, self._parents, assigned, self._place, constructed
        )
        for site in nodes:
            for number, operator in enumerate(self._operators):
                if isinstance(site, operator.nodes):
                    for variant, replacement in enumerate(operator.mutate(site, context)):
                        yield (*self._anchor(site), number, variant), self._mutant(operator, name, site, replacement)

    def _body(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield the nodes below `node` that belong to the function's code."""
        yield node
        for child in node.children:
            if not isinstance(child, _LEFT_ALONE):
                yield from self._body(child)

    def _assigned(self, name: str, nodes: list[cst.CSTNode]) -> tuple[_Assigned, _Assigned | None]:
        """Return the variables, and the receiver's fields in `__init__`, that surely have a value at each use."""
        function = self._program.functions[name]
        receiver = function.constructed
        places: dict[Place, frozenset[str]] = definitely_assigned(function.node, receiver)
        assigned_by_node: _Assigned = {}
        for node in nodes:
            if isinstance(node, cst.Name) and (place := self._place(node)) in places:
                assigned_by_node[node] = places[place]
        names = {node: frozenset(n for n in assigned if "." not in n) for node, assigned in assigned_by_node.items()}
        if receiver is None:
            return names, None
        return names, {node: frozenset(n.partition(".")[2] for n in all_) for node, all_ in assigned_by_node.items()}

    def _place(self, node: cst.CSTNode) -> Place:
        start = self._positions[node].start
        line = self._starts[start.line - 1]
        return start.line, len(self._source[line : line + start.column].encode())

    def _mutant(self, operator: MutationOperator, function: str, site: cst.CSTNode, replacement: cst.CSTNode) -> Mutant:
        span = self._positions[site]
        location = Location(span.start.line, span.start.column, span.end.line, span.end.column)
        start, end = span_offsets(location, self._starts)
        text = self._text(site, replacement, self._source[max(0, start - 1) : start])
        line, column = self._anchor(site)
        return Mutant(
            id=f"{operator.code}:{line}:{column}:{_slug(text)}",
            operator=operator.code,
            function=function,
            location=location,
            original=self._source[start:end],
            replacement=text,
            source_hash=self._hash,
        )

    def _text(self, site: cst.CSTNode, replacement: cst.CSTNode, before: str) -> str:
        """Return the text that replaces `site`; the parentheses of the site itself stay where they are, outside."""
        if isinstance(replacement, cst.BaseSmallStatement):
            return self._module.code_for_node(replacement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT))
        if isinstance(replacement, cst.Else):
            return self._module.code_for_node(replacement).strip()
        expression = cast(cst.BaseExpression, replacement)
        if cast(cst.BaseExpression, site).lpar:
            return self._module.code_for_node(fitted(expression.with_changes(lpar=[], rpar=[])))
        if binding(expression) < demanded(self._parents[site], site):
            expression = parenthesised(expression)
        text = self._module.code_for_node(fitted(expression))
        # `return-a` must not become `returna`.
        return f"({text})" if _word(before[-1:]) and _word(text[0]) else text

    def _anchor(self, site: cst.CSTNode) -> tuple[int, int]:
        """Return the position in the mutant's id. Nested operations begin at one place, but their operators do not."""
        match site:
            case cst.BinaryOperation() | cst.BooleanOperation() | cst.AugAssign():
                token: cst.CSTNode = site.operator
            case cst.Attribute():
                token = site.attr
            case _:
                token = site
        start = self._positions[token].start
        return start.line, start.column


def _word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _slug(text: str) -> str:
    """Return the replacement itself if it is short and without blanks, else a shortened form with a digest."""
    if len(text) <= _SLUG and not any(character.isspace() for character in text):
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:6]
    return f"{'_'.join(text.split())[: _SLUG - 7]}~{digest}"


# How tightly expressions bind: the levels are those of the Python Language Reference, section 6.17.
_TEST, _OR, _AND, _NOT, _COMPARISON, _OPERAND, _UNARY, _POWER, _AWAIT, _ATOM = 2, 3, 4, 5, 6, 7, 13, 14, 15, 16

_BINARY: dict[type[cst.BaseBinaryOp], int] = {
    cst.BitOr: 7,
    cst.BitXor: 8,
    cst.BitAnd: 9,
    cst.LeftShift: 10,
    cst.RightShift: 10,
    cst.Add: 11,
    cst.Subtract: 11,
    cst.Multiply: 12,
    cst.MatrixMultiply: 12,
    cst.Divide: 12,
    cst.FloorDivide: 12,
    cst.Modulo: 12,
    cst.Power: _POWER,
}


def binding(node: cst.BaseExpression) -> int:
    """Return how tightly `node` binds; parentheses of its own make it an atom."""
    if node.lpar:
        return _ATOM
    match node:
        case cst.BinaryOperation(operator=operator):
            return _BINARY[type(operator)]
        case cst.BooleanOperation(operator=operator):
            return _OR if isinstance(operator, cst.Or) else _AND
        case cst.UnaryOperation(operator=operator):
            return _NOT if isinstance(operator, cst.Not) else _UNARY
        case cst.Comparison():
            return _COMPARISON
        case cst.Await():
            return _AWAIT
        case cst.IfExp() | cst.Lambda():
            return _TEST - 1
        case cst.NamedExpr() | cst.Yield() | cst.Tuple():
            return 0
    return _ATOM


def demanded(parent: cst.CSTNode, child: cst.CSTNode) -> int:  # noqa: C901 (a case for each expression)
    """Return the least binding that the position of `child` below `parent` takes without parentheses."""
    match parent:
        case cst.BinaryOperation(left=left, operator=operator):
            level = _BINARY[type(operator)]
            if isinstance(operator, cst.Power):
                return _AWAIT if left is child else _UNARY
            return level if left is child else level + 1
        case cst.BooleanOperation(left=left, operator=operator):
            level = _OR if isinstance(operator, cst.Or) else _AND
            return level if left is child else level + 1
        case cst.UnaryOperation(operator=operator):
            return _NOT if isinstance(operator, cst.Not) else _UNARY
        case cst.Comparison() | cst.ComparisonTarget():
            return _OPERAND
        case cst.Attribute() | cst.Call() | cst.Subscript() | cst.Await():
            return _ATOM
        case cst.IfExp(test=test, body=body):
            return _OR if child in (test, body) else _TEST - 1
        case cst.CompFor() | cst.CompIf():
            return _OR
        case cst.Arg(star=star):
            return _OPERAND if star == "*" else 1
        case cst.StarredElement() | cst.StarredDictElement():
            return _OPERAND
    return 1


def fitted(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return `node` with parentheses around those of its operands that bind too loosely for its operator."""
    match node:
        case cst.BinaryOperation(left=left, right=right) | cst.BooleanOperation(left=left, right=right):
            return node.with_changes(left=_fit(left, node), right=_fit(right, node))
        case cst.UnaryOperation(expression=expression):
            return node.with_changes(expression=_fit(expression, node))
        case cst.Comparison(left=left):
            return node.with_changes(left=_fit(left, node))
    return node


def _fit(child: cst.BaseExpression, parent: cst.BaseExpression) -> cst.BaseExpression:
    return child if binding(child) >= demanded(parent, child) else parenthesised(child)


def parenthesised(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return `node` within one more pair of parentheses."""
    return node.with_changes(lpar=[cst.LeftParen(), *node.lpar], rpar=[*node.rpar, cst.RightParen()])
