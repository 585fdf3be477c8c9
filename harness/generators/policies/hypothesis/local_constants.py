"""What Hypothesis draws besides random values: constants of the modules that are loaded, which are kept from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_local_constants() -> Iterator[None]:
    """Has Hypothesis draw no constants of the modules that happen to be loaded.

    Else what is drawn would hang on how this package is installed, and Hypothesis would parse all of it and write
    what it finds to a folder `.hypothesis`. A version of Hypothesis without such constants is left as it is.
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
