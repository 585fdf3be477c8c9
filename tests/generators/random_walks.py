"""Random criteria: for the random state spaces of generator_samples, and for roots of numbers."""

import zlib
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from harness.model.finitization import Finitization

NUMBERS = ("p", "q", "r", "s", "t")


@dataclass(frozen=True)
class Reader:
    """Reads some of a root's numbers, in a choice and order that depend on the values; answers by a checksum."""

    seed: int
    most: int
    answers: int

    def __call__(self, root: Any) -> int:
        trace: list[Any] = [self.seed]
        left = list(NUMBERS)
        for _ in range(self.most):
            name = left.pop(zlib.crc32(repr(trace).encode()) % len(left))
            trace.append((name, getattr(root, name)))
        return zlib.crc32(repr(trace).encode()) % self.answers


@st.composite
def random_readers(draw: st.DrawFn) -> tuple[Finitization, Reader, Reader]:
    """Draw a root of some numbers, up to a thousand states; a rep_ok that accepts most of them, and a criterion.

    Two of three criteria begin to read in the order of rep_ok and soon end, so that a good deal is pruned.
    """
    f = Finitization("R")
    for name in NUMBERS:
        f.set(f"R.{name}", range(draw(st.integers(2, 4))))
    seed, other = draw(st.integers(0, 1 << 16)), draw(st.integers(0, 1 << 16))
    rep_ok = Reader(seed, draw(st.integers(3, 5)), 4)
    return f, rep_ok, Reader(draw(st.sampled_from([seed, seed, other])), draw(st.integers(1, 3)), 3)
