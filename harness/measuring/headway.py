"""Code shared by all measurements: the reports of headway, and the loading of the implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import TypeVar

from harness.errors import SourceError
from harness.kernel.process.telling import Beats, Teller
from harness.kernel.program.loader import ModuleText, execute

Item = TypeVar("Item")


@dataclass
class Headway:
    """The reports of a measuring process while it works: the task that begins, and its progress."""

    teller: Teller
    beats: Beats
    item_count: int = 0
    """The number of items that `each` has yielded so far."""

    def begins(self, task: str, reached: Callable[[], int] | None = None) -> None:
        """Report that the process begins `task`; `reached` returns its progress (default: items taken from `each`)."""
        self.beats.reached = reached or (lambda: self.item_count)
        self.teller.begins(task)

    def each(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, each of which counts as headway."""
        for item in items:
            self.item_count += 1
            yield item


def load_implementation(
    text: ModuleText, code: Callable[[], CodeType] | None = None, presets: Mapping[str, object] | None = None
) -> ModuleType:
    """Execute the implementation without ticks; `code` compiles it in another way, and may need `presets`.

    Raises:
        SourceError: it does not compile, or raises.
    """
    try:
        return execute(text, code() if code else None, presets)
    except SyntaxError as error:
        raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
    except Exception as error:
        kind = type(error).__name__
        raise SourceError(f"{text.filename} raised {kind} on loading: {error}; correct the source") from None
