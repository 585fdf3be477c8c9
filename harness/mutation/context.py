"""What an operator may ask about the node it mutates: types, variables in reach, parents, callable peers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import libcst as cst

from harness.mutation.inference import Inference
from harness.mutation.profile import Types
from harness.mutation.program import Binding, Program


@dataclass(frozen=True)
class MutationContext:
    """The surroundings of one mutated function.

    `parents` maps every node to its parent; `assigned` maps each use of a variable to the
    variables that surely have a value there.
    """

    function: str
    program: Program
    inference: Inference
    parents: Mapping[cst.CSTNode, cst.CSTNode]
    assigned: Mapping[cst.CSTNode, frozenset[str]]

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        """The node directly around `node`."""
        return self.parents[node]

    def types(self, node: cst.BaseExpression) -> Types:
        """Types of an expression; empty where unknown."""
        return self.inference.types(node, self.function)

    @property
    def receiver(self) -> str | None:
        """The name of the parameter that holds the object itself, in an instance's method."""
        function = self.program.functions[self.function]
        arguments = [*function.node.args.posonlyargs, *function.node.args.args]
        instance = function.binding in (Binding.INSTANCE, Binding.PROPERTY)
        return arguments[0].arg if instance and arguments else None

    def is_declared(self, node: cst.CSTNode) -> bool:
        """Whether an annotation declares `node`."""
        parent = self.parents[node]
        return isinstance(parent, cst.AnnAssign) and parent.target is node

    def is_target(self, node: cst.CSTNode) -> bool:
        """Whether an assignment gives `node` a value (tuples of targets included)."""
        node, parent = self._outermost_element(node)
        return isinstance(parent, cst.AssignTarget) or (
            isinstance(parent, (cst.AnnAssign, cst.AugAssign)) and parent.target is node
        )

    def binds_elsewhere(self, node: cst.CSTNode) -> bool:
        """Whether `node` is bound by something other than an assignment: a loop, `with`, `:=`, `del`."""
        node, parent = self._outermost_element(node)
        match parent:
            case cst.For(target=target) | cst.CompFor(target=target) | cst.NamedExpr(target=target):
                return target is node
            case cst.AsName() | cst.Del():
                return True
        return False

    def is_called(self, node: cst.CSTNode) -> bool:
        """Whether `node` is the function of a call."""
        parent = self.parents[node]
        return isinstance(parent, cst.Call) and parent.func is node

    def _outermost_element(self, node: cst.CSTNode) -> tuple[cst.CSTNode, cst.CSTNode]:
        """The tuple or list of which `node` is an element, however deep (else `node`), and the node around it."""
        parent = self.parents[node]
        while isinstance(parent, (cst.Element, cst.StarredElement, cst.Tuple, cst.List)):
            node, parent = parent, self.parents[parent]
        return node, parent
