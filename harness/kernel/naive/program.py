"""One copy of a program, with its companion modules, among the copies that one process loads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, ModuleType

from harness.kernel.naive.keeping import keeps_state
from harness.kernel.naive.words import ENDLESS
from harness.kernel.program.loader import ModuleText, compile_with_ticks, execute_with_ticks
from harness.kernel.program.steps import StepCounter


@dataclass(frozen=True)
class Program:
    """A loaded program: its module, and the modules that imports within its functions are to find.

    `keeps`: whether it may keep something outside of its objects.
    """

    module: ModuleType
    companions: Mapping[str, ModuleType]
    text: ModuleText
    counter: StepCounter
    code: CodeType
    keeps: bool

    @classmethod
    def of(
        cls, text: ModuleText, counter: StepCounter, code: CodeType | None = None, keeps: bool | None = None
    ) -> Program:
        """Load a copy of a program."""
        code = compile_with_ticks(text) if code is None else code
        module = execute_with_ticks(text, counter, code)
        names = [text.name, *(companion.name for companion in text.companions)] if text.companions else []
        companions = {name: sys.modules[name] for name in names if name in sys.modules}
        return cls(module, companions, text, counter, code, keeps_state(text) if keeps is None else keeps)

    def afresh(self) -> Program:
        """Return the program as it was loaded, before it did anything."""
        if not self.keeps:
            return self
        self.counter.start(ENDLESS)
        return Program.of(self.text, self.counter, self.code, self.keeps)

    @contextmanager
    def in_place(self) -> Iterator[ModuleType]:
        """Have `sys.modules` name this copy's companions within the block."""
        sys.modules.update(self.companions)
        yield self.module
