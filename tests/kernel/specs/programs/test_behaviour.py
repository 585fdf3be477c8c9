"""The behaviour of programs is described as texts, within a number of steps."""

import sys

import pytest

from harness.kernel.specs.programs.behaviour import MOST_STEPS
from harness.programs import behaviour


def seen(body: str) -> tuple[str, ...]:
    return behaviour([("one", f"def run(out):\n    {body}\n")])


def test_values_are_seen_as_literals_and_objects_by_their_types() -> None:
    assert seen("out(1, 'a', [2.5, (None, True)], {3: b'c'}, object())") == (
        "(1, 'a', [2.5, (None, True)], {3: b'c'}, <object>)",
    )


def test_sets_are_seen_by_their_elements_in_the_order_of_texts() -> None:
    assert seen("out({'b', 10, 'a', (2,)}, frozenset({4}))") == ("({'a', 'b', (2), 10}, frozenset({4}))",)
    assert seen("out(set(), frozenset(), {})") == ("(set(), frozenset(), {})",)


def test_an_exception_ends_what_is_seen() -> None:
    assert seen("out(1); out(1 // 0); out(2)") == ("(1)", "raises ZeroDivisionError")


@pytest.mark.parametrize("name", ["KeyboardInterrupt", "GeneratorExit", "SystemExit", "BaseException"])
def test_no_exception_of_a_program_escapes(name: str) -> None:
    assert seen(f"out(1); raise {name}") == ("(1)", f"raises {name}")


@pytest.mark.parametrize("then", ["out(1)", "1 // 0", "raise KeyboardInterrupt"])
def test_a_program_that_catches_what_ends_it_is_endless_nevertheless(then: str) -> None:
    lines = ["try:", "    while True: pass", "except BaseException: pass", then]
    assert seen("\n    ".join(lines))[-1] == "endless"


def test_a_program_that_spends_its_last_step_is_not_endless() -> None:
    steps = MOST_STEPS - 1  # one is the function's
    assert seen(f"for _ in range({steps}): pass") == ()
    assert seen(f"for _ in range({steps + 1}): pass") == ("endless",)


def test_an_endless_program_ends_by_steps() -> None:
    assert seen("while True: pass") == ("endless",)
    assert seen("f = lambda: f(); f()") == ("raises RecursionError",)


def test_modules_import_those_before_them_and_leave_no_trace() -> None:
    before = dict(sys.modules)
    assert behaviour([("one", "A = 7\n"), ("two", "from one import A\n\ndef run(out):\n    out(A)\n")]) == ("(7)",)
    assert sys.modules == before


def test_a_text_that_is_no_program_is_told_by_python() -> None:
    with pytest.raises(SyntaxError):
        behaviour([("one", "def run(out: pass\n")])
