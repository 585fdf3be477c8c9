"""Loads the original in the process that writes tests of it."""

from __future__ import annotations

from types import ModuleType

from harness.errors import SourceError
from harness.kernel.program.loader import ModuleText, execute


def load(text: ModuleText) -> ModuleType:
    """The implementation, executed.

    Raises:
        SourceError: it does not compile, or raises.
    """
    try:
        return execute(text)
    except SyntaxError as error:
        raise SourceError(f"{text.filename}:{error.lineno}: {error.msg}; correct the source") from None
    except Exception as error:
        raise SourceError(f"{text.filename} raised {type(error).__name__} on loading: {error}") from None
