"""Formats a test's failure only when the text is read, since pytest walks the whole traceback for it."""

from __future__ import annotations

from collections.abc import Callable

_PLAIN = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError)
_ARGUMENTS = (str, int, bool, type(None))


def is_plain(error: BaseException) -> bool:
    """Return whether formatting an error executes nothing of the program under test, so that its steps are the same.

    Plain errors are the interpreter's own, with plain arguments and without any earlier errors. A RecursionError is not
    plain: pytest compares the variables of its frames. Nor is a missing attribute of another object than None, as
    Python asks that object for similar names.
    """
    return (
        type(error) in _PLAIN
        and all(type(argument) in _ARGUMENTS for argument in error.args)
        and error.__cause__ is None
        and error.__context__ is None
        and not hasattr(error, "__notes__")
        and getattr(error, "obj", None) is None
    )


class Unread:
    """Stands for pytest's text of a failure, which is made when some of it is first read.

    Args:
        make: makes it. It holds the variables of the test.
    """

    def __init__(self, make: Callable[[], object]) -> None:
        self._make: Callable[[], object] | None = make
        self._text: object = ""

    def forget(self) -> None:
        """Drop the variables of the test, which is over."""
        self._make = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._laid_out(), name)

    def __str__(self) -> str:
        return str(self._laid_out())

    def _laid_out(self) -> object:
        if self._make is not None:
            self._text, self._make = self._make(), None
        return self._text
