"""Lines of a pipe whose other end is not trusted come whole, in time, or not at all."""

import os
import threading
import time
from contextlib import closing, suppress

import pytest

from harness.sandbox import process
from harness.sandbox.process import Closed, LineReader, Silence


class Pipes:
    def __init__(self) -> None:
        reading, self.say = os.pipe()
        words, self.shout = os.pipe()
        self.reader = LineReader(reading, words)
        self.ends = [reading, self.say, words, self.shout]

    def close(self) -> None:
        for end in self.ends:
            with suppress(OSError):
                os.close(end)


@pytest.fixture
def pipes():
    with closing(Pipes()) as opened:
        yield opened


def test_lines_come_one_by_one_however_they_were_written(pipes):
    os.write(pipes.say, b"one\ntwo\nthr")
    assert [pipes.reader.line(1), pipes.reader.line(1)] == [b"one", b"two"]
    os.write(pipes.say, b"ee\n")
    assert pipes.reader.line(1) == b"three"


def test_bytes_that_trickle_in_do_not_put_off_the_end_of_waiting(pipes):
    stop = threading.Event()

    def trickle() -> None:
        while not stop.wait(0.01):
            os.write(pipes.say, b"x")

    thread = threading.Thread(target=trickle)
    thread.start()
    started = time.monotonic()
    with pytest.raises(Silence):
        pipes.reader.line(0.3)
    assert time.monotonic() - started < 30
    stop.set()
    thread.join()


def test_a_flood_without_an_end_is_heard_to_a_limit_only(pipes, monkeypatch):
    monkeypatch.setattr(process, "MOST_LINE", 1000)
    os.write(pipes.say, b"x" * 2000)
    with pytest.raises(Closed):
        pipes.reader.line(10)


def test_a_closed_pipe_is_told(pipes):
    os.close(pipes.say)
    with pytest.raises(Closed):
        pipes.reader.line(10)


def test_words_without_number_keep_nobody_waiting_and_the_last_are_kept(pipes):
    def shout() -> None:
        for _ in range(100):
            os.write(pipes.shout, b"noise\n" * 2000)
        os.write(pipes.shout, b"the end\n")
        os.write(pipes.say, b"done\n")

    thread = threading.Thread(target=shout)
    thread.start()
    assert pipes.reader.line(30) == b"done"
    thread.join()
    assert pipes.reader.last_words() == "the end"
