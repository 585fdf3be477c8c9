"""Finds the functions that a call or an attribute may run, and the effects of functions outside of the program."""

from __future__ import annotations

import ast

from harness.generators.influence import library_effects
from harness.generators.influence.findings import Finder, MentionReach
from harness.generators.influence.library_effects import CallEffect
from harness.kernel.program.builtin_effects import REFLECTIVE_BUILTINS, CallEffects, named

_CALLBACKS = frozenset({"key", "default_factory", "func", "function"})
"""The parameters of Python's own functions that take functions."""
_BY_NAME = named(REFLECTIVE_BUILTINS, CallEffects.TAKES_FIELD_NAME)
_READING_BY_NAME = named(REFLECTIVE_BUILTINS, CallEffects.TAKES_FIELD_NAME | CallEffects.READS_FIELDS)


class CallReader(Finder):
    """Reads calls and attributes; `harness.generators.influence.reading` reads all other nodes of a function."""

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Name):
            self._call_of_name(called.id, node)
        elif isinstance(called, ast.Attribute):
            self._call_of_attribute(called)
        else:
            self.reading.anything()
            self.visit(called)
        asks_class = isinstance(called, ast.Name) and called.id in ("isinstance", "issubclass")
        self.visit_all(node.args[:1] if asks_class else node.args)
        for keyword in node.keywords:
            if keyword.arg in _CALLBACKS:
                self._callback(keyword.value)
            elif keyword.arg is None:
                self.iterates(keyword.value)
            self.visit(keyword.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        is_read = isinstance(node.ctx, ast.Load)
        (self.reading.reads if is_read else self.reading.writes).add(node.attr)
        self._mention_attribute(node)
        if not is_read and self._is_common(node.value):
            self.reading.shared.add(node.attr)
        if node.attr == "__dict__" or (node.attr == "__class__" and not is_read):
            self.reading.anything()
        self.visit(node.value)

    def _mention_attribute(self, node: ast.Attribute) -> None:
        """Mention a method, a property, or a definition in a module of the program."""
        if self._is_receiver(node.value):
            self.mention(MentionReach.OWN, node.attr)
        elif _is_super(node.value):
            self.mention(MentionReach.ABOVE, node.attr)
        else:
            self.mention(MentionReach.METHOD, node.attr)
            if isinstance(node.value, ast.Name):
                self.mention(MentionReach.NAMED, node.attr)

    def _call_of_name(self, name: str, node: ast.Call) -> None:
        if name in self.inner:
            return
        if name == "cls" == self.receiver:
            self.mention(MentionReach.NAMED, self.owner)
        elif name in self.methods_in_locals:
            for attribute in self.methods_in_locals[name]:
                self._call_of_method(attribute, is_own=False)
        elif name in self.local or name in self.names.variables:
            self.reading.anything()
        elif name in self.names.defined:
            self.mention(MentionReach.NAMED, self.names.defined[name])
        elif name in self.imports:
            self.does(library_effects.of_module(self.imports[name]))
        elif name in _BY_NAME:
            self._field_by_name(name, node)
        else:
            self.does(library_effects.of_builtin(name))
            if name in ("map", "filter") and node.args:
                self._callback(node.args[0])

    def _field_by_name(self, called: str, node: ast.Call) -> None:
        name = node.args[1] if len(node.args) > 1 else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            (self.reading.reads if called in _READING_BY_NAME else self.reading.writes).add(name.value)
            self.mention(MentionReach.METHOD, name.value)
        else:
            self.reading.anything()

    def _call_of_attribute(self, called: ast.Attribute) -> None:
        base, name = called.value, called.attr
        module = self._module(base)
        if module:
            self.does(library_effects.of_module(module))
            return
        self._mention_attribute(called)
        self.visit(base)
        if name not in library_effects.CREATING:
            self._call_of_method(name, self._is_receiver(base))

    def _call_of_method(self, name: str, is_own: bool) -> None:
        does = library_effects.of_method(name)
        is_known = name in self.names.methods or name in self.names.functions or name in self.names.classes
        if is_known and (does is CallEffect.ANYTHING or is_own):
            return  # of the program alone; else a collection may have a method of that name, too
        self.does(does)

    def _module(self, base: ast.expr) -> str:
        """Return the dotted name of a module that is not the program's; an empty name for other expressions."""
        if isinstance(base, ast.Attribute):
            within = self._module(base.value)
            return f"{within}.{base.attr}" if within else ""
        if isinstance(base, ast.Name) and base.id not in self.local:
            return self.imports.get(base.id, "")
        return ""

    def _callback(self, argument: ast.expr) -> None:
        """Mention a function that is passed to one of Python's own; one whose source is not available does anything."""
        if isinstance(argument, ast.Lambda | ast.Constant):
            return
        name = argument.id if isinstance(argument, ast.Name) and argument.id not in self.local else ""
        if name in self.names.defined or name in self.inner:
            return
        self.does(library_effects.of_builtin(name))

    def _is_receiver(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.receiver

    def _is_common(self, node: ast.expr) -> bool:
        """Return whether all calls share the object of an expression: a class, a function or a module."""
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        if isinstance(node, ast.Attribute):
            return node.attr == "__class__" or self._is_common(node.value)
        return isinstance(node, ast.Name) and (node.id not in self.local or node.id == "cls")


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
