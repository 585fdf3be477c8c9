"""The entry point: parses arguments, calls the command, prints its result; each error is one line."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import TextIO

from harness.command_line.parser import parse
from harness.errors import MutascopeError, UsageError
from harness.interruption import exit_report, interruptible


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: by default those of the process.

    Returns:
        The exit status: 0, 1 for findings that fail a check, 2 for wrong use, 128 + N after signal N.
    """
    out, resumes = sys.stdout, False
    try:
        out = _standard_output()
        command, values = parse(arguments)
        resumes = command.resumes
        with (
            interruptible(),
            contextlib.redirect_stdout(sys.stderr),
        ):  # a plug-in's prints must not spoil the output
            from harness.command_line import answers  # after the parser, as it imports much

            output = getattr(answers, f"of_{command.name.replace('-', '_')}")(values)
            output.write(out, as_json=values["--json"])
        out.flush()
        return _fail(output.failure, 2) if output.failure else output.exit_status
    except MutascopeError as error:
        return _fail(str(error), error.exit_status)
    except BrokenPipeError:
        _drop_unwritten(out)  # the reader (a pager, head) has seen enough
        return 0
    except (KeyboardInterrupt, OSError, MemoryError, ImportError, RuntimeError) as error:
        report = exit_report(error, resumes)
        if report is None:
            raise
        _drop_unwritten(out)
        return _fail(*report)


def _standard_output() -> TextIO:
    """Return the standard output. Open handles 0 to 2 first, lest a pipe of the harness be taken for one of them.

    Raises:
        UsageError: it is closed.
    """
    closed = sys.stdout is None
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="locale", closefd=False, errors="backslashreplace")  # noqa: SIM115 (kept)
    if closed:
        raise UsageError("standard output is closed; redirect it to a file, or to /dev/null")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only
    return sys.stdout


def _fail(message: str, status: int) -> int:
    """Print one line, whatever the message quotes, such as an exception's own text; return the exit status."""
    with contextlib.suppress(OSError):  # nobody is listening
        print("mutascope:", *map(str.strip, message.splitlines()), file=sys.stderr, flush=True)
    _drop_unwritten(sys.stderr)
    return status


def _drop_unwritten(stream: TextIO) -> None:
    """Forget what cannot be written: Python would try again at its end, with an exit status of its own."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
