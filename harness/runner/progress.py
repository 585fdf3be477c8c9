"""Progress on a terminal; silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[], None]


@contextmanager
def progress_bar(description: str, total: int, done: int = 0) -> Iterator[Advance]:
    """Show a bar on standard error if that is a terminal. Calls of the yielded function advance it by one."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=total, initial=done, desc=description, file=sys.stderr, leave=False, unit="mutant") as bar:

        def advance() -> None:
            bar.update()

        yield advance


@contextmanager
def progress_count(description: str) -> Iterator[Callable[[str], None]]:
    """Show a line on standard error, if that is a terminal, with the progress of work of unknown length."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from tqdm import tqdm

    with tqdm(desc=description, file=sys.stderr, leave=False, bar_format="{desc}{postfix} [{elapsed}]") as bar:
        yield lambda text: bar.set_postfix_str(text, refresh=True)
