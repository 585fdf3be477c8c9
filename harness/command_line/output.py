"""The output of a command: as text or as JSON, with its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from shutil import get_terminal_size
from typing import Any, TextIO

_COLUMNS = 100


@dataclass(frozen=True)
class Screen:
    """The place that text is printed to."""

    width: int

    @classmethod
    def of(cls, stream: TextIO) -> Screen:
        """Return what a stream can show. In a file or a pipe, lines have the same width on every machine."""
        width = get_terminal_size((_COLUMNS, 24)).columns if stream.isatty() else _COLUMNS
        return cls(width)


Text = Callable[[Screen], str]
"""Makes text for a screen. It is called only if text is printed."""


@dataclass(frozen=True)
class Output:
    """The output of a command: `data` is printed as JSON, or `text` without it.

    Attributes:
        is_finding: whether a check failed, which makes the exit status 1.
        failure: what else went wrong, for the last line; it makes the exit status 2.
    """

    data: Any
    text: Text
    is_finding: bool = False
    failure: str = ""

    @classmethod
    def of_lines(cls, data: Any, lines: Iterable[str], is_finding: bool = False, failure: str = "") -> Output:
        """Return the output whose text is these lines."""
        return cls(data, lambda screen: "\n".join(lines), is_finding, failure)

    def above(self, below: Output) -> Output:
        """Return the output with another one below its text, and the data of both."""
        return replace(
            self, data=self.data | below.data, text=lambda screen: f"{self.text(screen)}\n{below.text(screen)}"
        )

    @property
    def exit_status(self) -> int:
        """The exit status of the command."""
        return 1 if self.is_finding else 0

    def write(self, stream: TextIO, as_json: bool) -> None:
        """Print the output."""
        print(json.dumps(self.data, indent=1) if as_json else self.text(Screen.of(stream)), file=stream)
