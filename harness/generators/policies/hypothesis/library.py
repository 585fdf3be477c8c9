"""The library Hypothesis, as its generators use it; it is imported only by their runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

from harness.errors import UsageError


def version() -> str:
    """Return the version of a generator, which includes that of Hypothesis."""
    try:
        return f"2 of hypothesis {metadata.version('hypothesis')}"
    except metadata.PackageNotFoundError:
        return "2"


def check_installed(generator: str) -> None:
    """Refuse to run a generator without Hypothesis.

    Raises:
        UsageError: Hypothesis is not installed.
    """
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        raise UsageError(
            f"the generator {generator} needs the package hypothesis: pip install 'mutascope[hypothesis]'"
        ) from None


def drawing(**limits: Any) -> Any:
    """Return the settings of a run that only draws, within limits."""
    from hypothesis import HealthCheck, Phase, settings

    return settings(
        phases=[Phase.generate], suppress_health_check=list(HealthCheck), database=None, deadline=None, **limits
    )


@contextmanager
def without_local_constants() -> Iterator[None]:
    """Make Hypothesis draw no constants of the modules that happen to be loaded within the block.

    Otherwise the drawn values would depend on how this package is installed. Hypothesis would also parse the whole
    package and write its constants to a folder `.hypothesis`. A version without such constants is left as it is.
    """
    from hypothesis.internal.conjecture import providers

    name = "_get_local_constants"
    if not hasattr(providers, name) or not hasattr(providers, "Constants"):
        yield
        return
    before, none = getattr(providers, name), providers.Constants()
    setattr(providers, name, lambda: none)
    try:
        yield
    finally:
        setattr(providers, name, before)
