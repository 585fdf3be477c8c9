"""Modules are executed from their text, beside the interpreter's own."""

import heapq
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import SpecError
from harness.kernel.program.loader import DRIVER, ModuleText, execute, execute_with_ticks, resolve, step_counter


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
