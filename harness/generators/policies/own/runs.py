"""Runs a user's generator twice, or reads a user's file, counts the inputs, and names the line from which one comes."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import GeneratorType, ModuleType
from typing import TYPE_CHECKING, Any

from harness.amounts import counted
from harness.errors import UsageError
from harness.generators.protocol import ProductionBase, ProductionFacts
from harness.kernel.inputs.describe import show
from harness.model.finitization import Target
from harness.model.routines import Routine

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen


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


_INVALID = "rep_ok, or what the target requires, is false"
_LONGEST = 60


@dataclass
class InputCounts:
    """The numbers of inputs: all, those beyond the bounds, those that are invalid, and those in the suite."""

    total: int = 0
    beyond: int = 0
    invalid: int = 0
    stored: int = 0
    first_invalid: str = ""

    def add_invalid(self, place: str, text: str) -> None:
        """Count an invalid input."""
        self.invalid += 1
        self.first_invalid = self.first_invalid or f"{place}: {text}"

    def check_valid(self) -> None:
        """Refuse a run without valid inputs.

        Raises:
            UsageError: there is none.
        """
        if not self.stored:
            raise UsageError(
                f"{self.first_invalid} is invalid, like all {counted(self.total, 'input')}: {_INVALID}; make one valid "
                "input at least"
            )

    def lines(self) -> list[str]:
        """Return the lines for the user."""
        repeated = self.total - self.invalid - self.stored
        of_all = f"of {counted(self.total, 'input')}"
        lines = []
        if repeated:
            lines.append(f"{repeated:,} {of_all} came twice; each counts once")
        if self.beyond:
            rule = "goes {}, and is judged as it is" if self.beyond == 1 else "go {}, and are judged as they are"
            inputs = "the only input" if self.total == 1 else f"{self.beyond:,} {of_all}"
            lines.append(f"{inputs} {rule.format('beyond the bounds of the spec')}")
        if self.invalid:
            verb = "is" if self.invalid == 1 else "are"
            lines.append(
                f"{self.invalid:,} {of_all} {verb} invalid, and left out: {_INVALID}; the first is {self.first_invalid}"
            )
        return lines

    def details(self) -> dict[str, int]:
        """Return the numbers for the table of trials."""
        return {
            "own.yielded": self.total,
            "own.repeated": self.total - self.invalid - self.stored,
            "own.beyond": self.beyond,
            "own.invalid": self.invalid,
        }


class WrongInput(ValueError):
    """Raised for an input that the spec does not declare; says what is wrong with it."""


class Outside:
    """The values of arguments that are beyond the bounds, as literals with numbers for each parameter."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[str, int]] = {}

    def number(self, target: int, position: int, literal: str) -> int:
        """Return the number of a value among those of its parameter, which it may get now."""
        numbers = self._numbers.setdefault(f"{target}:{position}", {})
        return numbers.setdefault(literal, len(numbers))

    def count(self, target: int, position: int) -> int:
        """Return how many values a parameter has."""
        return len(self._numbers.get(f"{target}:{position}", ()))

    def __len__(self) -> int:
        return sum(map(len, self._numbers.values()))

    @property
    def literals(self) -> dict[str, list[str]]:
        """The values, as `SuiteHeader.outside` has them."""
        return {place: list(numbers) for place, numbers in self._numbers.items()}


class OwnRun(ProductionBase, ABC):
    """One run of a user's generator.

    The first pass finds the values beyond the bounds. The second one writes the inputs, and notices different ones.
    """

    def __init__(self, chosen: Chosen, scope: int | None, outside: Outside) -> None:
        self._chosen = chosen
        self._scope = scope
        self._outside = outside
        self._counts = InputCounts()
        self._first = b""
        self.current = ""
        self.explored = 0

    def facts(self) -> ProductionFacts:
        """Return the numbers of inputs that are invalid, repeated or beyond the bounds."""
        return ProductionFacts(notices=self._counts.lines(), details=self._counts.details(), searchable=False)

    @abstractmethod
    def _encode(self, item: Any) -> tuple[Any, bool]:
        """Return an input encoded, and whether it is beyond the bounds.

        Raises:
            WrongInput: the spec does not declare it.
        """

    def _literals_outside(self) -> dict[str, list[str]]:
        """Make the inputs for the first time, and return the values beyond the bounds."""
        first = hashlib.sha256()
        for encoded, is_beyond, _ in self._encoded():
            first.update(repr(encoded).encode())
            self._counts.total += 1
            self._counts.beyond += is_beyond
        if not self._counts.total:
            raise UsageError(f"{self._chosen.file}: there is no input at scope {self._scope}; make one at least")
        self._first = first.digest()
        return self._outside.literals

    def _again(self) -> Iterator[tuple[Any, str]]:
        """Make the inputs for the second time, and yield each with its place in the user's file."""
        count, again = len(self._outside), hashlib.sha256()
        for encoded, _, place in self._encoded():
            again.update(repr(encoded).encode())
            if len(self._outside) != count:
                break
            yield encoded, place
        if again.digest() != self._first:
            raise UsageError(
                f"{self._chosen.file}: other inputs when it runs again with the same seed; draw from "
                "random.Random(seed), and depend on no set order or time"
            )

    def _encoded(self) -> Iterator[tuple[Any, bool, str]]:
        self.explored = 0
        inputs = self._chosen.inputs()
        for item in inputs:
            self.explored += 1
            try:
                yield *self._encode(item), inputs.place
            except WrongInput as error:
                raise UsageError(f"{inputs.place}: {error}") from None


def wrong_number(name: str, count: int, declared: Iterable[Routine | Target]) -> str:
    """Return what is wrong with the number of arguments of a call.

    Args:
        declared: what the spec declares under the name; one, or several constructors.
    """
    numbers = " or ".join(str(len(one.parameters)) for one in declared)
    return f"{name} gets {counted(count, 'argument')}; the spec declares {numbers}"


def short_text(value: Any) -> str:
    """Return a value as a short line."""
    text = " ".join(show(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
