"""One copy of a program, with its companion modules, among the copies that one process loads."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.loader import ModuleText, compile_with_ticks, execute_with_ticks
from harness.kernel.program.steps import StepCounter


@dataclass
class Program:
    """A loaded program: its module, and the modules that imports within its functions are to find.

    `chance` is the state of `random`, if it may draw.
    """

    module: ModuleType
    companions: dict[str, ModuleType]
    text: ModuleText
    counter: StepCounter
    code: CodeType
    chance: Any

    @classmethod
    def of(cls, text: ModuleText, counter: StepCounter, code: CodeType | None = None) -> Program:
        """Load a copy of a program."""
        code = compile_with_ticks(text) if code is None else code
        module = execute_with_ticks(text, counter, code)
        draws = any("random" in each.source for each in (text, *text.companions))
        chance = random.getstate() if draws else None
        return cls(module, _loaded(text), text, counter, code, chance)

    def afresh(self) -> Program:
        """Return the program as it was loaded, before it did anything."""
        self.counter.start(ENDLESS)
        return Program.of(self.text, self.counter, self.code)

    @contextmanager
    def in_place(self) -> Iterator[ModuleType]:
        """Have `sys.modules` name this copy's companions within the block, and `random` go on as this copy left it."""
        for name in _loaded(self.text):
            del sys.modules[name]
        sys.modules.update(self.companions)
        if self.chance is not None:
            random.setstate(self.chance)
        try:
            yield self.module
        finally:
            self.companions = _loaded(self.text)  # with those that its functions have imported
            if self.chance is not None:
                self.chance = random.getstate()


def _loaded(text: ModuleText) -> dict[str, ModuleType]:
    """Return the modules of a program of several files that are in `sys.modules`, by their names."""
    names = [text.name, *(companion.name for companion in text.companions)] if text.companions else []
    return {name: sys.modules[name] for name in names if name in sys.modules}
