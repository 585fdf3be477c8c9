"""How a test failed, laid out only where somebody reads it: pytest walks the whole traceback for it."""

from __future__ import annotations

from collections.abc import Callable

_PLAIN = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError, ZeroDivisionError)
_ARGUMENTS = (str, int, bool, type(None))


def is_plain(error: BaseException) -> bool:
    """Whether to tell of an error executes nothing of the program under test, so that its steps are the same.

    Those of the interpreter's own, with plain arguments and without any before them. A RecursionError is none: pytest
    compares the variables of its frames. Nor is an attribute missing in another object than None, as Python asks that
    object for names that are like it.
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
    """In the place of what pytest makes of a failure; it is made when first something of it is asked for.

    Args:
        make: makes it. It holds the variables of the test.
    """

    def __init__(self, make: Callable[[], object]) -> None:
        self._make: Callable[[], object] | None = make
        self._made: object = ""

    def forget(self) -> None:
        """The test is over: its variables are not kept for who may still ask."""
        self._make = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._laid_out(), name)

    def __str__(self) -> str:
        return str(self._laid_out())

    def _laid_out(self) -> object:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made
