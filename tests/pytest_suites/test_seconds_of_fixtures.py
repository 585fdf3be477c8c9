"""Seconds of fixtures that tests share are distinguished from those of tests."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import SimpleNamespace

from harness.pytest_suites import measuring
from harness.pytest_suites.measuring import Measuring, PartMeter


@contextmanager
def set_up(plugin: Measuring, scope: str) -> Iterator[None]:
    """Call the plug-in as pytest does while it sets up a fixture."""
    fixture = SimpleNamespace(scope=scope, baseid="", argname=scope)
    running = plugin.pytest_fixture_setup(fixture, SimpleNamespace(node=None))
    next(running)
    yield
    with suppress(StopIteration):
        running.send(None)


def test_seconds_of_shared_fixtures_count_once_and_those_of_others_do_not(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(measuring, "perf_counter", lambda: clock[0])
    plugin = Measuring(PartMeter(), None)
    with set_up(plugin, "function"):
        clock[0] += 1
    assert plugin.shared_seconds == 0
    with set_up(plugin, "session"):
        clock[0] += 2
        with set_up(plugin, "module"):  # which it asked for
            clock[0] += 4
    with set_up(plugin, "class"):
        clock[0] += 8
    assert plugin.shared_seconds == 2 + 4 + 8
