"""One copy of a program, with its companion modules, among the copies that one process loads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, ModuleType

from harness.kernel.program.loader import ModuleText, execute_with_ticks
from harness.kernel.program.steps import StepCounter


@dataclass(frozen=True)
class Program:
    """A loaded program: its module, and the modules that imports within its functions are to find."""

    module: ModuleType
    companions: Mapping[str, ModuleType]

    @classmethod
    def of(cls, text: ModuleText, counter: StepCounter, code: CodeType | None = None) -> Program:
        """Load a copy of a program."""
        module = execute_with_ticks(text, counter, code)
        names = [text.name, *(companion.name for companion in text.companions)] if text.companions else []
        return cls(module, {name: sys.modules[name] for name in names if name in sys.modules})

    @contextmanager
    def in_place(self) -> Iterator[ModuleType]:
        """Have `sys.modules` name this copy's companions within the block."""
        sys.modules.update(self.companions)
        yield self.module
