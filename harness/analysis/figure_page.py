"""Describes the page that figures are drawn for: the width of a figure, and settings of matplotlib."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl

from harness.errors import UsageError

STYLE: Any = {  # Any: matplotlib's own type for it changes between versions.
    "svg.hashsalt": "mutascope",
    "font.family": "DejaVu Sans",  # Ships with matplotlib: the same glyphs everywhere.
    "font.size": 9,
    "axes.titlesize": 9,
    "pdf.fonttype": 42,  # Embeds fonts as TrueType, as publishers ask for.
    "axes.axisbelow": True,  # Else grid lines cut through the markers of printed values.
}


class Page(NamedTuple):
    """The place for which figures are drawn.

    Attributes:
        width: the width of a figure in inches; None: as its panels need it.
        settings: settings of matplotlib.
    """

    width: float | None = None
    settings: Any = STYLE


_ANY_PAGE = Page()
PAGE: ContextVar[Page] = ContextVar("page", default=_ANY_PAGE)
"""The page for which figures are drawn at present."""


@contextmanager
def drawn_for(page: Page) -> Iterator[None]:
    """Draw and write all figures of the block for a page."""
    token = PAGE.set(page)
    try:
        yield
    finally:
        PAGE.reset(token)


def style_of(file: Path) -> Any:  # Any: as STYLE
    """Return STYLE with the settings of a style file of matplotlib in place of its own.

    Raises:
        UsageError: the file cannot be read, or has a line that matplotlib does not understand.
    """
    complaints: list[str] = []
    logger = logging.getLogger("matplotlib")
    listener = logging.Handler(logging.WARNING)
    listener.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(listener)
    propagates, logger.propagate = logger.propagate, False
    try:
        settings: Any = mpl.rc_params_from_file(file, use_default_template=False)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"{file}: cannot be read ({reason}); name a style file of matplotlib") from None
    finally:
        logger.propagate = propagates
        logger.removeHandler(listener)
    if complaints:
        raise UsageError(
            f"{file}: no style file of matplotlib ({complaints[0].strip().splitlines()[0]}); correct this line"
        )
    return STYLE | dict(settings)
