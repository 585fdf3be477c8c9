"""What programs do is seen as texts, within a number of steps."""

import sys

import pytest

from harness.programs import behaviour


def seen(body: str) -> tuple[str, ...]:
    return behaviour([("one", f"def run(out):\n    {body}\n")])


def test_values_are_seen_as_literals_and_objects_by_their_types() -> None:
    assert seen("out(1, 'a', [2.5, (None, True)], {3: b'c'}, object())") == (
        "(1, 'a', [2.5, (None, True)], {3: b'c'}, <object>)",
    )


def test_an_exception_ends_what_is_seen() -> None:
    assert seen("out(1); out(1 // 0); out(2)") == ("(1)", "raises ZeroDivisionError")


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
