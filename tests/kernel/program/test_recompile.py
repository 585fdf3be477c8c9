"""A mutant compiled quickly has, to the byte, the code that compiling all of it gives."""

import ast
import marshal
from collections.abc import Iterator
from types import CodeType

import pytest
from support.subjects import UNLIKE, load_subject
from support.sweeps import WHOLE

from harness.kernel.program.code_reading import hangs_on_text
from harness.kernel.program.loader import ModuleText, compile_with_ticks
from harness.kernel.program.recompile import Recompiler
from harness.kernel.program.splice import mutated_source
from harness.resources import subject_folders
from harness.runner.mutant_set import mutant_set

SOURCE = '''
"""A module."""
LIMIT = 3

def free(n):
    return n + LIMIT

class Base:
    def f(self, n=LIMIT):
        """Doc."""
        return n

    class Inner:
        def g(self):
            return [x for x in range(3) if x]

    def stores(self, other):
        self.a = other.b = self.c.d = 1
        self.e += 1
        for self.g, [*self.h] in ():
            del self.i
        def within(self):
            self.j = 1

class Derived(Base):
    def f(self, n=1):
        return super().f(n) + self.__hidden

    @staticmethod
    def h(a: int) -> int:
        def within():
            return a
        return within()

    async def k(self):
        yield lambda: self

    def f(self, n=2):
        return n

if LIMIT:
    def free(n):
        return n - LIMIT

def short(n=3): return n

class Last:
    @property
    def less(self):
        return -1

    async def waits(self): # one
        pass
'''

CHANGES = [
    ("n + LIMIT", "n * LIMIT"), ("LIMIT = 3", "LIMIT = 4"), ("n=LIMIT", "n=free(1)"), ("return n\n", "return -n\n"),
    ("if x]", "if not x]"), ("super().f(n)", "super().f(-n)"), ("n=1", "n=super"), ("return a\n", "return a or 1\n"),
    ("-> int", "-> str"), ("lambda: self", "lambda: None"), ("n - LIMIT", "n\n    LIMIT"), ("@static", "@class"),
    ("class Derived(Base)", "class Derived"), ("n=2", "n=3"), ("f(self, n=2)", "g(self, n=2)"),
    ("LIMIT = 3", "LIMIT = 3"), ("short(n=3): return n", "short(n=4): return n"),
    ("    return n\n", "    return self\n"),
    ("self.a = other", "self.z = other"), ("return -1", "return __class__"), ("return -1", "return super"),
    ("return -1", "return lambda: __class__"), ("return -1", "return -1, 2,"),
    ("pass", "yield self.__hidden"),
]  # fmt: skip


def assert_same_code(recompiler: Recompiler, text: ModuleText, source: str) -> None:
    whole = compile_with_ticks(ModuleText(text.name, source, text.filename))
    quick = recompiler.compile(source)
    # Without references, which tell what happens to be shared.
    assert marshal.dumps(quick, 2) == marshal.dumps(whole, 2)
    assert shared_constants(quick) == shared_constants(whole)


def shared_constants(code: CodeType) -> list[int]:
    """Return, for each constant and each part of one, in order, the place of the first one that is the same object."""
    first: dict[int, int] = {}
    constants = list(constants_of(code))
    return [first.setdefault(id(constant), place) for place, constant in enumerate(constants)]


def constants_of(code: CodeType) -> Iterator[object]:
    """Yield the constants, but instead of code its constants, and none of those within sets."""
    parts = list(code.co_consts)
    while parts:
        part = parts.pop(0)
        if isinstance(part, CodeType):
            yield from constants_of(part)
        else:
            yield part
            parts[:0] = part if isinstance(part, tuple) else ()


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_whatever_is_changed_the_code_is_the_same(old, new):
    text = ModuleText("impl", SOURCE, "impl.py")
    assert old in SOURCE
    assert_same_code(Recompiler(text), text, SOURCE.replace(old, new, 1))


@pytest.mark.parametrize("name", [name for name in subject_folders() if WHOLE or name in UNLIKE])
def test_the_mutants_of_all_subjects_are_compiled_the_same(name):
    subject, _ = load_subject(name)
    text = ModuleText(subject.module, subject.source, "impl.py")
    recompiler = Recompiler(text)
    for mutant in mutant_set(subject).mutants[::9]:
        assert_same_code(recompiler, text, mutated_source(subject.source, mutant))


def test_what_does_not_compile_is_refused():
    recompiler = Recompiler(ModuleText("impl", SOURCE, "impl.py"))
    for source in (SOURCE.replace("n + LIMIT", "n +"), SOURCE.replace("return n\n", "break\n")):
        with pytest.raises(SyntaxError):
            recompiler.compile(source)


def test_a_function_whose_last_statement_is_blanked_is_another_function():
    source = "class A:\n    def f(self):\n        self.n = 1\n        return 2\n\n\ndef last():\n    return 3\n"
    text = ModuleText("impl", source, "impl.py")
    for end in ("", "        ", "        # gone"):
        assert_same_code(Recompiler(text), text, source.replace("        return 2", end))


def test_functions_that_call_what_the_module_imports_are_compiled_the_same():
    source = "import math\nimport os.path as path\n\n\ndef f(n):\n    return math.sqrt(n) + path.sep.count(n) + 10\n"
    text = ModuleText("impl", source, "impl.py")
    for old, new in (("sqrt", "exp"), ("+ 10", "- 10"), ("+ 10", "+ 1 # c"), ("+ 10", "+ 100")):
        assert_same_code(Recompiler(text), text, source.replace(old, new))


def test_equal_constants_are_as_many_objects_as_in_one_compilation():
    source = """
TEXT = "some text"


def one(a):
    a = a + 1
    return "some text", 1000, (1000, "a b"), 2.5, -0.0, b"1", 3j, lambda: ("new text", 1e9)


def other(a):
    a = a + 1
    return "some text", 1000, (1000, "a b"), (2000, ("new text",)), 2.5, 0.0, b"1", 3j, a in {4000, 5000}
"""
    text = ModuleText("impl", source, "impl.py")
    recompiler = Recompiler(text)
    for at in (source.index("a + 1"), source.rindex("a + 1")):
        for new in (
            "2000",
            "(1000, 'a b')",
            "(2000, (1000, 'a b'))",
            "((1e9, -0.0), (1e9, -0.0))",
            "lambda: 'other x'",
        ):
            assert_same_code(recompiler, text, f"{source[:at]}{new}{source[at + 5 :]}")
            assert_same_code(recompiler, text, f"{source[:at]}a{source[at + 5 :]}".replace("some text", new, 1))


def test_a_function_with_a_docstring_is_compiled_alone_where_objects_are_compared(monkeypatch):
    source = 'def f(a, b):\n    """What it does."""\n    return a is b\n\n\ndef g(a):\n    return a + 1000\n'
    recompiler = Recompiler(ModuleText("impl", "\n\n" + source, "impl.py"))
    parsed: list[str] = []
    parse = ast.parse
    monkeypatch.setattr(ast, "parse", lambda text, *more: (parsed.append(text), parse(text, *more))[1])
    recompiler.compile("\n\n" + source.replace("a is b", "b is a"))
    assert parsed
    assert not any("1000" in text for text in parsed)


@pytest.mark.parametrize(
    "line",
    [
        "import sys; line = sys._getframe().f_lineno",
        "size = len(f.__code__.co_code)",
        "code = getattr(f, '__code__')",
        "from inspect import getsource",
        "for one in {4000, 5000}: pass",
        "mixed = {1, 2, 3}",
    ],
)
def test_lines_code_and_orders_of_constant_sets_are_told(line):
    assert hangs_on_text(f"def f(n):\n    return n\n{line}\n")


@pytest.mark.parametrize("line", ["found = 1 in {4000, 5000}", "for one in {1}: pass", "pair = {f, 2}", "1 +"])
def test_other_programs_hang_on_nothing(line):
    assert not hangs_on_text(f"def f(n):\n    return n\n{line}\n")


SETS = """import math


def first(n):
    for one in {0, 8}:
        return one


def last(n):
    for one in {8, 0}:
        return one


def known(n):
    return n in (4000, 5000)
"""
FLUFL = "from __future__ import barry_as_FLUFL\n\n\n\ndef f(n):\n    return n < 1\n"


def outcome(source: str, old: str, new: str, call: str, is_recompiled: bool) -> object:
    """Return the result of a call with one thing changed: compiled quickly, or whole."""
    assert source.count(old) == 1
    changed = ModuleText("impl", source.replace(old, new), "impl.py")
    try:
        recompiler = Recompiler(ModuleText("impl", source, "impl.py"))
        code = recompiler.compile(changed.source) if is_recompiled else compile_with_ticks(changed)
    except SyntaxError:
        return SyntaxError
    names: dict[str, object] = {"__mutascope_tick__": int}
    exec(code, names)
    return eval(call, names)


@pytest.mark.parametrize(
    ("source", "old", "new", "call"),
    [
        (SETS, "{0, 8}", "{0, 9}", "first(1), last(1)"),
        (SETS.replace("{8, 0}", "{8, n}"), "{8, n}", "{8, 0}", "first(1), last(1)"),
        (SETS.replace("{0, 8}", "(0, 8)").replace("{8, 0}", "{8, 0}"), "n in (4000, 5000)", "n in {0, 8}", "last(1)"),
        (FLUFL, "n < 1", "n != 1", "f(3)"),
    ],
)
def test_a_changed_function_is_as_in_a_module_compiled_whole(source, old, new, call):
    assert outcome(source, old, new, call, is_recompiled=True) == outcome(source, old, new, call, is_recompiled=False)


def test_a_function_that_names_globals_leaves_the_code_around_it_as_it_is():
    source = "import math\n\nx = 1\n\n\ndef f(n):\n    global x\n    x = n\n\n\ndef g(n):\n    return n\n"
    changed = source.replace("x = 1", "x = 2")
    whole = compile_with_ticks(ModuleText("impl", changed, "impl.py"))
    assert Recompiler(ModuleText("impl", source, "impl.py")).compile(changed).co_code == whole.co_code
