"""Move method: programs with a method of one class that is moved to another, which a field of the first is of."""

import programs
from programs import Shape, Tables, refactored
from rope.refactor.move import create_move

_TEXT = """class B:
    def __init__(self):
        self.k = 2

    def {there}(self, {parameter}):
        return -1


class A:
    def __init__(self):
        self.b = B()
        self.f = 3

    {decorator}
    def «m({parameters}):
        {body}
        return x

    def n(self, x):
        return x + 10


def run(out):
    a = A()
    for x in (0, 3):
        out({call})
        out(a.f, a.b.k)
    out(a.b.{there}(1))
"""
_NAMES = {"there": "p", "parameter": "x", "decorator": "", "parameters": "self, x", "call": "a.m(x)", "f": "self"}
_SHAPES = {
    "method": Shape(_TEXT, **_NAMES),
    "renamed self": Shape(_TEXT, **_NAMES | {"parameters": "this, x", "f": "this"}),
    "host": Shape(_TEXT, **_NAMES | {"parameters": "self, x, host=5"}),
    "default": Shape(_TEXT, **_NAMES | {"parameters": "self, x=4", "call": "a.m()"}),
    "keyword only": Shape(_TEXT, **_NAMES | {"parameters": "self, *, x", "call": "a.m(x=x)"}),
    "stars": Shape(_TEXT, **_NAMES | {"parameters": "self, x, *more, **named", "call": "a.m(x, 6, y=7)"}),
    "annotated": Shape(_TEXT, **_NAMES | {"parameters": "self, x: int"}),
    "positional only": Shape(_TEXT, **_NAMES | {"parameters": "self, x, /"}),
    "taken": Shape(_TEXT, **_NAMES | {"there": "m"}),
}
_STATEMENTS = {
    "read": "x = {value}",
    "write": "{f}.f = {value}",
    "write there": "{f}.b.k = {value}",
    "exchange": "{f}.b = {value}",
    "host": "host = {value}",
    "inner": "def h(self):\n    return self\nx = h({value})",
    "inner class": "class C:\n    def q(self):\n        return 5\nx = C().q()",
    "delete": "del {f}.f",
    "format": 'x = f"{{f}.f}"',
    "docstring": '"""Of {f}."""',
    "comment": "x = {value}  # of {f}",
    "lines": 'x = """one\ntwo"""',
}
_EXPRESSIONS = {
    "one": "1",
    "argument": "x",
    "field": "{f}.f",
    "field there": "{f}.b.k",
    "call": "{f}.n({left})",
    "call there": "{f}.b.p({left})",
    "again": "({f}.m(0) if x else 1)",
    "function": "(lambda self: self)({left})",
    "sum": "{left} + {right}",
    "itself": "isinstance({f}, A)",
}
TABLES = Tables(_SHAPES, _STATEMENTS, _EXPRESSIONS)


class Expression(programs.Expression):
    """An expression of such a program."""


class Statement(programs.Statement):
    """A statement of such a program."""


class Program(programs.Program):
    """A program whose method `m` is moved to the class of the field `b`."""

    def refactor(self):
        """What rope makes of it (see `refactored`)."""
        return refactored(self.modules(TABLES), _moved)


def _moved(project, files, start, _end):
    return create_move(project, files[0], start).get_changes("b", resources=files)
