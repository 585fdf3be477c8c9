"""Translates expressions, as three-address C in Python's order of evaluation."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable
from math import inf
from typing import Any

from harness.generators.states.translated.folding import folded
from harness.generators.states.translated.loops import Loops
from harness.generators.states.translated.program import MISSING

BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
    ast.BitAnd: "bit_and",
    ast.BitOr: "bit_or",
    ast.BitXor: "bit_xor",
    ast.LShift: "shift_left",
    ast.RShift: "shift_right",
}
UNARY = {ast.USub: "negative", ast.UAdd: "positive", ast.Invert: "inverted"}
_COMPARING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
ORDER = {ast.Lt: "LT", ast.LtE: "LE", ast.Gt: "GT", ast.GtE: "GE"}


class Expressions(Loops):
    """`expression` gives a value, `condition` a C truth value; both emit what computes it before."""

    @abstractmethod
    def call(self, node: ast.Call) -> str:
        """A call's value."""

    @abstractmethod
    def call_condition(self, node: ast.Call) -> str | None:
        """A call's truth as a C integer, for calls that give truth values; None for others."""

    @abstractmethod
    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> str:
        """A new container."""

    def expression(self, node: ast.expr) -> str:
        """The value of `node` in C: a variable or a constant."""
        method: Callable[[Any], str] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.refuse(node, _named(node))
        return method(node)

    def condition(self, node: ast.expr) -> str:
        """The truth of `node` as a C integer."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.condition(node.operand)}"
        if isinstance(node, ast.BoolOp):
            found = self.temporary(self.condition(node.values[0]), "int")
            for value in node.values[1:]:
                self.line(f"if ({'' if isinstance(node.op, ast.And) else '!'}{found}) {{")
                self.line(f"{found} = {self.condition(value)};")
                self.line("}")
            return found
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, type(None))):
            return "1" if node.value else "0"
        if isinstance(node, ast.IfExp):
            found = self.name("int")
            self.line(f"if ({self.condition(node.test)}) {{")
            self.line(f"{found} = {self.condition(node.body)};")
            self.line("} else {")
            self.line(f"{found} = {self.condition(node.orelse)};")
            self.line("}")
            return found
        if isinstance(node, ast.Call):
            answer = self.call_condition(node)
            if answer is not None:
                return answer
        found = self.expression(node)
        return self.temporary(f"truth({found}, {self.place(node, 'a truth value')})", "int")

    def constant(self, node: ast.AST, value: object) -> str:
        """A Python constant in C."""
        if value is None:
            return "PURE(W_NONE)"
        if isinstance(value, bool):
            return "PURE(W_TRUE)" if value else "PURE(W_FALSE)"
        if type(value) is int:
            return self.program.integer(value)
        if type(value) is str:
            return f"PURE(WORD(STRING, {self.program.string(value)}))"
        if type(value) is float and value in (inf, -inf):
            return f"PURE(WORD(INFINITE, {1 if value > 0 else -1}))"
        if type(value) is tuple:
            return self.tuple_of(node, [self.constant(node, part) for part in value])
        raise self.refuse(node, f"a value of type {type(value).__name__}")

    def tuple_of(self, node: ast.AST, parts: list[str]) -> str:
        """A new tuple."""
        place = self.place(node, "a tuple")
        if not parts:
            return self.temporary(f"new_tuple(0, 0, {place})")
        return self.temporary(f"new_tuple({len(parts)}, (V[]){{{', '.join(parts)}}}, {place})")

    # -- leaves ----------------------------------------------------------------------------------------

    def _constant(self, node: ast.Constant) -> str:
        return self.constant(node, node.value)

    def _name(self, node: ast.Name) -> str:
        local = self.scope.locals.get(node.id)
        if node.id in self.scope.functions:
            raise self.refuse(node, f"the function {node.id} as a value")
        if local is None:
            value = self.static(node)
            if value is MISSING:
                raise self.refuse(node, f"the name {node.id}")
            return self.constant(node, value)
        if node.id not in self._parameters():
            self.line(f"if (UNLIKELY(W({local}) == W_ABSENT)) fail(FAILED_RAISES, {self.place(node, node.id)});")
        return self.temporary(local)  # the variable may change before the value is used

    def _parameters(self) -> set[str]:
        arguments = self.scope.tree.args
        return {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}

    def _attribute(self, node: ast.Attribute) -> str:
        value = self.static(node)
        if value is not MISSING:
            return self.constant(node, value)
        return self.attribute(node, self.expression(node.value), node.attr)

    def attribute(self, node: ast.AST, owner: str, name: str) -> str:
        """The value of an attribute, by its name."""
        number = self.program.string(name)
        self.program.attributes[name] = number
        return self.temporary(f"attribute({number}, {owner}, {self.place(node, f'the attribute {name}')})")

    def _namedexpr(self, node: ast.NamedExpr) -> str:
        value = self.expression(node.value)
        self.bind(node.target, value)
        return value

    # -- operators ---------------------------------------------------------------------------------------

    def folded(self, node: ast.expr) -> Any:
        """The constant that an expression without names of ours comes to; MISSING where it is none."""
        return folded(node, self.static)

    def _binop(self, node: ast.BinOp) -> str:
        value = self.folded(node)
        if value is not MISSING:
            return self.constant(node, value)
        left = self.expression(node.left)
        return self.binary(node, node.op, left, self.expression(node.right))

    def binary(self, node: ast.AST, operator: ast.operator, left: str, right: str) -> str:
        """The result of a binary operator."""
        name = BINARY.get(type(operator))
        if name is None:
            raise self.refuse(node, f"the operator {type(operator).__name__}")
        return self.temporary(f"{name}({left}, {right}, {self.place(node, f'the operator {type(operator).__name__}')})")

    def _unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return f"V_BOOL({self.condition(node)})"
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
            return self.program.integer(-node.operand.value)
        value = self.expression(node.operand)
        return self.temporary(f"{UNARY[type(node.op)]}({value}, {self.place(node, 'a sign')})")

    def _boolop(self, node: ast.BoolOp) -> str:
        found = self.name("V")
        self.line(f"{found} = {self.expression(node.values[0])};")
        for value in node.values[1:]:
            negated = "" if isinstance(node.op, ast.And) else "!"
            self.line(f"if ({negated}truth({found}, {self.place(value, 'a truth value')})) {{")
            self.line(f"{found} = {self.expression(value)};")
            self.line("}")
        return found

    def _ifexp(self, node: ast.IfExp) -> str:
        found = self.name("V")
        self.line(f"if ({self.condition(node.test)}) {{")
        self.line(f"{found} = {self.expression(node.body)};")
        self.line("} else {")
        self.line(f"{found} = {self.expression(node.orelse)};")
        self.line("}")
        return found

    def _compare(self, node: ast.Compare) -> str:
        return f"V_BOOL({self._comparison(node)})"

    def _comparison(self, node: ast.Compare) -> str:
        compared = all(isinstance(operator, _COMPARING) for operator in node.ops)
        left = self._operand(node.left, compared)
        found = self.name("int")
        for position, (operator, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self._operand(comparator, compared)
            self.line(f"{found} = {self._question(node, operator, left, right)};")
            if position + 1 < len(node.ops):
                self.line(f"if ({found}) {{")
            left = right
        self.line("}" * (len(node.ops) - 1))
        return found

    def _operand(self, node: ast.expr, compared: bool) -> tuple[str, str]:
        """A value that is only compared, and the C variable that holds the field it was read from, or -1."""
        if compared and isinstance(node, ast.Attribute) and self.static(node) is MISSING:
            owner = self.expression(node.value)
            number = self.program.attributes[node.attr] = self.program.string(node.attr)
            place = self.place(node, f"the attribute {node.attr}")
            found = self.temporary(f"attribute_to_compare({number}, {owner}, {place})")
            return found, self.temporary("compared", "int")
        if compared and isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            owner = self.expression(node.value)
            index = self.expression(node.slice)
            place = self.place(node, "a subscript")
            found = self.temporary(f"subscript_to_compare({owner}, {index}, {place})")
            return found, self.temporary("compared", "int")
        return self.expression(node), "-1"

    def _question(self, node: ast.Compare, operator: ast.cmpop, first: tuple[str, str], second: tuple[str, str]) -> str:
        place = self.place(node, f"the comparison {type(operator).__name__}")
        (left, _), (right, _) = first, second
        operands = ", ".join([*first, *second])
        if type(operator) in ORDER:
            return f"order_fields({ORDER[type(operator)]}, {operands}, {place})"
        if isinstance(operator, (ast.Eq, ast.NotEq)):
            return f"{'!' if isinstance(operator, ast.NotEq) else ''}equal_fields({operands}, {place})"
        name = "identical"
        if isinstance(operator, (ast.In, ast.NotIn)):
            name = "contains"
        negated = "!" if isinstance(operator, (ast.IsNot, ast.NotIn)) else ""
        return f"{negated}{name}({left}, {right}, {place})"

    # -- containers --------------------------------------------------------------------------------------

    def _subscript(self, node: ast.Subscript) -> str:
        owner = self.expression(node.value)
        if isinstance(node.slice, ast.Slice):
            ends = [self._none_or(node.slice.lower), self._none_or(node.slice.upper)]
            if node.slice.step is not None:
                step = self.folded(node.slice.step)
                if type(step) is not int or not 0 < abs(step) < 1 << 30:
                    raise self.refuse(node, "a slice with a computed step")
                place = self.place(node, "a slice")
                return self.temporary(f"slice_by({owner}, {ends[0]}, {ends[1]}, {step}, {place})")
            return self.temporary(f"slice({owner}, {ends[0]}, {ends[1]}, {self.place(node, 'a slice')})")
        index = self.expression(node.slice)
        return self.temporary(f"subscript({owner}, {index}, {self.place(node, 'a subscript')})")

    def _none_or(self, node: ast.expr | None) -> str:
        return "PURE(W_NONE)" if node is None else self.expression(node)

    def _tuple(self, node: ast.Tuple) -> str:
        if any(isinstance(part, ast.Starred) for part in node.elts):
            made = self.collected(node, node.elts)
            return self.temporary(f"tupled({made}, {self.place(node, 'a tuple')})")
        return self.tuple_of(node, [self.expression(part) for part in node.elts])

    def _list(self, node: ast.List) -> str:
        return self.collected(node, node.elts)

    def collected(self, node: ast.AST, parts: list[ast.expr]) -> str:
        """A new list of the values of `parts`, starred ones spread."""
        place = self.place(node, "a list")
        made = self.temporary(f"new_list({len(parts)}, 0, {place})")
        for part in parts:
            if isinstance(part, ast.Starred):
                self.line(f"extend(POINTER(List, W({made})), {self.expression(part.value)}, {place});")
            else:
                self.line(f"list_append(POINTER(List, W({made})), {self.expression(part)}, {place});")
        return made

    def _set(self, node: ast.Set) -> str:
        place = self.place(node, "a set")
        values = []
        for part in node.elts:
            if isinstance(part, ast.Starred):
                raise self.refuse(node, "a starred element of a set")
            values.append(self.expression(part))
        made = self.temporary(f"new_set({place})")
        for value in values:
            self.line(f"set_add(POINTER(Set, W({made})), {value}, {place});")
        return made

    def _dict(self, node: ast.Dict) -> str:
        place = self.place(node, "a dict")
        made = self.temporary(f"new_dict({place})")
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise self.refuse(node, "a spread dict")
            name = self.expression(key)
            self.line(f"dict_put(POINTER(Dict, W({made})), {name}, {self.expression(value)}, {place});")
        return made

    def _call(self, node: ast.Call) -> str:
        return self.call(node)

    def _listcomp(self, node: ast.ListComp) -> str:
        return self.comprehension(node)

    def _setcomp(self, node: ast.SetComp) -> str:
        return self.comprehension(node)

    def _dictcomp(self, node: ast.DictComp) -> str:
        return self.comprehension(node)


def _named(node: ast.expr) -> str:
    names = {
        "Lambda": "a lambda",
        "GeneratorExp": "a generator expression outside a call",
        "JoinedStr": "an f-string",
        "Await": "await",
        "Yield": "a yield whose value is used",
        "YieldFrom": "a yield from whose value is used",
        "Starred": "a starred expression",
    }
    return names.get(type(node).__name__, f"the expression {type(node).__name__}")
