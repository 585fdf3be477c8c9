"""The parts of a warmed process, each by itself."""

import sys
from contextlib import contextmanager, suppress
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from harness.kernel.program.loader import SELECTOR, ModuleText, StepLimit, plainly
from harness.model.outcome import KillReason
from harness.pytest_suites import measuring
from harness.pytest_suites.importing import TargetFinder
from harness.pytest_suites.measuring import UNLIMITED, Measuring, PartMeter
from harness.pytest_suites.outcomes import failure_of, words_of
from harness.pytest_suites.server import replaced


@pytest.fixture
def as_before(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(sys, "modules", sys.modules)
    monkeypatch.setattr(SourceFileLoader, "exec_module", SourceFileLoader.exec_module)
    yield
    sys.modules.pop("till_of_text", None)


def test_a_target_is_found_in_its_text_with_the_selected_number_wherever_it_is_imported(as_before, tmp_path):
    text = ModuleText("till_of_text", "def number():\n    return " + SELECTOR + "\n", str(tmp_path / "till_of_text.py"))
    finder = TargetFinder(text, plainly(text), {"preset": 1})
    finder.install()
    import till_of_text

    assert (till_of_text.number(), till_of_text.preset, till_of_text.__file__) == (0, 1, text.filename)
    finder.select(7)
    finder.preset("preset", 2)
    assert (till_of_text.number(), till_of_text.preset) == (7, 2)
    del sys.modules["till_of_text"]
    import till_of_text as again

    assert (again.number(), again.preset, len(finder.modules)) == (7, 2, 2)


def test_a_target_s_file_that_is_loaded_by_its_path_is_the_text_too(as_before, tmp_path):
    path = tmp_path / "till_of_text.py"
    path.write_text("def number():\n    return -1\n")
    (tmp_path / "other.py").write_text("x = 3\n")
    text = ModuleText("till_of_text", "def number():\n    return " + SELECTOR + "\n", str(path))
    finder = TargetFinder(text, plainly(text), {})
    finder.install()
    finder.select(7)

    def loaded(file: Path):
        spec = spec_from_file_location("of_another_name", file)
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    (tmp_path / "inner").mkdir()
    loaded_module = loaded(tmp_path / "inner" / ".." / "till_of_text.py")
    assert (loaded_module.number(), loaded_module.__file__) == (7, loaded_module.number.__code__.co_filename)
    assert loaded(tmp_path / "other.py").x == 3
    assert len(finder.modules) == 1


def test_what_a_target_raises_on_import_is_kept(as_before):
    text = ModuleText("till_of_text", "raise RuntimeError('no till')\n", "till_of_text.py")
    finder = TargetFinder(text, plainly(text), {})
    finder.install()
    with pytest.raises(RuntimeError):
        import till_of_text  # noqa: F401
    assert finder.failure == "RuntimeError: no till"


def test_a_part_within_a_part_has_steps_and_places_of_its_own():
    meter, reports = PartMeter(), []
    with meter.part(UNLIMITED, lambda steps, sites: reports.append(("outer", steps, sorted(sites)))):
        meter.counter.tick()
        meter.reach(1)
        with meter.part(UNLIMITED, lambda steps, sites: reports.append(("inner", steps, sorted(sites)))):
            for _ in range(3):
                meter.counter.tick()
            meter.reach(2)
        meter.counter.tick()
    assert reports == [("inner", 3, [2]), ("outer", 2, [1])]
    assert (meter.steps, meter.limit_met) == (5, False)


def four_ticks_around_ten(meter: PartMeter) -> None:
    with meter.part(3, lambda steps, sites: None):
        meter.counter.tick()
        with meter.part(UNLIMITED, lambda steps, sites: None):
            for _ in range(10):
                meter.counter.tick()
        for _ in range(3):
            meter.counter.tick()


def test_a_budget_goes_on_behind_an_inner_part_and_is_seen_to_be_spent():
    meter = PartMeter()
    with pytest.raises(StepLimit):
        four_ticks_around_ten(meter)
    assert (meter.limit_met, meter.steps) == (True, 14)


class Failed(Exception):
    pass


class UnexpectedException(Exception):
    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.exc_info = (type(error), error, None)


@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        (AssertionError("1 is not 2"), KillReason.ASSERTION, "AssertionError"),
        (Failed(), KillReason.ASSERTION, "Failed"),
        (None, KillReason.ASSERTION, "failed"),
        (ValueError("x"), KillReason.EXCEPTION, "ValueError"),
        (MemoryError(), KillReason.MEMORY_LIMIT, "MemoryError"),
        (StepLimit(), KillReason.STEP_LIMIT, "step limit"),
        (UnexpectedException(KeyError("k")), KillReason.EXCEPTION, "KeyError"),
    ],
)
def test_a_failure_has_the_reason_of_what_was_raised(error, reason, detail):
    assert (failure_of(error, "call").reason, failure_of(error, "call").detail) == (reason, detail)
    assert failure_of(error, "setup").detail == f"in setup: {detail}"


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (AssertionError("assert 1 == 2\n +  where 1 = f()"), "AssertionError: assert 1 == 2"),
        (KeyError("x"), "KeyError: 'x'"),
        (OSError(), "OSError"),
        (Unspeakable(), "Unspeakable"),
        (ValueError("v" * 500), f"ValueError: {'v' * 185}..."),
    ],
)
def test_the_first_line_of_what_was_raised_is_told(error, words):
    assert words_of(error) == words


@contextmanager
def set_up(plugin, scope):
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


TEXT = """\
def insort_right(found, item):
    return item


def bisect(found, item):
    def chain():
        return item

    return chain()


class defaultdict(dict):
    pass


class Kept(list):
    pass


try:
    from _bisect import bisect_right
    from _bisect import insort_right
    from collections import defaultdict
    from itertools import chain
except ImportError:
    pass

try:
    from _heapq import heappush
except ImportError:
    def heappush(heap, item):
        heap.append(item)
"""


def test_names_of_the_text_that_c_code_has_are_told_with_the_module_they_come_from():
    module = ModuleType("own")
    exec(TEXT, vars(module))
    assert replaced(module, TEXT) == {"defaultdict": "collections", "heappush": "_heapq", "insort_right": "_bisect"}
