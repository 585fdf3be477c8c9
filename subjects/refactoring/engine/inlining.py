"""Inline: programs with a local variable, a function or a method that is used, and rope's inlining of it."""

import programs
from programs import Shape, Tables, refactored
from rope.refactor import inline

_VARIABLE = """def m(x):
    {first}
    {body}
    return x, v


def run(out):
    for x in (0, 3):
        out(m(x))
"""
_FUNCTION = """def «v(y):
    {inside}


def m(x):
    {body}
    return x


def run(out):
    for x in (0, 3):
        out(m(x))
"""
_METHOD = """class A:
    def «v(self, y):
        {inside}

    def m(self, x):
        {body}
        return x


def run(out):
    for x in (0, 3):
        out(A().m(x))
"""
_SHAPES = {
    "variable": Shape(_VARIABLE, first="«v = {value}", f="v", y="x"),
    "variable in lines": Shape(_VARIABLE, first="«v = (\n        {value}\n    )", f="v", y="x"),
    "variable annotated": Shape(_VARIABLE, first="«v: int = {value}", f="v", y="x"),
    "function": Shape(_FUNCTION, inside="return {value}", f="v(x)", y="y"),
    "function twice": Shape(_FUNCTION, inside="return {value}", f="v(x + 1)", y="y"),
    "function with local": Shape(_FUNCTION, inside="x = 7\n    return {value}", f="v(x)", y="y"),
    "function that assigns": Shape(_FUNCTION, inside="y = 7\n    return {value}", f="v(x)", y="y"),
    "function without": Shape(_FUNCTION, inside="z = {value}", f="v(x)", y="y"),
    "method": Shape(_METHOD, inside="return {value}", f="self.v(x)", y="y"),
    "function by name": Shape(_FUNCTION, inside="return {value}", f="v(y=x)", y="y"),
}
_STATEMENTS = {
    "read": "x = {f}",
    "twice": "x = {f} * 2",
    "less": "x = 9 - {f}",
    "minus": "x = -{f}",
    "power": "x = {f} ** 2",
    "not": "x = not {f}",
    "member": "x = {f}.real",
    "format": 'x = f"{{f}}"',
    "change": "x = 5",
    "argument": "x = max({f}, 1)",
    "keyword": "x = dict(v={f})",
    "compare": "x = {f} == 1 == 1",
    "pair": "x = {f}, 1",
    "element": "x = [8, {f}][1]",
    "condition": "x = 4 if {f} else 6",
    "branch": "if {f}: x = 4",
    "alone": "{f}",
    "comment": "x = {f}  # v",
    "again": "v = 3",
    "inner": "return (lambda x: {f})(8)",
}
_EXPRESSIONS = {
    "one": "1",
    "argument": "{y}",
    "sum": "{left} + {right}",
    "choice": "{left} if {y} else {right}",
    "or": "{left} or {right}",
    "function": "(lambda: ({left}))()",
    "pair": "{left}, {right}",
    "text": '"v"',
    "less": "{left} < {right}",
    "not": "not {left}",
}
TABLES = Tables(_SHAPES, _STATEMENTS, _EXPRESSIONS)


class Expression(programs.Expression):
    """An expression of such a program."""


class Statement(programs.Statement):
    """A statement of such a program."""


class Program(programs.Program):
    """A program in which `v` is inlined."""

    def refactor(self):
        """What rope makes of it (see `refactored`)."""
        return refactored(self.modules(TABLES), _inlined)


def _inlined(project, files, start, _end):
    # Rope counts its prefixes of names up as long as the process lives; so programs would hang on those before them.
    inline._DefinitionGenerator.unique_prefix = inline.unique_prefix()
    return inline.create_inline(project, files[0], start).get_changes(resources=files)
