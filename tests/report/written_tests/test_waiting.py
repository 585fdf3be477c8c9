"""Calls that wait for ever are found out, and those that work are not."""

from __future__ import annotations

import threading
from types import FrameType

import pytest

from harness.kernel.process.talk import Alarm
from harness.report.written_tests.observers import MOST_LOOKS, Asker, Standstill, Waits

OFTEN = 0.02


class Looking(Alarm):
    def __init__(self, standstill: Standstill) -> None:
        super().__init__(OFTEN)
        self.looks = 0
        self._standstill = standstill

    def ring(self, number: int, frame: FrameType | None) -> None:
        self.looks += 1
        self._standstill.look(frame)


class Queue:
    """Its `get` waits where it is empty, and swallows what it can."""

    def __init__(self, *held: int) -> None:
        self.held = list(held)
        self._changed = threading.Condition()

    def get(self) -> int:
        try:
            with self._changed:
                while not self.held:
                    self._changed.wait()
        except Exception:
            return 0
        return self.held[0]

    def size(self) -> int:
        return len(self.held)


def test_a_call_that_waits_for_a_lock_ends() -> None:
    standstill, lock = Standstill(), threading.Lock()
    lock.acquire()
    with Looking(standstill) as alarm, pytest.raises(Waits), standstill.watched():
        lock.acquire()
    assert alarm.looks > MOST_LOOKS


@pytest.mark.parametrize(
    "work", ["while True: pass", "while True: sum(range(10_000))", "f = lambda: 0\nwhile f() == 0: pass"]
)
def test_a_call_that_works_goes_on_however_often_it_is_looked_at(work: str) -> None:
    class Enough(BaseException):
        pass

    class Ending(Looking):
        def ring(self, number: int, frame: FrameType | None) -> None:
            super().ring(number, frame)
            if self.looks > 4 * MOST_LOOKS:
                raise Enough

    standstill = Standstill()
    with Ending(standstill), pytest.raises(Enough), standstill.watched():
        exec(work)


def test_who_waits_where_nobody_watches_is_left_alone() -> None:
    standstill, lock = Standstill(), threading.Lock()
    lock.acquire()
    with Looking(standstill) as alarm:
        while alarm.looks < 4 * MOST_LOOKS:
            lock.acquire(timeout=2 * MOST_LOOKS * OFTEN)


def test_an_observer_that_waits_once_is_asked_no_more_nor_in_another_way() -> None:
    standstill = Standstill()
    asker = Asker(__name__, None, standstill)
    with Looking(standstill) as alarm:
        full = asker.observe("queue", Queue(3), {}, {}, {})
        assert not asker.waiting
        empty = asker.observe("queue", Queue(), {}, {}, {})
        looks = alarm.looks
        again = asker.observe("queue", Queue(), {}, {}, {})
        assert alarm.looks < looks + MOST_LOOKS
    templates = [{observer.text for observer in told.values} for told in (full, empty, again)]
    assert "{object}.get()" in templates[0]
    assert templates[1] == templates[2]
    assert {"{object}.size()", "{object}.held"} <= templates[1]
    assert not [one for one in templates[1] if "get" in one]
    assert asker.waiting == {"{object}.get()"}
    assert asker.waiting <= asker.changing
