"""Encapsulate field: programs with a field, and rope's refactoring of it (ASTGen's cases of field_exhaustive2016)."""

import programs
from programs import Shape, Tables, refactored
from rope.refactor.encapsulate_field import EncapsulateField

_SINGLE = """class A:
{declared}
{more}
    def m(self, x):
        {body}
        return x


def run(out):
    a = A()
    for x in (0, 3):
        out(a.m(x))
        out(a.{seen})
"""
_DOUBLE = """class A:
    def __init__(self):
        self.«f = 2


class B{base}:
    def __init__(self):
        {made}

    def m(self, x):
        {local}
        {body}
        return x


def run(out):
    b = B()
    for x in (0, 3):
        out(b.m(x))
"""
_IMPORTED = {
    "one": "class A:\n    def __init__(self):\n        self.«f = 2\n",
    "two": "from one import A\n" + _DOUBLE.partition("\n\n\n")[2],
}
_IN_INIT = "    def __init__(self):\n        self.«f = 2\n"
_TWO = "    def __init__(self):\n        self.«f = 2\n        self.{other} = 7\n"


def _single(declared, more="", **names):
    """A class with a field, and a method that uses it."""
    return Shape(_SINGLE, **({"declared": declared, "more": more, "f": "self.f", "seen": "f"} | names))


def _double(text=_DOUBLE, **names):
    """A class with a field, and another one with a method that uses it."""
    return Shape(text, **({"base": "", "made": "self.a = A()", "local": "a = self.a"} | names))


_SHAPES = {
    "instance": _single(_IN_INIT),
    "class": _single("    «f = 2\n"),
    "by class": _single("    «f = 2\n", f="A.f"),
    "getter": _single(_IN_INIT, "    def get_f(self):\n        return -1\n", seen="get_f()"),
    "slots": _single('    __slots__ = ("f",)\n\n' + _IN_INIT),
    "subclass": _double(base="(A)", made="super().__init__()", local="pass", f="self.f"),
    "subclass getter": _double(
        _DOUBLE.replace("    def m(", "    def get_f(self):\n        return -1\n\n    def m("),
        base="(A)", made="super().__init__()", local="pass", f="self.f",
    ),
    "holder": _double(local="pass", f="self.a.f"),
    "local": _double(made="pass", local="a = A()", f="a.f"),
    "imported": _double(_IMPORTED, made="self.a = A()", local="pass", f="self.a.f"),
    "imported subclass": _double(_IMPORTED, base="(A)", made="super().__init__()", local="pass", f="self.f"),
    "list": _single("    def __init__(self):\n        self.«f = [2, 5]\n"),
    "class list": _single("    «f = [2, 5]\n"),
    "two": _single(_TWO, f="self.f", g="self.g", other="g"),
    "two alike": _single(_TWO, f="self.f", g="self.f2", other="f2"),
    "two accessors": _single(_TWO, f="self.f", g="self.get_f", other="get_f"),
}  # fmt: skip
_STATEMENTS = {
    "read": "x = {value}",
    "write": "{f} = {value}",
    "augment": "{f} *= {value}",
    "chain": "x = {f} = {value}",
    "delete": "del {f}",
    "loop": "for {f} in ({value}, 4):\n    pass",
    "annotate": "{f}: int = {value}",
    "comment": "{f} = {value}  # set",
    "semicolon": "{f} = {value}; x = 5",
    "bracket": "[{f}] = [{value}]",
    "unpack": "{f}, x = {value}, 4",
    "format": 'x = f"{{f}}"',
    "write other": "{g} = {value}",
    "exchange": "{f}, {g} = {g}, {f}",
    "alias": "x = {f}",
    "write element": "{f}[0] = {value}",
    "augment element": "{f}[-1] *= {value}",
    "delete element": "del {f}[0]",
    "append": "{f}.append({value})",
    "extend": "{f} += [{value}]",
    "unpack list": "x, *{f} = {value}, 4, 6",
}
_EXPRESSIONS = {
    "one": "1",
    "argument": "x",
    "field": "{f}",
    "other": "{g}",
    "element": "{f}[0]",
    "slice": "len({f}[1:])",
    "elements": "sum(y for y in {f})",
    "sum": "{left} + {right}",
    "choice": "{left} if x else {right}",
    "called": "(lambda: {left})()",
}
TABLES = Tables(_SHAPES, _STATEMENTS, _EXPRESSIONS)


class Expression(programs.Expression):
    """An expression of such a program."""


class Statement(programs.Statement):
    """A statement of such a program."""


class Program(programs.Program):
    """A program whose field `f` is encapsulated."""

    def refactor(self):
        """What rope makes of it (see `refactored`)."""
        return refactored(self.modules(TABLES), _encapsulated)


def _encapsulated(project, files, start, _end):
    return EncapsulateField(project, files[0], start).get_changes(resources=files)
