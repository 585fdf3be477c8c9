"""Finds programs that may leave something in their module, to be put back before the next input.

A mutant is run on the inputs that may infect it (`harness.kernel.running.probing`). On others it does the same as the
original if both begin alike. So a mutant of which something cannot be put back is run on all inputs, in order and in
one process.
"""

from __future__ import annotations

from functools import cached_property
from types import CodeType, ModuleType

from harness.kernel.judging.isolation import IsolatedProgram
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.program.loader import ModuleText
from harness.kernel.running.job import MutantOrder


class StateLeakDetector:
    """The state leaks of one program and its mutants.

    Args:
        text: the program; `code` is the text compiled, and `module` was made of that.

    Attributes:
        module: the program, loaded.
    """

    def __init__(self, text: ModuleText, code: CodeType, module: ModuleType) -> None:
        self._text = text
        self._code = code
        self.module = module

    @cached_property
    def program(self) -> IsolatedProgram:
        """The program, as far as a check of its text and code shows."""
        return IsolatedProgram(self._text.source, self._code, self.module)

    def of_original(self, module: ModuleType) -> ModuleState | None:
        """Return the state of the original, loaded as `module`; None if it is known to leave nothing."""
        return None if self._is_closed else ModuleState(module)

    def of_mutant(self, order: MutantOrder, code: CodeType | None, module: ModuleType) -> ModuleState | None:
        """Return the state of a mutant, compiled to `code`; None if it is known to leave nothing."""
        return None if self._is_closed and self._stays_closed(order, code, module) else ModuleState(module)

    def _stays_closed(self, order: MutantOrder, code: CodeType | None, module: ModuleType) -> bool:
        if code is None:
            return False
        changed = [] if order.source is None else self.program.changed(code)
        return changed is not None and self.program.holds_with(changed, module)

    @property
    def _is_closed(self) -> bool:
        return not self._text.companions and self.program.holds
