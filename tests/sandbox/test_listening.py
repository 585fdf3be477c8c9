"""A question is answered by a process of its own, and its death is one error line.

A process that reports its progress is waited for as long as it lives and gets on, and no longer.
"""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from e2e.command_line import IMPLEMENTATION, SPEC
from support.adding import Act, Sum, Total

import harness
from harness.checking.check import check
from harness.difference.difference import difference
from harness.errors import BaselineError, MutascopeError, SpecError
from harness.kernel.process.talk import AnswerFact, FactWriter, Heartbeats
from harness.measuring.measurement import Measurement, coverage_by_function
from harness.model.experiment import Trial
from harness.model.subject import Subject
from harness.report.exported.pytest_suite import export_pytest
from harness.runner.builders import builders_of
from harness.runner.mutant_set import observe_types
from harness.runner.suites import ensure_suite
from harness.sandbox.ask import Listener, NoProgress, Question, ask, death_remedy, hear
from harness.sandbox.process import SandboxedProcess, WorkerDied
from harness.store.facts import CoverageKind

CHILD = """
import itertools, os, signal, sys, time
from harness.kernel.process.talk import Heartbeats, FactWriter
teller = FactWriter(int(sys.argv[-1]))
"""


@pytest.fixture
def talk(tmp_path, monkeypatch):
    """Starts a sandboxed process of this text, to be listened to."""
    (tmp_path / "made_up.py").write_text("")
    started = []

    def start(text: str, patience: float = 0.6) -> Listener:
        (tmp_path / "program.py").write_text(CHILD + text)
        runner = f"exec(compile(open({str(tmp_path / 'program.py')!r}).read(), 'program', 'exec'))"
        process = SandboxedProcess("timeit", "-n1", "-r1", runner, readable=[tmp_path])
        started.append(process)
        return Listener(process.__enter__(), patience)

    yield start
    for process in started:
        process.__exit__(WorkerDied, None, None)


def test_what_begins_and_beats_are_heard_and_only_facts_are_handed_on(talk):
    listener = talk("teller.begins('this'); teller.beat(1); teller.answer(2); time.sleep(9)")
    assert listener.fact() == AnswerFact(2)
    assert listener.at == "this"


@pytest.mark.parametrize(
    ("stuck", "limit"),
    [
        ("all(itertools.repeat(1))", "0.6 s of processor time"),
        ("signal.pthread_sigmask(0, {14}); time.sleep(99)", "6 s of wall clock, as it sleeps or waits"),
    ],
)
def test_a_process_that_says_no_word_is_given_up_and_what_it_was_at_is_told(talk, stuck, limit):
    listener = talk(f"teller.begins('doing this')\nwith Heartbeats(teller): {stuck}")
    with pytest.raises(NoProgress, match=f"^while doing this: no word within {limit}$") as failure:
        listener.fact()
    assert "MUTASCOPE_CANDIDATE_SECONDS" in death_remedy(failure.value)


@pytest.mark.slow
def test_a_process_that_makes_no_headway_is_given_up(talk):
    listener = talk("teller.begins('doing this')\nwith Heartbeats(teller):\n    while True: pass", patience=3)
    with pytest.raises(NoProgress, match=r"^while doing this: no headway within 3 s of processor time$"):
        listener.fact()


@pytest.mark.slow
@pytest.mark.parametrize(("looks", "how"), [("Heartbeats(teller)", "headway"), ("suppress()", "word")])
def test_what_is_brief_is_waited_for_less_long(talk, looks, how):
    stuck = f"with {looks}:\n    while True: pass"
    listener = talk(f"from contextlib import suppress\nteller.begins('sums', is_brief=True)\n{stuck}", patience=24)
    with pytest.raises(NoProgress, match=rf"^while sums: no {how} within 2 s of processor time$"):
        listener.fact()


def test_the_limit_of_what_is_brief_ends_with_it(talk):
    listener = talk(
        "teller.begins('sums', is_brief=True)\nteller.begins('work')\ntime.sleep(1)\nteller.answer(2)", patience=3
    )
    assert listener.fact() == AnswerFact(2)


def test_a_process_that_gets_on_is_waited_for_however_long_it_takes(talk):
    text = "with Heartbeats(teller) as beats:\n    beats.reached = lambda: time.monotonic_ns()\n"
    listener = talk(
        f"{text}    end = time.monotonic() + 7\n    while time.monotonic() < end: time.sleep(0.1)\nteller.answer({{}})",
        patience=3,
    )
    assert listener.fact() == AnswerFact({})


def test_a_process_that_dies_is_not_a_silent_one(talk):
    with pytest.raises(WorkerDied, match=r"^while doing this: ended with exit status 3") as failure:
        talk("teller.begins('doing this')\nos._exit(3)").fact()
    assert not isinstance(failure.value, NoProgress)
    assert death_remedy(failure.value) == "correct what makes the process end"


def test_a_process_that_does_not_even_start_is_given_up(talk, monkeypatch):
    monkeypatch.setattr("harness.sandbox.ask.STARTING_SECONDS", 0.1)
    with pytest.raises(
        NoProgress, match=r"^while starting: no word within (0.7 s of processor time|7 s of wall clock)"
    ):
        talk("time.sleep(99)").fact()


def test_facts_are_whole_though_beats_interrupt_them():
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        with Heartbeats(FactWriter(writing)) as beats:
            beats.reached = lambda: 1
            for _ in range(30):
                FactWriter(writing).write({"long": "x" * 300_000})
                time.sleep(0.02)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        facts = [json.loads(line) for line in stream]
    os.waitpid(child, 0)
    assert sum("long" in fact for fact in facts) == 30
    assert any(fact.get("kind") == "Beat" for fact in facts)


def test_beats_keep_away_from_recursion_that_ends_by_itself():
    def deep(depth: int) -> int:
        return 0 if not depth else 1 + deep(depth - 1)

    class Failing:
        def beat(self, reached: int) -> None:
            raise RecursionError

    beats = Heartbeats(Failing())
    beats.ring(14, sys._getframe())
    assert deep(10) == 10


# -- those who wait ---------------------------------------------------------------------------------

ENDLESS = "all(__import__('itertools').repeat(1))"
LOOPING = "while True: pass"


@pytest.fixture
def hurried(tmp_path, monkeypatch):
    """Patience of some seconds, a cache of its own."""
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.3")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))


def subject_of(folder: Path, spec: str = SPEC, implementation: str = IMPLEMENTATION) -> Subject:
    return Subject("pile", "Pile", "impl", folder / "impl.py", implementation, folder / "spec.py", spec)


def endless(deed: str, folder: Path) -> Subject:
    """Return a subject whose target does the deed."""
    implementation = IMPLEMENTATION.replace("        if self.count <", f"        {deed}\n        if self.count <")
    return subject_of(folder, implementation=implementation)


@pytest.mark.slow
@pytest.mark.parametrize(("deed", "how"), [(ENDLESS, "no word"), (LOOPING, "no headway")])
def test_measuring_exporting_and_profiling_end_where_the_program_does_not(hurried, deed, how, tmp_path):
    subject = endless(deed, tmp_path)
    suite = ensure_suite(subject, Trial("pile", "korat", 2))
    lines = {"Pile.push": frozenset(range(6, 10))}
    at = f"failed while executing {tmp_path}/impl.py on its suite: {how} within 3.6 s of processor time; "
    for wait in (
        lambda: coverage_by_function({CoverageKind.CODE: Measurement(subject, 2, lines, suite.folder)}),
        lambda: export_pytest(subject, suite, tmp_path / "test_it.py"),
        lambda: observe_types(subject),
    ):
        with pytest.raises(MutascopeError) as failure:
            wait()
        assert at in str(failure.value)
        assert "\n" not in str(failure.value)


ENDLESS_SPEC = SPEC.replace("    return 0 <=", f"    {ENDLESS}\n    return 0 <=")
SEQUENCES = f"{SPEC}\n\ndef sequences(scope):\n    {LOOPING}\n"
NO_END = r"failed while executing sequences\(2\) of .*/spec.py: no .* within 0.3 s of processor time"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "wait", "message", "status"),
    [
        (
            partial(subject_of, spec=ENDLESS_SPEC),
            lambda it: coverage_by_function({CoverageKind.SPEC: Measurement(it, 2, {"rep_ok": frozenset({5, 6})})}),
            "spec coverage at scope 2 failed while executing rep_ok of .*/spec.py: no word",
            1,
        ),
        *(
            (
                partial(endless, ENDLESS),
                lambda it, mode=mode: check(it, 2, mode),
                r"failed while executing what .*/spec.py checks of .*/impl.py: no word within 3\.6 s",
                1,
            )
            for mode in ("black-box", "white-box")
        ),
        (
            partial(subject_of, spec=SEQUENCES),
            lambda it: ensure_suite(it, Trial("pile", "random:5", 2)),
            NO_END,
            2,
        ),
        (partial(subject_of, spec=SEQUENCES), lambda it: builders_of(it, 2), NO_END, 2),
        (partial(subject_of, spec=SEQUENCES), lambda it: difference(it, 2), NO_END, 2),
        (
            partial(subject_of, spec=SEQUENCES.replace(LOOPING, "import os; os._exit(0)")),
            lambda it: difference(it, 2),
            r"comparing it at scope 2 failed while executing sequences\(2\)",
            2,
        ),
    ],
    ids=["measuring", "black-box", "white-box", "generate", "builders", "difference", "difference that ends"],
)
def test_no_command_waits_for_what_does_not_end(hurried, subject, wait, message, status, tmp_path):
    with pytest.raises(MutascopeError, match=message) as failure:
        wait(subject(tmp_path))
    assert failure.value.exit_status == status


def question(request: object, **more: Any) -> Question[Total]:
    tests = [Path(__file__).parents[1]]
    return Question(
        process="tests.support.adding", readable=tests, request=request, answer=Total, work="adding numbers", **more
    )


def test_a_request_is_answered_by_the_function_that_takes_its_class():
    assert ask(question(Sum((1, 2, 3)))) == Total(6)
    assert ask(question(Act("pass"))) == Total(0)


def test_an_error_of_the_users_making_is_raised_here():
    with pytest.raises(SpecError, match=r"^spec.py: no rep_ok; write one$"):
        ask(question(Act("raise SpecError('spec.py: no rep_ok; write one')")))


def test_a_death_is_one_line_that_says_what_was_done():
    with pytest.raises(BaselineError) as death:
        ask(question(Act("print(end='no\\nroom', file=__import__('sys').stderr, flush=True); os._exit(3)")))
    assert str(death.value) == (
        "adding numbers failed while doing it: ended with exit status 3; its last words: room; "
        "correct what makes the process end"
    )
    with pytest.raises(MutascopeError, match=r"SIGKILL; buy memory$"):
        ask(question(Act("os.kill(os.getpid(), 9)"), error=MutascopeError, remedy="buy memory"))


@pytest.mark.parametrize(
    "line",
    [
        '{"kind": "AnswerFact", "data": {"number": "1"}}',
        '{"kind": "AnswerFact", "data": {"number": 1, "more": 2}}',
        '{"kind": "AnswerFact", "data": 1}',
        '{"kind": "AnswerFact", "data": {"number": 1}, "more": 2}',
        '{"kind": "InterimFact", "data": 1}',
        '{"kind": "Beat", "reached": "1"}',
        '{"kind": "Total", "number": 1}',
        "[]",
        "{",
        "{}",
    ],
)
def test_an_answer_of_another_form_is_no_answer(line):
    deed = f"os.write(int(sys.argv[-1]), {line.encode()!r} + b'\\n'); __import__('time').sleep(9)"
    with pytest.raises(BaselineError, match=r"^adding numbers failed while doing it: said what is no fact: .*; remove"):
        ask(question(Act(deed)))


def test_an_honest_answer_beyond_the_limits_says_which_value_is_too_large():
    with pytest.raises(BaselineError) as refused:
        ask(question(Sum((2**62, 2**62)), remedy="correct the program"))
    assert str(refused.value) == (
        "adding numbers failed while starting: its answer is beyond the limits of answers: "
        "Total.number: expected int, too large, or out of range; choose a smaller scope"
    )


def test_facts_before_the_answer_are_told_with_what_the_process_does():
    reports: list[tuple[Total, str]] = []
    deed = "headway.teller.report({'number': 7})"
    assert hear(question(Act(deed), interim=Total), lambda fact, at: reports.append((fact, at))) == Total(0)
    assert reports == [(Total(7), "doing it")]


# -- where processes begin --------------------------------------------------------------------------

HARNESS = Path(harness.__file__).parent
PROGRAMS = {
    "command_line/main.py": "the command line",
    "kernel/process/containment/launch.py": "starts all processes",
    "kernel/running/zygote.py": "runs the original and mutants",
    "runner/dask_shard.py": "runs a shard on a worker of a cluster",
    "external_generators/bootstrap.py": "runs in the environment of a tool",
}


def test_a_process_begins_in_a_file_named_process_and_nowhere_else():
    beginning = {
        path.relative_to(HARNESS).as_posix()
        for path in HARNESS.rglob("*.py")
        if "def main(" in path.read_text(encoding="utf-8")
    }
    assert {file for file in beginning - PROGRAMS.keys() if not file.endswith("/process.py")} == set()
