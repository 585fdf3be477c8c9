"""The size of sweeps: a part of them runs by default, and all of them in `make thorough`."""

import os

WHOLE = "MUTASCOPE_EVERY_SUBJECT" in os.environ
"""Whether sweeps are run as a whole, as in `make thorough`."""


def examples(most: int) -> int:
    """Return how many random examples a test takes: `most` in `make thorough`, a quarter of them by default."""
    return most if WHOLE else max(2, most // 4)
