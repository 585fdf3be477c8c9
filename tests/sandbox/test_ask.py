"""A question is answered by a process of its own, and its death is one error line."""

from pathlib import Path
from typing import Any

import pytest
from support.adding import Act, Sum, Total

import harness
from harness.errors import BaselineError, MutascopeError, SpecError
from harness.sandbox.ask import Question, ask, hear


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
