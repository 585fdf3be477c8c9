"""Types of expressions, as far as annotations and the type profile tell: sets of type names, empty where unknown."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping

import libcst as cst

from harness.mutation.profile import TypeProfile, Types
from harness.mutation.program import WITHIN, Binding, Function, Program

UNKNOWN: Types = frozenset()
NONE = "NoneType"
NUMBERS = frozenset({"int", "float", "complex"})

_ABSTRACT = frozenset({"object", "type"})
_CONSTRUCTORS = ("bool", "dict", "float", "int", "list", "set", "str", "tuple")
_RESULTS = {"isinstance": "bool", "len": "int", "sorted": "list"} | {name: name for name in _CONSTRUCTORS}
_NO_INTEGER = (cst.Divide, cst.Power, cst.MatrixMultiply)


def compatible(one: Types, other: Types) -> bool:
    """Whether a value of one can stand for the other: the sets, None left out, have a type in common.

    Names decide, so bool is not int. An unknown type is compatible with nothing.
    """
    return bool((one & other) - {NONE})


class Inference:
    """Types of variables, fields, results and expressions of one program."""

    def __init__(self, program: Program, profile: TypeProfile) -> None:
        self._program = program
        self._profile = profile
        self._variables: dict[str, dict[str, Types]] = {}

    def variables(self, function: str) -> Mapping[str, Types]:
        """Types of the parameters and locals of `function`: declared, else observed."""
        if function not in self._variables:
            found: dict[str, Types] = dict(self._profile.variables.get(function.partition(WITHIN)[0], {}))
            declared = self._program.functions[function]
            for node in ast.walk(declared.node):
                if isinstance(node, ast.arg) and node.annotation is not None:
                    self._declare(found, node.arg, node.annotation)
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    self._declare(found, node.target.id, node.annotation)
            positional = [*declared.node.args.posonlyargs, *declared.node.args.args]
            if declared.owner and positional and declared.binding in (Binding.INSTANCE, Binding.PROPERTY):
                found[positional[0].arg] = frozenset({declared.owner})
            self._variables[function] = found
        return self._variables[function]

    def fields(self, class_name: str) -> dict[str, Types]:
        """Types of the fields of a class, inherited ones included: declared, else observed."""
        found: dict[str, Types] = {}
        for owner in self._program.lineage(class_name):
            observed = self._profile.attributes.get(owner.name, {})
            for name in (*owner.fields, *observed):
                annotation = owner.fields.get(name)
                types = self.annotated(annotation) if annotation is not None else UNKNOWN
                found.setdefault(name, types or observed.get(name, UNKNOWN))
        return found

    def result(self, function: Function) -> Types:
        """Types that `function` returns: declared, else observed."""
        declared = self.annotated(function.node.returns) if function.node.returns is not None else UNKNOWN
        return declared or self._profile.returns.get(function.name, UNKNOWN)

    def parameter(self, function: Function, name: str) -> Types:
        """Types of a parameter."""
        return self.variables(function.name).get(name, UNKNOWN)

    def annotated(self, annotation: ast.expr) -> Types:
        """The types that an annotation names; unknown if any part is neither builtin nor of the program."""
        match annotation:
            case ast.Constant(value=None):
                return frozenset({NONE})
            case ast.Constant(value=str(text)):
                try:
                    return self.annotated(ast.parse(text, mode="eval").body)
                except SyntaxError:
                    return UNKNOWN
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                sides = self.annotated(left), self.annotated(right)
                return sides[0] | sides[1] if all(sides) else UNKNOWN
            case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
                types = self.annotated(inner)
                return types | {NONE} if types else UNKNOWN
            case ast.Subscript(value=value):
                return self.annotated(value)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found = self._program.class_called(name)
                if found is not None:
                    return frozenset({found.name})
                known = isinstance(getattr(builtins, name, None), type) and name not in _ABSTRACT
                return frozenset({name}) if known else UNKNOWN
        return UNKNOWN

    def types(self, node: cst.BaseExpression, function: str) -> Types:
        """Types of an expression within `function`."""
        match node:
            case cst.Name(value="True" | "False") | cst.Comparison():
                return frozenset({"bool"})
            case cst.Name(value="None"):
                return frozenset({NONE})
            case cst.Name(value=name):
                return self.variables(function).get(name, UNKNOWN)
            case cst.Integer():
                return frozenset({"int"})
            case cst.Float():
                return frozenset({"float"})
            case cst.SimpleString() | cst.ConcatenatedString() | cst.FormattedString():
                return frozenset({"str"})
            case cst.List() | cst.ListComp():
                return frozenset({"list"})
            case cst.Tuple():
                return frozenset({"tuple"})
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
                return self._attribute(self.types(receiver, function), name)
            case cst.UnaryOperation(operator=cst.Not()):
                return frozenset({"bool"})
            case cst.UnaryOperation(expression=operand):
                return self.types(operand, function) & NUMBERS
            case cst.BinaryOperation(left=left, operator=operator, right=right):
                return self._binary(self.types(left, function), operator, self.types(right, function))
            case cst.BooleanOperation(left=left, right=right):
                return self.types(left, function) | self.types(right, function)
            case cst.Call(func=called):
                return self._call(called, function)
        return UNKNOWN

    def _declare(self, found: dict[str, Types], name: str, annotation: ast.expr) -> None:
        types = self.annotated(annotation)
        if types:
            found[name] = types

    def _attribute(self, receivers: Types, name: str) -> Types:
        found = [self.fields(receiver).get(name, UNKNOWN) for receiver in sorted(receivers - {NONE})]
        properties = [self._program.method(receiver, name) for receiver in sorted(receivers - {NONE})]
        found += [self.result(p) for p in properties if p is not None and p.binding is Binding.PROPERTY]
        return frozenset[str]().union(*found)

    @staticmethod
    def _binary(left: Types, operator: cst.BaseBinaryOp, right: Types) -> Types:
        if left == right == {"int"}:
            return UNKNOWN if isinstance(operator, _NO_INTEGER) else left
        if left and right and left | right <= {"int", "float"}:
            return frozenset({"float"})
        for kind in ("list", "str", "tuple"):
            if kind in left or kind in right:
                return frozenset({kind})
        return UNKNOWN

    def _call(self, called: cst.BaseExpression, function: str) -> Types:
        match called:
            case cst.Name(value=name):
                constructed = self._program.class_called(name)
                if constructed is not None:
                    return frozenset({constructed.name})
                if name in self._program.functions:
                    return self.result(self._program.functions[name])
                return frozenset({_RESULTS[name]}) if name in _RESULTS else UNKNOWN
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
                owners = sorted(self.types(receiver, function) - {NONE})
                methods = [self._program.method(owner, name) for owner in owners]
                return frozenset[str]().union(*(self.result(m) for m in methods if m is not None))
        return UNKNOWN
