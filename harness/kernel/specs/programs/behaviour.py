"""Observes a program of a few modules: the values that its function `run` passes out, within a number of steps."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from harness.kernel.program.steps import TICK, step_counter, with_ticks
from harness.model.literals import displayed

MOST_STEPS = 10_000
"""The number of function entries and turns of loops after which a program is taken to be endless."""

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_Modules = Sequence[tuple[str, str]]


def behaviour(modules: _Modules) -> tuple[str, ...]:
    """Return the values that the last module's `run(out)` passes to `out`, as texts, and last the exception, if any.

    Args:
        modules: names and texts; each may import those before it.

    Values are shown as literals, objects only by their types. A program that does not end has `endless` as the last
    text, even if it has caught the exception that ends it.

    Raises:
        SyntaxError: a module does not parse or compile.
    """
    codes = [(name, _compiled(name, text)) for name, text in modules]
    counter = step_counter()
    counter.start(MOST_STEPS)
    seen: list[str] = []
    end: list[str] = []
    with _named([name for name, _ in modules]) as loaded:
        try:
            for name, code in codes:
                vars(loaded[name])[TICK] = counter.tick
                exec(code, vars(loaded[name]))
            loaded[modules[-1][0]].run(lambda *values: seen.append(value_text(values)))
        except BaseException as error:
            end = [f"raises {type(error).__name__}"]
    return (*seen, *(["endless"] if counter.spent() > MOST_STEPS else end))


@contextmanager
def _named(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Provide empty modules of these names, which `sys.modules` has within the block."""
    loaded: dict[str, Any] = {name: ModuleType(name) for name in names}
    before = {name: sys.modules[name] for name in names if name in sys.modules}
    sys.modules.update(loaded)
    try:
        yield loaded
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(before)


def value_text(value: Any) -> str:
    """Return a value as text that depends on no address: literals as such, other objects by type."""
    if type(value) in _PLAIN:
        return repr(value)
    return displayed(value, value_text) or f"<{type(value).__name__}>"


def _compiled(name: str, text: str) -> Any:
    filename = f"<{name}>"
    return compile(with_ticks(text, filename), filename, "exec", dont_inherit=True)
