"""The watchdog's signal, alone."""

from __future__ import annotations

import signal
import time

from harness.generators.watchdog import EndlessCandidate, Watchdog


def busy(seconds: float) -> int:
    """Spins, and counts how often it was told that it never ends."""
    told = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            while time.monotonic() < end:
                pass
        except EndlessCandidate:
            told += 1
    return told


def test_code_that_makes_no_headway_is_told_once_per_limit():
    with Watchdog(lambda: 0, 0.3, __file__):
        assert busy(0.9) == 1


def test_headway_and_innocent_files_are_left_alone():
    with Watchdog(time.monotonic, 0.3, __file__):
        assert busy(0.7) == 0
    with Watchdog(lambda: 0, 0.3, "spec.py"):
        assert busy(0.7) == 0


def test_the_former_handler_comes_back():
    before = signal.getsignal(signal.SIGALRM)
    with Watchdog(lambda: 0, 1, None):
        assert signal.getsignal(signal.SIGALRM) != before
    assert signal.getsignal(signal.SIGALRM) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
