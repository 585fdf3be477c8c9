"""Rename: programs with a name for a field, a method, a variable, a parameter or a global, which rope renames."""

import programs
from programs import Shape, Tables, refactored
from rope.refactor.rename import Rename

NEW = "g"
_CLASS = """class A:
    def __init__(self):
        self.{declared} = 2
        self.{other} = 7

{method}
    def m(self, x):
        {body}
        return x


class B(A):
{below}


def run(out):
    for cls in (A, B):
        a = cls()
        for x in (0, 3):
            out(a.m(x))
            out(sorted(vars(a).values(), key=repr))
"""
_FUNCTION = """{before}
def m({parameters}):
    {start}
    {body}
    return {f}, x


def run(out):
    for x in (0, 3):
        out({call})
    {end}
"""
_NESTED = """def m(x):
    «f = 2
    h = 7

    def n(x):
        nonlocal f
        {body}
        return f, x

    return n(x), f


def run(out):
    for x in (0, 3):
        out(m(x))
"""
_METHOD = "    def «f(self):\n        return 2\n"
_NAMES = {"declared": "«f", "other": "h", "method": "", "below": "    pass", "f": "self.f", "g": "self.h"}
_OF_METHOD = _NAMES | {"declared": "k", "method": _METHOD}
_LOCAL = {
    "before": "", "parameters": "x", "start": "h = 7", "call": "m(x)", "end": "pass", "f": "f", "g": "h",
}  # fmt: skip
_SHAPES = {
    "field": Shape(_CLASS, **_NAMES),
    "field taken": Shape(_CLASS, **_NAMES | {"other": "g", "g": "self.g"}),
    "field below": Shape(_CLASS, **_NAMES | {"below": "    def n(self):\n        return self.f"}),
    "method": Shape(_CLASS, **_OF_METHOD),
    "method overridden": Shape(_CLASS, **_OF_METHOD | {"below": "    def f(self):\n        return 4"}),
    "method taken": Shape(_CLASS, **_OF_METHOD | {"other": "g", "g": "self.g"}),
    "method taken below": Shape(_CLASS, **_OF_METHOD | {"below": "    def g(self):\n        return 4"}),
    "local": Shape(_FUNCTION, **_LOCAL | {"start": "h = 7\n    «f = 2"}),
    "local taken": Shape(_FUNCTION, **_LOCAL | {"start": "g = 7\n    «f = 2", "g": "g"}),
    "parameter": Shape(_FUNCTION, **_LOCAL | {"parameters": "«f, x", "call": "m(f=2, x=x)"}),
    "global": Shape(_FUNCTION, **_LOCAL | {"before": "«f = 2\n\n", "start": "global f\n    h = 7", "end": "out(f)"}),
    "nonlocal": Shape(_NESTED, f="f", g="h"),
}
_STATEMENTS = {
    "read": "x = {value}",
    "write": "{f} = {value}",
    "augment": "{f} += {value}",
    "delete": "del {f}",
    "loop": "for {f} in (4, {value}):\n    pass",
    "format": 'x = f"{{f}!s:.1}"',
    "format nested": 'x = f"{{value}:>{{f}}}"',
    "keyword": "x = dict(f={value})",
    "text": "x = 'f'",
    "take": "{g} = {value}",
    "catch": "try:\n    1 // {value}\nexcept ZeroDivisionError as f:\n    x = 7",
    "import": "import math as f",
    "match": "match {value}:\n    case f:\n        x = 8",
    "inner": "def h(f):\n    return f\nx = h(f={value})",
    "inner class": "class C:\n    f = 6\nx = C.f",
    "star": "*{f}, x = {value}, 4",
    "own keyword": "x = (lambda f=1: f)(f={value})",
    "walrus": "(f := {value})",
}
_EXPRESSIONS = {
    "one": "1",
    "argument": "x",
    "name": "{f}",
    "other": "{g}",
    "sum": "{left} + {right}",
    "elements": "sum([f for f in (1, 2)])",
    "function": "(lambda f: f)({left})",
    "default": "(lambda y={left}: y)()",
    "inside": "[{f} for y in (1,)][0]",
    "named": "(f := {left})",
}
TABLES = Tables(_SHAPES, _STATEMENTS, _EXPRESSIONS)


class Expression(programs.Expression):
    """An expression of such a program."""


class Statement(programs.Statement):
    """A statement of such a program."""


class Program(programs.Program):
    """A program in which `f` is renamed."""

    def refactor(self):
        """What rope makes of it (see `refactored`)."""
        return refactored(self.modules(TABLES), _renamed)


def _renamed(project, files, start, _end):
    return Rename(project, files[0], start).get_changes(NEW, resources=files)
