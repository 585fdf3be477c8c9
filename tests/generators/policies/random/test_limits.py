"""Limits of random suites: by number, by calls carried out, by processor time."""

from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest
from support.sequence_suites import generated_sequences
from support.subjects import loaded

from harness.errors import UsageError
from harness.generators.policies.random import generator as drawing
from harness.generators.policies.random.generator import RandomSequences
from harness.generators.policies.random.options import MOST, Options
from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.model.experiment import Trial
from harness.model.stop_reason import StopReason
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite, stored_suite, suite_folder
from harness.runner.trial import prepare
from harness.store.facts import StoredTrial

COUNTED = """
calls = iter(range(1_000_000))  # an iterator is not put back before each sequence

class Row:
    def __init__(self):
        next(calls)
        self.held = []

    def add(self, number):
        next(calls)
        self.held.append(number)

    def take(self, number):
        next(calls)
        self.held.pop()
"""
SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Row")
    s.method("add", range(scope))
    s.method("take", range(scope), requires=lambda row, number: len(row.held) > 1)
    s.elements(5)
    return s
"""


def suite_of(
    folder: Path, generator: RandomSequences, seed: int = 0, more: str = "pass"
) -> tuple[SuiteReader, ModuleType]:
    """Make a suite of Row; return it with the program that counted its own calls."""
    text = ModuleText("row", COUNTED, "row.py")
    module = execute(text)
    spec = SPEC.replace("    return", f"    {more}\n    return")
    return generated_sequences(folder, generator, spec, text, module=module, seed=seed), module


def content(suite: SuiteReader) -> tuple[str, bytes, bytes]:
    folder = suite.folder
    return suite.header.digest, (folder / "states.bin").read_bytes(), (folder / "inputs.bin").read_bytes()


@pytest.fixture
def clock(monkeypatch):
    """Makes the clock go on by the returned step, at first a second, whenever it is read."""
    step, numbers = [1.0], count()
    monkeypatch.setattr(drawing, "process_time", lambda: next(numbers) * step[0])
    return step


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("5000", (5000, None, None)),
        ("calls=70", (MOST, 70, None)),
        ("seconds=9", (MOST, None, 9)),
        ("10,calls=7", (10, 7, None)),
        ("10,seconds=9", (10, None, 9)),
        ("calls=7,seconds=9", (MOST, 7, 9)),
        ("100000000,calls=100000000,seconds=1", (MOST, MOST, 1)),
    ],
)
def test_limits_are_read_as_they_are_written(text, limits):
    options = Options.read("random", text)
    assert (options.most_inputs(1), options.calls, options.seconds) == limits
    assert find_generator(f"random:{text}").name == f"random:{text}"


@pytest.mark.parametrize(
    "text",
    ["", "0", "-1", "1e3", "9999999999",
     ",", ",5", "5,", "5,5", "calls=", "calls=0", "calls=-1", "seconds=0.5", "seconds=2,calls=3", "calls=2,5",
     "calls=2,calls=3", "inputs=5", "5calls=2", "5, calls=2", "999999999", "5,calls=999999999", "seconds=1e3",
     "contracts=", "contracts=maybe", "5,contracts=no,contracts=no"],
)  # fmt: skip
def test_what_is_no_limit_is_refused_with_an_example(text):
    with pytest.raises(UsageError, match=r"in this order, the number of inputs .*, calls=NUMBER, seconds=NUMBER"):
        find_generator(f"random:{text}")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("seconds=2,calls=3", "random:calls=3,seconds=2"),
        ("calls=2,5", "random:5,calls=2"),
        ("007", "random:7"),
        ("5,contracts=yes", "random:5"),
        ("none=yes,aliases=no", "random:aliases=no,none=yes"),
    ],
)
def test_another_spelling_of_options_is_refused_with_the_one_there_is(text, name):
    with pytest.raises(UsageError, match=rf"generator 'random:{text}': write '{name}'; "):
        find_generator(f"random:{text}")


@pytest.mark.parametrize("limit", [1, 2, 40, 400])
def test_calls_are_those_that_the_program_counts(tmp_path, limit):
    suite, module = suite_of(tmp_path / "suite", RandomSequences(Options(10_000, calls=limit)))
    sequences = [suite.sequence(number) for number in range(len(suite))]
    assert limit <= next(module.calls) < limit + 1 + 2 * max(map(len, sequences)), (
        "the last one is carried out, and looked at"
    )
    assert suite.header.ended == StopReason.CALLS


@pytest.mark.usefixtures("clock")
def test_processor_time_ends_a_suite_that_its_number_of_inputs_makes_again(tmp_path):
    generator = RandomSequences(Options(10_000, seconds=25))
    suite, _ = suite_of(tmp_path / "by time", generator)
    assert suite.header.ended == StopReason.PROCESSOR_TIME
    assert 0 < len(suite) <= suite.header.explored <= 24, "one attempt after each read but the first and the last"
    again, _ = suite_of(tmp_path / "by number", generator.repeating(len(suite)))
    assert content(again) == content(suite)
    assert generator.repeating(len(suite)).name == f"random:{len(suite)}"
    assert again.header.ended == StopReason.INPUTS


@pytest.mark.usefixtures("clock")
def test_the_limit_that_is_reached_first_is_told(tmp_path):
    options = Options(30, 10_000, 10_000)
    assert suite_of(tmp_path / "number", RandomSequences(options))[0].header.ended == StopReason.INPUTS
    options = Options(10_000, 50, 10_000)
    assert suite_of(tmp_path / "calls", RandomSequences(options))[0].header.ended == StopReason.CALLS
    assert RandomSequences(options).repeating(7).name == "random:7"
    generator = RandomSequences(Options(calls=50))
    assert generator.repeating(7).name == generator.name, "calls end a suite at the same place everywhere"


def test_nothing_new_and_used_up_attempts_are_told(tmp_path):
    for more, stop_reason in [("s.attempts(20)", StopReason.ATTEMPTS), ("s.length(2)", StopReason.NOTHING_NEW)]:
        assert suite_of(tmp_path / more, RandomSequences(), more=more)[0].header.ended == stop_reason


def test_a_suite_that_time_ended_is_kept_and_told_and_a_lost_one_is_made_again_by_its_number(
    tmp_path, monkeypatch, caplog, clock
):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    subject, trial = load_subject("search_tree"), Trial("search_tree", "random:500,seconds=1", 2)
    spec, module = loaded("search_tree")
    folder, clock[0] = suite_folder(subject, trial), 1 / 30
    assert folder.name.startswith("search_tree-random-500-seconds-1-2-")
    generator = RandomSequences(Options(500, seconds=1))
    text = ModuleText("impl", subject.source, str(subject.source_path))
    options = {"subject": subject.name, "subject_hash": subject.content_hash, "scope": 2}
    header = generated_sequences(folder, generator, spec, text, module=module, **options).header
    assert header.ended == StopReason.PROCESSOR_TIME
    assert ensure_suite(subject, trial).header == header
    with caplog.at_level("INFO", "mutascope"):
        assert prepare(trial).suite.header == header
    assert f"{header.inputs} of 500 inputs, ended by the limit of processor time" in caplog.text
    stored = SimpleNamespace(subject="search_tree", generator=trial.generator, scope=2, seed=0, inputs=header.inputs)
    again = stored_suite(subject, cast(StoredTrial, stored))
    assert again.folder != folder
    assert again.header.digest == header.digest
