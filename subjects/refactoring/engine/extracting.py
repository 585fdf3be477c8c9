"""Extract: programs with an expression or statements that rope makes a variable or a function of their own."""

import programs
from programs import Shape, Tables, refactored
from rope.refactor.extract import ExtractMethod, ExtractVariable

NEW = "new"
_TEXT = """class A:
    def __init__(self):
        self.f = 2

    def m(self, x):
        y = 5
        {inside}
        return x, y


def run(out):
    a = A()
    for x in (0, 3):
        out(a.m(x))
        out(a.f)
"""
_LINES = "«{body}»"
_SHAPES = {
    "expression": Shape(_TEXT.replace("{inside}", "x = «{value}»")),
    "operand": Shape(_TEXT.replace("{inside}", "x = («{value}») * 2")),
    "element": Shape(_TEXT.replace("{inside}", "x = [«{value}» for z in (1, x)]")),
    "condition": Shape(_TEXT.replace("{inside}", "x = 1 if «{value}» else 4")),
    "branch": Shape(_TEXT.replace("{inside}", "if x:\n            y = 1\n        elif «{value}»:\n            y = 2")),
    "turn": Shape(_TEXT.replace("{inside}", "while «{value}» < 20 and y < 40:\n            y += 6")),
    "format": Shape(_TEXT.replace("{inside}", 'x = f"{«{value}»}"')),
    "function": Shape(_TEXT.replace("{inside}", "x = (lambda z: «{value}»)(1)")),
    "default": Shape(_TEXT.replace("{inside}", "def h(z=«{value}»):\n            return z\n        x = h()")),
    "second": Shape(_TEXT.replace("{inside}", "x = x and «{value}»")),
    "after": Shape(_TEXT.replace("{inside}", "y = 1; x = «{value}»")),
    "statements": Shape(_TEXT.replace("{inside}", _LINES)),
    "statements in loop": Shape(_TEXT.replace("{inside}", f"for z in (1, 2):\n            {_LINES}")),
    "statements in branch": Shape(_TEXT.replace("{inside}", f"if x:\n            {_LINES}")),
    "statements in try": Shape(
        _TEXT.replace("{inside}", f"try:\n            {_LINES}\n        except Exception:\n            x = 9")
    ),
}
_STATEMENTS = {
    "read": "x = {value}",
    "write": "y = {value}",
    "augment": "x += {value}",
    "field": "self.f = {value}",
    "delete": "del y",
    "loop": "for y in (4, {value}):\n    pass",
    "branch": "if {value}: y = 1",
    "inner": "def h(z):\n    return z\ny = h({value})",
    "catch": "try:\n    y = 1 // {value}\nexcept ZeroDivisionError:\n    y = 0",
    "comprehension": "y = [x for x in (1, x)]",
    "star": "*y, x = {value}, 4",
    "import": "import math as y",
    "leave": "return {value}",
    "go on": "y = {value}; x = y",
    "lines": 'y = """one\n  two"""',
}
_EXPRESSIONS = {
    "one": "1",
    "argument": "x",
    "other": "y",
    "field": "self.f",
    "sum": "{left} + {right}",
    "choice": "({left} if x else {right})",
    "named": "(x := {left})",
    "function": "(lambda: {left})()",
    "loop variable": "z",
    "elements": "sum(z for z in (1, x))",
    "pair": "({left}, {right})[0]",
}
TABLES = Tables(_SHAPES, _STATEMENTS, _EXPRESSIONS)


class Expression(programs.Expression):
    """An expression of such a program."""


class Statement(programs.Statement):
    """A statement of such a program."""


class Program(programs.Program):
    """A program of which a part is extracted."""

    def extract_variable(self):
        """What rope makes of it (see `refactored`)."""
        return refactored(self.modules(TABLES), _of(ExtractVariable))

    def extract_method(self):
        """What rope makes of it (see `refactored`)."""
        return refactored(self.modules(TABLES), _of(ExtractMethod))


def _of(kind):
    def request(project, files, start, end):
        return kind(project, files[0], start, end).get_changes(NEW)

    return request
