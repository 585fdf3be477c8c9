"""Describes the surroundings of a node for mutation operators: types, variables in reach, parents, callable peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import libcst as cst

from harness.mutation.bindings import Place, can_do_without
from harness.mutation.inference import NUMBERS, Inference
from harness.mutation.program import Program, Types

_DIVISIONS = (
    cst.Divide,
    cst.FloorDivide,
    cst.Modulo,
    cst.DivideAssign,
    cst.FloorDivideAssign,
    cst.ModuloAssign,
)


@dataclass(frozen=True)
class MutationContext:
    """The surroundings of one mutated function.

    `parents` maps every node to its parent; `assigned` maps each use of a variable to the variables that surely have a
    value there. `place` returns the position where a node begins. `constructed` exists in `__init__` only, and maps
    each use of its receiver to the fields that surely have been assigned before.
    """

    function: str
    program: Program
    inference: Inference
    parents: Mapping[cst.CSTNode, cst.CSTNode]
    assigned: Mapping[cst.CSTNode, frozenset[str]]
    place: Callable[[cst.CSTNode], Place]
    constructed: Mapping[cst.CSTNode, frozenset[str]] | None = None

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """Return the node directly around `node`."""
        return self.parents[node]

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield the nodes around `node` within the mutated function, including inner functions, inner ones first."""
        above = [node]
        while above[-1] in self.parents:
            above.append(self.parents[above[-1]])
        functions = [number for number, outer in enumerate(above) if isinstance(outer, cst.FunctionDef)]
        yield from above[1 : functions[-1]]

    def can_do_without(self, statement: cst.CSTNode) -> bool:
        """Return whether everything that surely has a value still has one if `statement` is left out."""
        return can_do_without(self.program.functions[self.function], self.place(statement))

    def types(self, node: cst.BaseExpression) -> Types:
        """Return the types of an expression; an empty set if they are unknown."""
        return self.inference.types(node, self.function)

    @property
    def receiver(self) -> str | None:
        """The name of the parameter that holds the object itself, in an instance's method."""
        return self.program.functions[self.function].receiver

    def has_field(self, site: cst.CSTNode, field: str) -> bool:
        """Return whether the receiver surely has `field` at `site`, as it has every field outside of `__init__`."""
        return self.constructed is None or field in self.constructed.get(site, frozenset())

    def divides_by_zero(
        self, left: cst.BaseExpression, operator: type[cst.BaseBinaryOp | cst.BaseAugOp], right: cst.BaseExpression
    ) -> bool:
        """Return whether `operator` divides a number by a literal 0, so that the mutant raises once it is reached."""
        if operator not in _DIVISIONS or not isinstance(right, cst.Integer) or right.evaluated_value != 0:
            return False
        types = self.types(left)
        return bool(types) and types <= NUMBERS

    def is_declared(self, node: cst.CSTNode) -> bool:
        """Return whether an annotation declares `node`."""
        parent = self.parents[node]
        return isinstance(parent, cst.AnnAssign) and parent.target is node

    def is_target(self, node: cst.CSTNode) -> bool:
        """Return whether an assignment gives `node` a value (tuples of targets included)."""
        node, parent = self._outermost_element(node)
        return isinstance(parent, cst.AssignTarget) or (
            isinstance(parent, (cst.AnnAssign, cst.AugAssign)) and parent.target is node
        )

    def binds_elsewhere(self, node: cst.CSTNode) -> bool:
        """Return whether `node` is bound by something other than an assignment: a loop, `with`, `:=`, `del`."""
        node, parent = self._outermost_element(node)
        match parent:
            case cst.For(target=target) | cst.CompFor(target=target) | cst.NamedExpr(target=target):
                return target is node
            case cst.AsName() | cst.Del():
                return True
        return False

    def is_called(self, node: cst.CSTNode) -> bool:
        """Return whether `node` is the function of a call."""
        parent = self.parents[node]
        return isinstance(parent, cst.Call) and parent.func is node

    def reads_variable(self, node: cst.Name | cst.Attribute) -> bool:
        """Return whether `node` reads a field, or a local variable that surely has a value."""
        if self.is_called(node) or self.is_target(node) or self.binds_elsewhere(node):
            return False
        return isinstance(node, cst.Attribute) or node.value in self.assigned.get(node, frozenset())

    def _outermost_element(self, node: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
        """Return the outermost tuple or list that has `node` as an element (else `node`), and the node around it."""
        parent = self.parents[node]
        while isinstance(parent, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
            node, parent = parent, self.parents[parent]
        return node, parent
