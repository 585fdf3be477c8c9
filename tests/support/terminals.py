"""A terminal, on which programs show how far they are and people type."""

import io
from collections.abc import Callable


class Terminal(io.StringIO):
    """A terminal on which answers were typed.

    Args:
        typed: the answers.
        on_text: called with each text that is written; what it raises happens to the one that writes.
    """

    def __init__(self, typed: str = "", on_text: Callable[[str], object] = len) -> None:
        super().__init__(typed)
        self._on_text = on_text

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        written = super().write(text)
        self._on_text(text)
        return written
