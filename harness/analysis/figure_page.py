"""Describes the page that figures are drawn for: the width of a figure, and settings of matplotlib."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


@dataclass(frozen=True)
class Page:
    """The place for which figures are drawn.

    Attributes:
        width: the width of a figure in inches; None: as its panels need it.
        style: settings of matplotlib, which replace those of `STYLE`.
    """

    width: float | None = None
    style: Mapping[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> Any:  # Any: as STYLE
        """The settings of matplotlib for this page."""
        return STYLE | dict(self.style)


_ANY_PAGE = Page()
_PAGE: ContextVar[Page] = ContextVar("page", default=_ANY_PAGE)


def current_page() -> Page:
    """Return the page for which figures are drawn at present."""
    return _PAGE.get()


@contextmanager
def drawn_for(page: Page) -> Iterator[None]:
    """Draw and write all figures of the block for a page."""
    token = _PAGE.set(page)
    try:
        yield
    finally:
        _PAGE.reset(token)


def style_of(file: Path) -> dict[str, Any]:
    """Read a style file of matplotlib.

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
    return dict(settings)
