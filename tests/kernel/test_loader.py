"""Modules are executed from their text, beside the interpreter's own."""

import heapq
import sys
from pathlib import Path

import pytest

from harness.errors import SpecError
from harness.kernel.loader import ModuleText, execute, resolve


def heapq_text(blocked: tuple[str, ...]) -> ModuleText:
    return ModuleText("heapq", Path(heapq.__file__).read_text(), heapq.__file__, blocked)


def test_a_blocked_import_leaves_the_pure_python_functions() -> None:
    assert type(execute(heapq_text(())).heappush).__name__ == "builtin_function_or_method"
    assert type(execute(heapq_text(("_heapq",))).heappush).__name__ == "function"


def test_the_interpreters_own_modules_stay_as_they_were() -> None:
    before = {name: sys.modules.get(name) for name in ("heapq", "_heapq")}
    execute(heapq_text(("_heapq",)))
    assert {name: sys.modules.get(name) for name in ("heapq", "_heapq")} == before


def test_dataclasses_find_their_module_while_it_loads() -> None:
    source = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 0\n"
    )
    assert execute(ModuleText("impl", source, "impl.py")).P(3).x == 3
    assert "impl" not in sys.modules


def test_a_name_that_is_not_there_is_a_spec_error_that_names_it() -> None:
    module = execute(ModuleText("impl", "class A:\n    class B: pass\n", "impl.py"))
    assert resolve(module, "A.B") is module.A.B
    with pytest.raises(SpecError, match=r"'A\.C'.*impl\.py has no such"):
        resolve(module, "A.C")
