"""The generator of a user: a function in a file of Python, or a file with one list of calls in each line.

`FILE.py:NAME` names a function `generate(subject, scope, seed)`, which yields lists of calls. `FILE.jsonl` has such a
list in each line, as JSON. Both are executed, or read, in the process that generates suites. The inputs are made twice:
first to find the values beyond the bounds, then to write them, which also shows whether they are the same again.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import GeneratorType, ModuleType
from typing import Any

from harness.errors import UsageError
from harness.generators.policies.own.calls import CallEncoder, EncodedCall, WrongCalls
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.productions import ProductionBase
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.storage import Storage
from harness.kernel.inputs.routines import ABSENT, Routines
from harness.kernel.inputs.suites import SuiteWriter
from harness.kernel.inputs.written_calls import show_sequence
from harness.names import suggestion
from harness.resources import read_source

PYTHON, LINES = ".py", ".jsonl"
_MOST_SHOWN = 3


def own_generator(name: str) -> OwnGenerator:
    """Return the generator in a user's file. The file is read, not executed.

    Raises:
        UsageError: there is no such file, or no such function in it.
        SourceError: the file cannot be read.
    """
    path, _, _ = name.partition(":")
    return OwnGenerator(name, read_source(Path(path), "name a file of yours behind --generator or --suite"))


class OwnGenerator:
    """A generator, or a suite, in a file of the user.

    Args:
        name: `FILE.py:NAME` or `FILE.jsonl`, as the user has named it.
        text: the text of the file.

    Raises:
        UsageError: there is no such function.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.file, _, self._function = name.partition(":")
        self.version = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]
        if self.file.endswith(PYTHON):
            _check_function(self.file, text, self._function)

    def explore(self, task: SequenceTask) -> OwnProduction:
        """Start a run."""
        make = self._lines if self.file.endswith(LINES) else self._yielded
        return OwnProduction(self, task, make)

    def _lines(self, task: SequenceTask) -> _Inputs:
        return _Inputs(self.file, _parsed_lines(self.file, self.text))

    def _yielded(self, task: SequenceTask) -> _Inputs:
        """Execute the file anew, and call the function.

        Raises:
            UsageError: the file or the function raises.
        """
        module = ModuleType(Path(self.file).stem)
        module.__file__ = self.file
        try:
            exec(compile(self.text, self.file, "exec"), vars(module))
            function: Callable[..., Any] = getattr(module, self._function)
            iterable = function(SubjectOfGenerator.of(task), task.scope, task.seed)
            return _Inputs(self.file, iter(iterable))
        except Exception as error:
            raise _failure(self.file, error) from None


class OwnProduction(ProductionBase):
    """One run of a user's generator."""

    def __init__(self, generator: OwnGenerator, task: SequenceTask, make: Callable[[SequenceTask], _Inputs]) -> None:
        self._generator = generator
        self._task = task
        self._make = make
        self._encoder = CallEncoder(task.bounds)
        self._current = ""
        self.explored = 0

    @property
    def current(self) -> str:
        """The sequence that is being executed, as short text."""
        return self._current

    def write(self, writer: SuiteWriter) -> None:
        """Write the inputs in the order in which they are given, each once.

        Raises:
            UsageError: the generator raises, yields nothing or something else, or other inputs when it runs again.
        """
        first_digest = hashlib.sha256()
        beyond = total = 0
        inputs = self._make(self._task)
        for sequence in inputs.encoded(self._encoder):
            first_digest.update(repr(sequence).encode())
            beyond += self._encoder.is_beyond(sequence)
            total += 1
            self.explored += 1
        if not total:
            raise UsageError(
                f"{self._generator.file}: there is no input at scope {self._task.scope}; make one at least"
            )
        writer.header.outside = self._encoder.outside
        again = hashlib.sha256()
        self.explored = 0
        storage = Storage(writer)
        bounds = self._task.bounds.extended(self._encoder.outside)
        routines = Routines(self._task.module, bounds)
        inputs = self._make(self._task)
        for sequence in inputs.encoded(self._encoder):
            again.update(repr(sequence).encode())
            calls = self._encoder.calls(sequence)
            self._current = show_sequence(bounds, list(calls))
            self.explored += 1
            self._check_preconditions(routines, calls, inputs)
            if not storage.has(calls):
                storage.add(calls)
        if again.digest() != first_digest.digest():
            raise UsageError(
                f"{self._generator.file}: other inputs when it runs again with the same seed; draw from "
                "random.Random(seed), and depend on no set order or time"
            )
        if total > storage.count:
            self._task.notice(f"{total - storage.count:,} of {total:,} inputs came twice, and count once")
        if beyond:
            self._task.notice(
                f"{beyond:,} of {total:,} inputs go beyond the bounds of the spec, and are judged as they are"
            )

    def _check_preconditions(self, routines: Routines, calls: tuple[Any, ...], inputs: _Inputs) -> None:
        """Run a sequence on the original, as far as calls return what later ones take.

        Raises:
            UsageError: the precondition of a call does not hold, or it takes what no call has returned.
        """
        results: list[Any] = []
        for number, call in enumerate(calls):
            try:
                ready = routines.ready(call, results)
            except LookupError as error:
                problem = f"call {number} takes what there is not, as {error}"
                raise UsageError(f"{inputs.place()}: {self._current}: {problem}; end the sequence before it") from None
            requires = ready.routine.requires
            if requires is not None and not requires(ready.receiver, *ready.arguments):
                problem = f"the precondition of call {number} does not hold"
                raise UsageError(f"{inputs.place()}: {self._current}: {problem}; leave the call out")
            try:
                results.append(ready.function(*ready.passed))
            except Exception:
                results.append(ABSENT)


class _Inputs:
    """The inputs of one run, with the line of the file from which the last one came."""

    def __init__(self, file: str, iterator: Iterator[Any]) -> None:
        self._file = file
        self._iterator = iterator
        self._number = 0

    def place(self) -> str:
        """Return the file with the line that gave the last input, and the number of the input."""
        line = 0
        if isinstance(self._iterator, GeneratorType):
            frame = self._iterator.gi_frame
            own = self._iterator.gi_code.co_filename == self._file
            line = frame.f_lineno if frame is not None and own else 0
        return f"{self._file}:{line}: input {self._number}" if line else f"{self._file}: input {self._number}"

    def encoded(self, encoder: CallEncoder) -> Iterator[tuple[EncodedCall, ...]]:
        """Yield the inputs encoded.

        Raises:
            UsageError: making an input raises, or one is no sequence of calls.
        """
        while True:
            try:
                item = next(self._iterator)
            except StopIteration:
                return
            except UsageError:
                raise
            except Exception as error:
                raise _failure(self._file, error) from None
            self._number += 1
            calls, place = (item.calls, item.place) if isinstance(item, _Line) else (item, self.place())
            try:
                encoded = encoder.sequence(calls)
            except WrongCalls as error:
                raise UsageError(f"{place}: {error}") from None
            yield encoded


class _Line:
    """One line of a file of calls."""

    def __init__(self, place: str, calls: Any) -> None:
        self.place = place
        self.calls = calls


def _parsed_lines(file: str, text: str) -> Iterator[_Line]:
    """Yield the lines of a file of calls; all of them are parsed before the first is given.

    Raises:
        UsageError: lines are no JSON.
    """
    lines: list[_Line] = []
    wrong: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            lines.append(_Line(f"{file}:{number}", json.loads(line)))
        except (ValueError, RecursionError) as error:
            wrong.append(f"line {number} ({' '.join(str(error).split())})")
    if wrong:
        more = f" and {len(wrong) - _MOST_SHOWN} more" * (len(wrong) > _MOST_SHOWN)
        raise UsageError(
            f"{file}: no JSON in {', '.join(wrong[:_MOST_SHOWN])}{more}; write one list of calls in a line"
        )
    return iter(lines)


def _check_function(file: str, text: str, name: str) -> None:
    """Refuse a file without the function.

    Raises:
        UsageError: it has no such function, or is no Python.
    """
    try:
        body = ast.parse(text, file).body
    except (SyntaxError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise UsageError(f"{file}{line}: {getattr(error, 'msg', error)}; correct the generator") from None
    names = [part.name for part in body if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    assigned = _assigned(body)
    if name not in (*names, *assigned):
        raise UsageError(f"{file}: no function {name!r}; {suggestion(name, names)}")


def _assigned(body: Iterable[ast.stmt]) -> set[str]:
    return {
        target.id
        for part in body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }


def _failure(file: str, error: Exception) -> UsageError:
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
