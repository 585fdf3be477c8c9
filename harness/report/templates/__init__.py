"""The templates of the written files, as resources of the package."""

from __future__ import annotations

import jinja2

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("harness.report", "templates"),
    autoescape=lambda name: name is not None and ".html" in name,  # noqa: S701 (Python is no HTML)
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=jinja2.StrictUndefined,
)


def template(name: str) -> jinja2.Template:
    """Return the template of that file name; HTML is escaped, Python is not."""
    return _ENVIRONMENT.get_template(name)
