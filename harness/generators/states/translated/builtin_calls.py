"""Translates calls of built-in functions."""

from __future__ import annotations

import ast
import builtins
from collections import deque
from typing import Any

from harness.generators.states.translated.emitter import Item
from harness.generators.states.translated.expressions import Expressions


class Builtins(Expressions):
    """Adds built-in functions to expressions."""

    def builtin(self, node: ast.Call, callee: Any) -> str:
        """The value of a call of a built-in function."""
        method = getattr(self, f"_call_{callee.__name__}", None)
        if method is None or callee is not getattr(builtins, callee.__name__, deque):
            raise self.refuse(node, f"a call of {ast.unparse(node.func)}")
        if any(isinstance(a, ast.Starred) for a in node.args):
            raise self.refuse(node, "*args or **kwargs")
        if node.keywords and callee not in (min, max, sorted):
            raise self.refuse(node, f"the keyword arguments of a call of {callee.__name__}")
        found: str = method(node)
        return found

    def _plain(self, node: ast.Call, function: str) -> str:
        if len(node.args) != 1:
            raise self.refuse(node, f"a call of {ast.unparse(node.func)} with {len(node.args)} arguments")
        value = self.expression(node.args[0])
        return self.temporary(f"{function}({value}, {self.place(node, ast.unparse(node.func))})")

    def _call_len(self, node: ast.Call) -> str:
        return self._plain(node, "length")

    def _call_abs(self, node: ast.Call) -> str:
        return self._plain(node, "absolute")

    def _call_id(self, node: ast.Call) -> str:
        return self._plain(node, "identity_of")

    def _call_int(self, node: ast.Call) -> str:
        return self._plain(node, "as_integer")

    def _call_getattr(self, node: ast.Call) -> str:
        if len(node.args) != 2:
            raise self.refuse(node, "getattr with a default")
        owner, name = self.expression(node.args[0]), node.args[1]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            return self.attribute(node, owner, name.value)
        text = self.expression(name)
        return self.temporary(f"attribute_named({text}, {owner}, {self.place(node, 'getattr')})")

    def _call_list(self, node: ast.Call) -> str:
        return self._filled(node, f"new_list(0, 0, {self.place(node, 'list')})", "list_append", "List")

    def _call_deque(self, node: ast.Call) -> str:
        return self._filled(node, f"new_list(0, 1, {self.place(node, 'deque')})", "list_append", "List")

    def _call_set(self, node: ast.Call) -> str:
        return self._filled(node, f"new_set({self.place(node, 'set')})", "set_add", "Set")

    def _call_tuple(self, node: ast.Call) -> str:
        made = self._call_list(node)
        return self.temporary(f"tupled({made}, {self.place(node, 'tuple')})")

    def _call_sorted(self, node: ast.Call) -> str:
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        key, backwards = options.pop("key", None), options.pop("reverse", None)
        reverse = False if backwards is None else getattr(backwards, "value", None)
        if options or type(reverse) is not bool or len(node.args) != 1:
            raise self.refuse(node, "the arguments of a call of sorted")
        place = self.place(node, "sorted")
        made = self._sortable(node, place)
        if key is None and not reverse:
            return self.temporary(f"sorted_list({made}, {place})")
        keys = self.temporary(f"listed({made}, 0, {place})" if key is None else f"new_list(4, 0, {place})")
        if key is not None:
            function = self.callee(key)
            self.iterate_value(
                node,
                made,
                lambda item: self.line(
                    f"list_append(POINTER(List, W({keys})), "
                    f"{self.applied(node, function, [self.value(node, item)])}, {place});"
                ),
            )
        return self.temporary(f"sorted_by({made}, {keys}, {'GT' if reverse else 'LT'}, {place})")

    def _sortable(self, node: ast.Call, place: int) -> str:
        """A new list of what is to be sorted; sets, too, as their order does not show."""
        argument = node.args[0]
        if self.is_loop(argument):
            return self._call_list(ast.copy_location(ast.Call(node.func, [argument], []), node))
        value = self.expression(argument)
        return self.temporary(f"TAG(W({value})) == SET ? sorted_set({value}, {place}) : listed({value}, 0, {place})")

    def _call_divmod(self, node: ast.Call) -> str:
        if len(node.args) != 2:
            raise self.refuse(node, "the arguments of a call of divmod")
        left, right = (self.expression(argument) for argument in node.args)
        place = self.place(node, "divmod")
        parts = [self.temporary(f"{name}({left}, {right}, {place})") for name in ("floor_divide", "modulo")]
        return self.tuple_of(node, parts)

    def _call_dict(self, node: ast.Call) -> str:
        if node.args:
            raise self.refuse(node, "dict with arguments")
        return self.temporary(f"new_dict({self.place(node, 'dict')})")

    def _filled(self, node: ast.Call, empty: str, add: str, kind: str) -> str:
        if len(node.args) > 1:
            raise self.refuse(node, f"a call of {ast.unparse(node.func)} with {len(node.args)} arguments")
        made = self.temporary(empty)
        place = self.place(node, ast.unparse(node.func))
        if node.args:
            if kind == "Set" and not self.is_loop(node.args[0]):
                self.line(f"set_update(POINTER(Set, W({made})), {self.expression(node.args[0])}, {place});")
            else:
                self.iterate(
                    node.args[0],
                    lambda item: self.line(f"{add}(POINTER({kind}, W({made})), {self.value(node, item)}, {place});"),
                )
        return made

    def _call_min(self, node: ast.Call) -> str:
        return self._best(node, "LT")

    def _call_max(self, node: ast.Call) -> str:
        return self._best(node, "GT")

    def _best(self, node: ast.Call, operator: str) -> str:
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        default, key = options.pop("default", None), options.pop("key", None)
        if options or not node.args:
            raise self.refuse(node, f"the keyword arguments of a call of {ast.unparse(node.func)}")
        if key is not None:
            return self._best_by(node, operator, self.callee(key), default)
        place = self.place(node, ast.unparse(node.func))
        best = self.name("V")

        def consider(item: str) -> None:
            self.line(f"if (W({best}) == W_ABSENT || order({operator}, {item}, {best}, {place})) {best} = {item};")

        if len(node.args) > 1:
            values = [self.expression(argument) for argument in node.args]
            self.line(f"{best} = PURE(W_ABSENT);")
            for value in values:
                consider(value)
            return best
        otherwise = None if default is None else self.expression(default)
        self.line(f"{best} = PURE(W_ABSENT);")
        self.iterate(node.args[0], lambda item: consider(self.value(node, item)))
        instead = f"fail(FAILED_RAISES, {place})" if otherwise is None else f"{best} = {otherwise}"
        self.line(f"if (W({best}) == W_ABSENT) {instead};")
        return best

    def _best_by(self, node: ast.Call, operator: str, key: Any, default: ast.expr | None) -> str:
        """The first item with the best key."""
        if len(node.args) > 1 or default is not None:
            raise self.refuse(node, f"the arguments of a call of {ast.unparse(node.func)} with a key")
        place = self.place(node, ast.unparse(node.func))
        best, first = self.name("V"), self.name("V")
        self.line(f"{best} = {first} = PURE(W_ABSENT);")

        def consider(item: Item) -> None:
            value = self.value(node, item)
            found = self.applied(node, key, [value])
            self.line(f"if (W({best}) == W_ABSENT || order({operator}, {found}, {best}, {place}))")
            self.line(f"{{ {best} = {found}; {first} = {value}; }}")

        self.iterate(node.args[0], consider)
        self.line(f"if (W({best}) == W_ABSENT) fail(FAILED_RAISES, {place});")
        return first

    def _call_sum(self, node: ast.Call) -> str:
        if len(node.args) != 1:
            raise self.refuse(node, "sum with a start")
        total = self.temporary("V_INT(0)")
        place = self.place(node, "sum")

        def add(item: Item) -> None:
            self.line(f"{total} = add({total}, {self.value(node, item)}, {place});")

        self.iterate(node.args[0], add)
        return total

    def any_or_all(self, node: ast.Call, is_all: bool) -> str:
        """The truth of any or all, as a C integer."""
        found = self.temporary("1" if is_all else "0", "int")
        done = self.label()
        argument = node.args[0]

        def answer(condition: str) -> None:
            self.line(f"if ({'!' if is_all else ''}{condition}) {{ {found} = {int(not is_all)}; goto {done}; }}")

        if isinstance(argument, ast.GeneratorExp):
            self.generated(argument.generators, lambda: answer(self.condition(argument.elt)))
        else:
            place = self.place(node, "a truth value")
            self.iterate(argument, lambda item: answer(f"truth({self.value(node, item)}, {place})"))
        self.line(f"{done}: ;")
        return found
