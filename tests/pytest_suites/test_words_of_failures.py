"""A failing test's exception is reported in one line, even if it misbehaves while it is formatted."""

import pytest

from harness.pytest_suites.outcomes import words_of


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
def test_the_first_line_of_what_was_raised_is_told(error: Exception, words: str) -> None:
    assert words_of(error) == words
