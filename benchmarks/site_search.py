"""A hook of mkdocs: the search of the site leaves decisions out, so that it finds pages for users."""

from __future__ import annotations

from typing import Any


def on_page_markdown(markdown: str, *, page: Any, **_: object) -> str:
    """Take a page about a decision out of the index."""
    if page.file.src_uri.startswith("decisions/"):
        page.meta["search"] = {"exclude": True}
    return markdown
