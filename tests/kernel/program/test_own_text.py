"""Programs that depend on the layout or the compilation of their text are detected."""

from __future__ import annotations

import pytest

from harness.kernel.program.loader import ModuleText, compile_with_ticks
from harness.kernel.program.own_text import hangs_on_text
from harness.kernel.program.recompile import Recompiler


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
def test_lines_code_and_orders_of_constant_sets_are_told(line: str) -> None:
    assert hangs_on_text(f"def f(n):\n    return n\n{line}\n")


@pytest.mark.parametrize("line", ["found = 1 in {4000, 5000}", "for one in {1}: pass", "pair = {f, 2}", "1 +"])
def test_other_programs_hang_on_nothing(line: str) -> None:
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
def test_a_changed_function_is_as_in_a_module_compiled_whole(source: str, old: str, new: str, call: str) -> None:
    assert outcome(source, old, new, call, is_recompiled=True) == outcome(source, old, new, call, is_recompiled=False)


def test_a_function_that_names_globals_leaves_the_code_around_it_as_it_is() -> None:
    source = "import math\n\nx = 1\n\n\ndef f(n):\n    global x\n    x = n\n\n\ndef g(n):\n    return n\n"
    changed = source.replace("x = 1", "x = 2")
    whole = compile_with_ticks(ModuleText("impl", changed, "impl.py"))
    assert Recompiler(ModuleText("impl", source, "impl.py")).compile(changed).co_code == whole.co_code
