"""What a sandboxed process tells, told to nobody."""

from __future__ import annotations

import os

from harness.kernel.process.telling import Beats, Teller
from harness.measuring.child import Told


def silent_teller() -> Teller:
    """Tells nobody anything."""
    return Teller(os.open(os.devnull, os.O_WRONLY))


def silent_told() -> Told:
    """What a measuring process tells, to nobody."""
    teller = silent_teller()
    return Told(teller, Beats(teller))
