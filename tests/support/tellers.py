"""What a sandboxed process tells, told to nobody."""

from __future__ import annotations

import os

from harness.kernel.process.telling import Beats, Teller
from harness.measuring.headway import Headway


def silent_teller() -> Teller:
    """Tells nobody anything."""
    return Teller(os.open(os.devnull, os.O_WRONLY))


def silent_told() -> Headway:
    """What a measuring process tells, to nobody."""
    teller = silent_teller()
    return Headway(teller, Beats(teller))
