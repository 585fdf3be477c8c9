"""Interrupts a generation with KeyboardInterrupt, as Ctrl-C does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

from harness.conformance.attempt import Attempt
from harness.generators.protocol import Generator, Task
from harness.generators.registry import makes_sequences

LATEST = 3
"""The execution of rep_ok, or piece written, that is interrupted."""


def interrupted(attempt: Attempt, folder: Path) -> bool:
    """Interrupt the generation of a suite. Return whether the generator let KeyboardInterrupt propagate.

    States: in rep_ok; of a run that hardly executes it, the first groups are taken and no more, which counts as well.
    Sequences: where the suite is written.
    """
    count = _Count()
    if makes_sequences(attempt.generator):
        stopped = replace(
            attempt, generator=cast(Any, PatchedGenerator(attempt.generator, "explore", count.stopping_writer))
        )
    else:
        stopped = replace(attempt, generator=cast(Any, _CountedGenerator(attempt.generator, count)))
    try:
        stopped.suite(folder)
    except KeyboardInterrupt:
        return True
    if count.reached >= LATEST or makes_sequences(attempt.generator):
        return False
    with suppress(FileNotFoundError):
        for path in (folder / "suite").iterdir():
            path.unlink()
        (folder / "suite").rmdir()
    finitization = attempt.spec.finitization(attempt.scope)
    task = Task(attempt.spec, attempt.module, finitization, attempt.seed)
    groups = iter(cast(Generator, attempt.generator).produce(task))
    list(islice(groups, LATEST))
    getattr(groups, "close", lambda: None)()
    return True


class _CountedGenerator:
    """A generator of states whose own executions of rep_ok are counted, without those that check a sample."""

    def __init__(self, generator: Any, count: _Count) -> None:
        self._generator = generator
        self._count = count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def produce(self, task: Task) -> Any:
        counted = replace(task.spec, rep_ok=self._count.counting(task.spec.rep_ok))
        return self._generator.produce(replace(task, spec=counted))


class PatchedGenerator:
    """A generator whose method `name` returns its result after `change`."""

    def __init__(self, generator: Any, name: str, change: Callable[[Any], Any]) -> None:
        self._generator = generator
        self._name = name
        self._change = change

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._generator, name)
        return (lambda task: self._change(attribute(task))) if name == self._name else attribute


class _Count:
    """Raises KeyboardInterrupt the third time."""

    def __init__(self) -> None:
        self.reached = 0

    def up(self) -> None:
        """Count one more execution."""
        self.reached += 1
        if self.reached == LATEST:
            raise KeyboardInterrupt

    def counting(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the function with a counter of its executions."""

        def counted(value: Any) -> Any:
            self.up()
            return function(value)

        return counted

    def stopping_writer(self, production: Any) -> Any:
        """Return the production with a writer that counts its calls."""
        return _Stopped(production, self)


class _Stopped:
    def __init__(self, production: Any, count: _Count) -> None:
        self._production = production
        self._count = count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._production, name)

    def write(self, writer: Any) -> None:
        self._production.write(_Writer(writer, self._count))


class _Writer:
    """A suite's writer that counts its calls."""

    def __init__(self, writer: Any, count: _Count) -> None:
        self._writer = writer
        self._count = count

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._writer, name)
        if callable(attribute):
            self._count.up()
        return attribute
