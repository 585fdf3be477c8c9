"""Loads one subject in this process, generates suites for it in a folder of its own, and looks at their inputs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Hashable, Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from inspect import getmembers, ismethod
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from harness.errors import StoreError
from harness.generators.generate import generate
from harness.generators.generation import Generation
from harness.generators.policies.own.generator import OwnGenerator
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.protocol import AnyGenerator, Generator, Task
from harness.generators.registry import makes_sequences
from harness.generators.sequences.generate import generate_sequences
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.process.trees import remove_tree
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.running.loaded_suite import bounds_of, inputs_of
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.subject import Subject
from harness.runner.subjects import load_subject

Change = Callable[[Spec], Spec]

LATEST = 3
"""The execution of rep_ok, or piece written, that is interrupted."""


def as_it_is(spec: Spec) -> Spec:
    """Return the spec unchanged."""
    return spec


@dataclass(frozen=True)
class Attempt:
    """A generator on a subject at a scope, with a seed."""

    generator: AnyGenerator
    subject: Subject
    spec: Spec
    module: ModuleType
    scope: int
    seed: int

    @classmethod
    def on(
        cls, generator: AnyGenerator | OwnGenerator, subject: str, scope: int, seed: int, change: Change = as_it_is
    ) -> Attempt:
        """Load a subject, executing implementation and spec again; `change` makes another spec of it.

        Raises:
            MutascopeError: the subject cannot be loaded.
        """
        loaded = load_subject(subject)
        spec = change(load_spec(loaded.spec_source, str(loaded.spec_path)))
        module, text = execute(ModuleText.of(loaded)), ModuleText.of(loaded)
        if isinstance(generator, OwnGenerator):
            generator = generator.on(SubjectOfGenerator.of(spec, module, scope, text.source), scope, seed)
        return cls(generator, loaded, spec, module, scope, seed)

    def suite(self, folder: Path) -> SuiteReader:
        """Return the suite, written below `folder`.

        Raises:
            MutascopeError: the generator reports an error.
        """
        place = folder / "suite"
        generation = Generation(
            spec=self.spec,
            module=self.module,
            text=ModuleText.of(self.subject),
            subject=self.subject.name,
            subject_hash=self.subject.content_hash,
            scope=self.scope,
            seed=self.seed,
            folder=place,
        )
        if makes_sequences(self.generator):
            generate_sequences(self.generator, generation)
        else:
            generate(cast(Generator, self.generator), generation)
        return SuiteReader(place)

    def classes(self) -> dict[str, dict[str, object]]:
        """Return the attributes of the implementation's classes, by class name."""
        return {name: dict(vars(held)) for name, held in vars(self.module).items() if isinstance(held, type)}


@contextmanager
def empty_folder() -> Iterator[Path]:
    """Provide an empty folder for suites; the current folder and that of temporary files are an empty one meanwhile.

    Raises:
        AssertionError: something has been left in the empty one.
    """
    with tempfile.TemporaryDirectory() as room:
        suites, empty = Path(room, "suites"), Path(room, "empty")
        suites.mkdir()
        empty.mkdir()
        before = tempfile.tempdir
        tempfile.tempdir = str(empty)
        try:
            with chdir(empty):
                yield suites
        finally:
            tempfile.tempdir = before
            left = sorted(os.listdir(empty))
        if left:
            raise AssertionError(f"files are left behind: {', '.join(left)}; remove them, or write none")


class _Changed:
    """Another object with some attributes of its own."""

    def __init__(self, of: Any, attributes: dict[str, Any]) -> None:
        self._of = of
        vars(self).update(attributes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of, name)


def changed(of: Any, **attributes: Any) -> Any:
    """Return an object that has these attributes, and else those of another one."""
    return _Changed(of, attributes)


def interrupted(attempt: Attempt, folder: Path) -> bool:
    """Interrupt the generation of a suite, as Ctrl-C does. Return whether the generator lets KeyboardInterrupt through.

    States: in rep_ok; of a run that hardly executes it, the first groups are taken and no more, which counts as well.
    Sequences: where the suite is written.
    """
    reached = 0

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            nonlocal reached
            reached += 1
            if reached == LATEST:
                raise KeyboardInterrupt
            return function(*arguments)

        return called

    def explore(task: Any) -> Any:
        production = generator.explore(task)

        def write(writer: Any) -> None:
            methods = {name: counted(method) for name, method in getmembers(writer, ismethod)}
            production.write(changed(writer, **methods))

        return changed(production, write=write)

    def produce(task: Task) -> Any:
        return generator.produce(replace(task, spec=replace(task.spec, rep_ok=counted(task.spec.rep_ok))))

    generator: Any = attempt.generator
    try:
        replace(attempt, generator=changed(generator, explore=explore, produce=produce)).suite(folder)
    except KeyboardInterrupt:
        return True
    if reached >= LATEST or makes_sequences(generator):
        return False
    remove_tree(folder / "suite")
    groups = iter(
        generator.produce(Task(attempt.spec, attempt.module, attempt.spec.finitization(attempt.scope), attempt.seed))
    )
    list(islice(groups, LATEST))
    getattr(groups, "close", lambda: None)()
    return True


def wrong_input(attempt: Attempt, suite: SuiteReader) -> str | None:
    """Return a description of the first input that is outside the scope, invalid or repeated; None if all are right."""
    number_of: dict[Hashable, int] = {}
    identified = _identified(attempt, suite)
    for number in range(len(suite)):
        try:
            identity, wrong = next(identified)
        except (LookupError, ValueError, StoreError) as error:
            return f"input {number} is beyond the scope, or the spec fails on it ({type(error).__name__}: {error})"
        if wrong or identity in number_of:
            return f"input {number} {wrong or f'is input {number_of[identity]} again'}"
        number_of[identity] = number
    return None


def _identified(attempt: Attempt, suite: SuiteReader) -> Iterator[tuple[Hashable, str]]:
    """Yield the identity of each input, and a description of its fault or nothing; all calls but the last are run.

    Raises:
        LookupError, ValueError, StoreError: an input has an index to which no value belongs.
    """
    bounds = bounds_of(attempt.spec, attempt.scope, attempt.subject.source, suite)
    inputs = inputs_of(suite, bounds, attempt.module, attempt.spec)
    for number in range(len(suite)):
        state, call = suite.input(number)
        before = tuple(suite.prefix(state) if suite.holds_sequences else suite.vector(state))
        for field in bounds.fields if isinstance(bounds, StateSpace) else ():
            if before[field.number] >= len(field.domain):
                raise LookupError(f"value number {before[field.number]} of field {field.name}")
        prepared = inputs.prepare(number)
        prepared.lead_up()
        wrong = ""
        if isinstance(bounds, StateSpace) and not (prepared.any_state or attempt.spec.rep_ok(prepared.root)):
            wrong = "has a state that rep_ok refuses"
        elif (holds := prepared.precondition()) is not None and not holds():
            wrong = "does not satisfy what its last call requires: the precondition does not hold"
        yield (before, suite.calls[call]), wrong
