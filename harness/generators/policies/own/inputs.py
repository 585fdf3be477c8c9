"""Runs a user's generator, or reads a user's file, and names the line from which an input comes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import GeneratorType, ModuleType
from typing import Any

from harness.amounts import counted
from harness.errors import UsageError

LINES = ".jsonl"


class WrittenInputs:
    """The inputs of one run, as the user has written them, with the line of the file from which the last one came.

    Args:
        file: the user's file.
        iterator: yields the inputs.
        most: the number of inputs that there may be.
        lines: the numbers of the lines of a file of calls.
    """

    def __init__(self, file: str, iterator: Iterator[Any], most: int, lines: Sequence[int] = ()) -> None:
        self._file = file
        self._iterator = iterator
        self._most = most
        self._lines = lines
        self._number = 0
        self._ahead: list[Any] = []

    @property
    def place(self) -> str:
        """The file with the line that gave the last input, and the number of the input."""
        if self._lines:
            return f"{self._file}:{self._lines[self._number - 1]}"
        line = 0
        if isinstance(self._iterator, GeneratorType):
            frame = self._iterator.gi_frame
            own = self._iterator.gi_code.co_filename == self._file
            line = frame.f_lineno if frame is not None and own else 0
        return f"{self._file}:{line}: input {self._number}" if line else f"{self._file}: input {self._number}"

    def first(self) -> Any:
        """Return the first input, which the iteration still yields; None if there is none.

        Raises:
            UsageError: making it raises.
        """
        self._ahead = [item for item in (next(self, None),) if item is not None]
        return self._ahead[0] if self._ahead else None

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        """Return the next input.

        Raises:
            UsageError: making it raises, or it is one more than there may be.
        """
        if self._ahead:
            return self._ahead.pop()
        try:
            item = next(self._iterator)
        except (StopIteration, UsageError):
            raise
        except Exception as error:
            raise failure(self._file, error) from None
        self._number += 1
        if self._number > self._most:
            raise UsageError(
                f"{self.place}: there are more than {counted(self._most, 'input')}; make fewer, or allow N of them "
                "with most=N behind a colon after the generator's name"
            )
        return item


def is_state_with_call(item: Any) -> bool:
    """Return True for an input that is a live state, the name of a target and its arguments."""
    return type(item) is tuple and len(item) == 3 and type(item[1]) is str and isinstance(item[2], (tuple, list))


def lines_of(file: str, text: str, most: int) -> WrittenInputs:
    """Return the inputs in the lines of a file of calls; all of them are parsed before the first is given.

    Raises:
        UsageError: a line is no JSON.
    """
    parsed: dict[int, Any] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            if line.strip():
                parsed[number] = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = " ".join(str(error).split())
            raise UsageError(f"{file}:{number}: no JSON ({why}); write one list of calls in a line") from None
    return WrittenInputs(file, iter(parsed.values()), most, [*parsed])


def yielded_by_file(file: str, text: str, name: str, most: int, arguments: tuple[Any, ...]) -> WrittenInputs:
    """Execute the text of a user's file, and call its function of that name.

    Raises:
        UsageError: the file or the function raises.
    """
    module = ModuleType(Path(file).stem)
    module.__file__ = file
    try:
        exec(compile(text, file, "exec"), vars(module))
        function: Callable[..., Any] = getattr(module, name)
    except Exception as error:
        raise failure(file, error) from None
    return yielded_by(file, function, most, arguments)


def yielded_by(file: str, function: Callable[..., Any], most: int, arguments: tuple[Any, ...]) -> WrittenInputs:
    """Call a function of a file.

    Raises:
        UsageError: it raises, or returns nothing to iterate over.
    """
    try:
        returned = function(*arguments)
        if returned is None:
            name = getattr(function, "__name__", "the generator")
            raise UsageError(f"{file}: {name} returned None; yield the inputs, or return a list of them")
        return WrittenInputs(file, iter(returned), most)
    except UsageError:
        raise
    except Exception as error:
        raise failure(file, error) from None


def failure(file: str, error: Exception) -> UsageError:
    """Return the error that names the line of the user's file at which an exception was raised."""
    lines: list[int] = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    place = f"{file}:{lines[-1]}" if lines else file
    message = " ".join(str(error).split())
    return UsageError(f"{place}: {type(error).__name__}: {message}; correct the generator")
