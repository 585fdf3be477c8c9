"""Loads programs at the same addresses each time, so that code that depends on addresses always does the same."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

_ADDR_NO_RANDOMIZE = 0x0040000
_QUERY = 0xFFFFFFFF


@contextmanager
def fixed_addresses() -> Iterator[None]:
    """Fix the addresses of programs that this thread starts in the block.

    Before Python 3.12 `hash(None)` is an address.
    """
    personality = getattr(ctypes.CDLL(None), "personality", None)  # Linux has it, unless a container forbids it
    former = -1 if personality is None else personality(ctypes.c_ulong(_QUERY))
    if personality is None or former == -1:
        yield
        return
    personality(ctypes.c_ulong(former | _ADDR_NO_RANDOMIZE))
    try:
        yield
    finally:
        personality(ctypes.c_ulong(former))
