"""Modules are executed from their text, beside the interpreter's own, and no program escapes its budget of steps."""

from __future__ import annotations

import heapq
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import SpecError
from harness.kernel.program.code_reading import codes_of, global_loads
from harness.kernel.program.loader import (
    DRIVER,
    ModuleText,
    StepCounter,
    StepLimit,
    execute,
    execute_with_ticks,
    resolve,
    step_counter,
)


def heapq_text(blocked: tuple[str, ...]) -> ModuleText:
    return ModuleText("heapq", Path(heapq.__file__).read_text(encoding="utf-8"), heapq.__file__, blocked)


def test_a_blocked_import_leaves_the_pure_python_functions():
    assert type(execute(heapq_text(())).heappush).__name__ == "builtin_function_or_method"
    assert type(execute(heapq_text(("_heapq",))).heappush).__name__ == "function"


def test_the_interpreters_own_modules_stay_as_they_were():
    before = {name: sys.modules.get(name) for name in ("heapq", "_heapq")}
    execute(heapq_text(("_heapq",)))
    assert {name: sys.modules.get(name) for name in ("heapq", "_heapq")} == before


def test_dataclasses_find_their_module_while_it_loads():
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 0\n"
    )
    assert execute(ModuleText("impl", source, "impl.py")).P(3).x == 3
    assert "impl" not in sys.modules


def test_a_name_that_is_not_there_is_a_spec_error_that_names_it():
    module = execute(ModuleText("impl", "class A:\n    class B: pass\n", "impl.py"))
    assert resolve(module, "A.B") is module.A.B
    with pytest.raises(SpecError, match=r"'A\.C'.*impl\.py has no such"):
        resolve(module, "A.C")


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A package that re-exports a class of its module `stock`, which imports its neighbour `prices`."""
    folder = tmp_path / "mutascope_shop"
    folder.mkdir()
    (folder / "__init__.py").write_text("from .stock import Stock\n")
    (folder / "stock.py").write_text("from .prices import price\nclass Stock:\n    price = price\n")
    (folder / "prices.py").write_text("price = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    forget("mutascope_shop")


def forget(*packages: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


def text_of(path: Path, name: str) -> ModuleText:
    return ModuleText(name, path.read_text(encoding="utf-8"), str(path))


def test_a_module_that_its_own_package_re_exports_is_executed_beside_the_installed_one(shop):
    text = text_of(shop / "stock.py", "mutascope_shop.stock")
    fresh = execute(replace(text, source=text.source.replace("= price", "= price + 1")))
    installed = sys.modules["mutascope_shop.stock"]
    assert (fresh.Stock.price, installed.Stock.price) == (4, 3)
    assert sys.modules["mutascope_shop"].Stock is installed.Stock


def test_a_package_itself_finds_its_modules(shop):
    fresh = execute(text_of(shop / "__init__.py", "mutascope_shop"))
    assert (fresh.Stock.price, fresh.__package__) == (3, "mutascope_shop")


def test_companions_are_executed_anew_with_each_module():
    prices = ModuleText("own_prices", "import own_stock\ndef price(): return own_stock.base\n", "own_prices.py")
    text = ModuleText("own_stock", "import own_prices\nbase = 1\n", "own_stock.py", companions=(prices,))
    modules = [execute(replace(text, source=text.source.replace("1", str(base)))) for base in (1, 2)]
    assert [module.own_prices.price() for module in modules] == [1, 2]
    assert modules[0].own_prices is not modules[1].own_prices
    forget("own_prices", "own_stock")


def test_companions_spend_steps():
    counter = step_counter()
    prices = ModuleText("own_prices", "def price():\n    for _ in range(5): pass\n", "own_prices.py")
    text = ModuleText("own_stock", "from own_prices import price\n", "own_stock.py", companions=(prices,))
    module = execute_with_ticks(text, counter)
    counter.start(100)
    module.price()
    assert counter.spent() == 6
    forget("own_prices", "own_stock")


CALLED = ModuleText("xml.sax.saxutils", "def escape(text):\n    return text + '!'\n", "saxutils.py")
CALLER = ModuleText(DRIVER, "from xml.sax.saxutils import escape\n\ndef call():\n    return escape('a')\n", "driver.py")


@pytest.fixture
def _modules_as_before(monkeypatch):
    import xml.sax.saxutils as own

    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "modules", sys.modules)
    monkeypatch.setitem(sys.modules, "xml.sax.saxutils", own)
    monkeypatch.setattr(sys.modules["xml.sax"], "saxutils", own)


@pytest.mark.usefixtures("_modules_as_before")
def test_the_driver_is_what_is_loaded_and_calls_the_text_at_hand():
    text = replace(CALLED, companions=(CALLER,))
    assert execute(text).call() == "a!"
    assert execute(replace(text, source=text.source.replace("!", "?"))).call() == "a?"


def test_globals_are_read_off_code_with_more_names_than_a_byte_counts():
    names = "".join(f"    x = n{number}\n" for number in range(300))
    _, long = codes_of(compile(f"def long():\n{names}    return last()\n", "long.py", "exec"))
    assert global_loads(long) == {*((f"n{number}", False) for number in range(300)), ("last", True)}


def load(source: str) -> tuple[object, StepCounter]:
    counter = step_counter()
    counter.start(1_000_000)
    return execute_with_ticks(ModuleText("program", source, "program.py"), counter), counter


@given(st.integers(0, 30), st.integers(0, 5))
@settings(derandomize=True, max_examples=30)
def test_steps_are_function_entries_and_loop_iterations(outer, inner):
    module, counter = load("def f(n, m):\n    for _ in range(n):\n        for _ in range(m):\n            pass\n")
    counter.start(10_000)
    module.f(outer, inner)
    assert counter.spent() == 1 + outer + outer * inner


@pytest.mark.parametrize(
    ("body", "steps"),
    [
        ("return [x for x in range(4)]", 5),
        ("return sum(x for x in range(3) if x)", 4),
        ("return {x: y for x in range(2) for y in range(2)}", 7),
        ("return (lambda x: x)(1)", 2),
        ("return list(map(lambda x: x, range(3)))", 4),
    ],
)
def test_comprehensions_and_lambdas_spend_steps(body, steps):
    module, counter = load(f"def f():\n    {body}\n")
    counter.start(100)
    module.f()
    assert counter.spent() == steps


@pytest.mark.parametrize("handler", ["except Exception", "except BaseException", "except"])
def test_a_program_that_catches_everything_in_an_endless_loop_still_stops(handler):
    module, counter = load(
        f"def f():\n    while True:\n        try:\n            f()\n        {handler}:\n            pass\n"
    )
    counter.start(50)
    with pytest.raises(StepLimit):
        module.f()


def test_a_spent_budget_stays_spent():
    module, counter = load(
        "def g():\n    pass\ndef f():\n    try:\n        g()\n    except BaseException:\n        return 1\n"
    )
    counter.start(1)
    assert module.f() == 1
    assert counter.spent() > 1


def test_docstrings_survive_ticks():
    module, _ = load('def f():\n    """Says what."""\n    return 1\n')
    assert module.f.__doc__ == "Says what."


def test_ticks_keep_line_numbers():
    module, _ = load("def f():\n    x = 1\n    raise ValueError(7)\n")
    with pytest.raises(ValueError, match="7") as caught:
        module.f()
    assert caught.traceback[-1].lineno == 2
