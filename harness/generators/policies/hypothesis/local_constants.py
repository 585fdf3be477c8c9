"""Prevents Hypothesis from drawing constants of loaded modules in addition to random values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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
