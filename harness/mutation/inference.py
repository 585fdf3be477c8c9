"""Infers the types of expressions from annotations and the type profile: sets of type names, empty if unknown."""

from __future__ import annotations

import libcst as cst

from harness.mutation.program import NONE, UNKNOWN, DeclaredTypes, Types

NUMBERS = frozenset({"int", "float", "complex"})

_CONSTRUCTORS = ("bool", "dict", "float", "int", "list", "set", "str", "tuple")
_RESULTS = {"isinstance": "bool", "len": "int", "sorted": "list"} | {name: name for name in _CONSTRUCTORS}
_NO_INTEGER = (cst.Divide, cst.Power, cst.MatrixMultiply)


def compatible(one: Types, other: Types) -> bool:
    """Return whether a value of one can replace a value of the other: the sets, without None, have a type in common.

    Names decide, so bool is not int. An unknown type is compatible with nothing.
    """
    return bool((one & other) - {NONE})


class Inference(DeclaredTypes):
    """Adds the types of expressions to the declared types of variables, fields and results."""

    def types(self, node: cst.BaseExpression, function: str) -> Types:  # noqa: C901 (a case for each expression)
        """Return the types of an expression within `function`."""
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
                return self.attribute(self.types(receiver, function), name)
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
                constructed = self.program.class_called(name)
                if constructed is not None:
                    return frozenset({constructed.name})
                if name in self.program.functions:
                    return self.result(self.program.functions[name])
                return frozenset({_RESULTS[name]}) if name in _RESULTS else UNKNOWN
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
                owners = sorted(self.types(receiver, function) - {NONE})
                methods = [self.program.method(owner, name) for owner in owners]
                return frozenset[str]().union(*(self.result(m) for m in methods if m is not None))
        return UNKNOWN
