"""The watchdog's signal, alone."""

import signal
import sys
import time
from types import SimpleNamespace

import pytest

from harness.generators.watchdog import EndlessCandidate, Watchdog
from harness.kernel.process import limits


def busy(seconds: float) -> int:
    """Spins for so many seconds of processor time, and counts how often it was told that it never ends."""
    calls = 0
    end = time.process_time() + seconds
    while time.process_time() < end:
        try:
            while time.process_time() < end:
                pass
        except EndlessCandidate:
            calls += 1
    return calls


@pytest.mark.slow
def test_code_that_makes_no_headway_is_told():
    with Watchdog(lambda: 0, 0.3, __file__):
        assert busy(1.2) >= 1


def test_it_is_told_once_per_limit(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "process_time", lambda: now[0])
    dog, seconds = Watchdog(lambda: 0, 3, __file__), []
    for second in range(12):
        now[0] = second
        try:
            dog.ring(signal.SIGALRM, sys._getframe())
        except EndlessCandidate:
            seconds.append(second)
    assert seconds == [3, 6, 9]


@pytest.mark.slow
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


def test_code_that_gets_little_of_the_processor_is_not_told(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits.time, "process_time", lambda: now[0] / 90)
    monkeypatch.setattr(limits.resource, "getrusage", lambda whose: SimpleNamespace(ru_nvcsw=3))
    dog = Watchdog(lambda: 0, 3, __file__)
    for second in range(0, 270, 9):
        now[0] = second
        dog.ring(signal.SIGALRM, sys._getframe())
    now[0] = 270.1
    with pytest.raises(EndlessCandidate, match=r"^3 s of processor time$"):
        dog.ring(signal.SIGALRM, sys._getframe())
