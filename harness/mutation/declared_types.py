"""Types of variables, fields and results, as sets of type names, from annotations and the type profile."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping

from harness.kernel.program.code_reading import own_nodes
from harness.mutation.program import WITHIN, Binding, Function, Program, TypeProfile, Types

UNKNOWN: Types = frozenset()
NONE = "NoneType"

_ABSTRACT = frozenset({"object", "type"})


class DeclaredTypes:
    """Types of variables, fields and results of one program; empty where they are unknown."""

    def __init__(self, program: Program, profile: TypeProfile) -> None:
        self.program = program
        self._profile = profile
        self._variables: dict[str, dict[str, Types]] = {}

    def variables(self, function: str) -> Mapping[str, Types]:
        """Return the types of the parameters and locals of `function`: declared types, else observed ones."""
        if function not in self._variables:
            types: dict[str, Types] = dict(self._profile.variables.get(function.partition(WITHIN)[0], {}))
            declared = self.program.functions[function]
            arguments = declared.node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            for argument in (*positional, *arguments.kwonlyargs):
                if argument.annotation is not None:
                    self._declare(types, argument.arg, argument.annotation)
            for star, container in ((arguments.vararg, "tuple"), (arguments.kwarg, "dict")):
                if star is not None:
                    types[star.arg] = frozenset({container})
            for node in own_nodes(declared.node.body):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    self._declare(types, node.target.id, node.annotation)
            if declared.owner and positional and declared.binding in (Binding.INSTANCE, Binding.PROPERTY):
                types[positional[0].arg] = frozenset({declared.owner})
            self._variables[function] = types
        return self._variables[function]

    def fields(self, class_name: str) -> dict[str, Types]:
        """Return the types of the fields of a class, inherited ones included: declared types, else observed ones."""
        fields: dict[str, Types] = {}
        for owner in self.program.lineage(class_name):
            observed = self._profile.attributes.get(owner.name, {})
            for name in (*owner.fields, *observed):
                annotation = owner.fields.get(name)
                types = self.annotated(annotation) if annotation is not None else UNKNOWN
                fields.setdefault(name, types or observed.get(name, UNKNOWN))
        return fields

    def result(self, function: Function) -> Types:
        """Return the types that `function` returns: declared types, else observed ones."""
        declared = self.annotated(function.node.returns) if function.node.returns is not None else UNKNOWN
        return declared or self._profile.returns.get(function.name, UNKNOWN)

    def parameter(self, function: Function, name: str) -> Types:
        """Return the types of a parameter."""
        return self.variables(function.name).get(name, UNKNOWN)

    def annotated(self, annotation: ast.expr) -> Types:
        """Return the types that an annotation names; UNKNOWN if any part is neither builtin nor of the program."""
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
                declared = self.program.class_called(name)
                if declared is not None:
                    return frozenset({declared.name})
                is_builtin = isinstance(getattr(builtins, name, None), type) and name not in _ABSTRACT
                return frozenset({name}) if is_builtin else UNKNOWN
        return UNKNOWN

    def attribute(self, receivers: Types, name: str) -> Types:
        """Return the types of an attribute, or property, of objects of some types."""
        types = [self.fields(receiver).get(name, UNKNOWN) for receiver in sorted(receivers - {NONE})]
        properties = [self.program.method(receiver, name) for receiver in sorted(receivers - {NONE})]
        types += [self.result(p) for p in properties if p is not None and p.binding is Binding.PROPERTY]
        return frozenset[str]().union(*types)

    def _declare(self, declared: dict[str, Types], name: str, annotation: ast.expr) -> None:
        types = self.annotated(annotation)
        if types:
            declared[name] = types
