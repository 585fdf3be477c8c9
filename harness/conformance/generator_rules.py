"""Defines the rules of generators as test methods, which pytest collects from a class that names a generator."""

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
from typing import Any, NoReturn, cast

from harness.errors import MutascopeError, StoreError, UsageError
from harness.generators.generate import generate
from harness.generators.generation import Generation
from harness.generators.policies.own.generator import OwnGenerator
from harness.generators.policies.own.subject import SubjectOfGenerator
from harness.generators.protocol import AnyGenerator, Generator, Task
from harness.generators.registry import find_generator, makes_sequences
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


NONSENSE = "no such parameter"
"""An option that no generator accepts after its colon."""


class GeneratorConformance:
    """The rules for each generator: derive a class of tests from this class (`docs/plug_ins.md`).

    `generator` is the generator, or the name under which it is installed. `subject` names a subject for which it can
    make inputs; `scope` and `seed` are those of the generated suites. Subjects are executed in this process.
    """

    generator: AnyGenerator | str
    subject = "search_tree"
    scope = 2
    seed = 0

    def test_it_declares_a_name_and_a_version(self) -> None:
        """Check that both are texts, the same each time, and that there is `produce`, or `explore` for sequences."""
        one, other = self._attempt().generator, self._attempt().generator
        for part in ("name", "version"):
            value = getattr(one, part, None)
            _require(isinstance(value, str) and bool(value.strip()), f"its {part} is {value!r}; make it a text")
            _require(value == getattr(other, part), f"its {part} is another one when it is asked for again")
        _require(one.name.split() == [one.name], f"its name {one.name!r} has spaces; take others")
        both = [name for name in ("produce", "explore") if callable(getattr(one, name, None))]
        _require(len(both) == 1, f"it has {' and '.join(both) or 'neither produce nor explore'}; it must have one")

    def test_the_same_seed_gives_the_same_bytes(self) -> None:
        """Check that two runs on newly loaded subjects write the same suite, also with another seed."""
        for seed in (self.seed, self.seed + 1):
            digests = {self._suite(seed, lambda attempt, suite: suite.header.digest) for _ in range(2)}
            _require(len(digests) == 1, f"two suites of seed {seed} differ; draw from the task's seed alone")

    def test_every_input_is_valid_within_the_scope_and_there_once(self) -> None:
        """Check that states satisfy rep_ok, calls their preconditions, and indices refer to values of the scope."""
        wrong = self._suite(self.seed, wrong_input)
        _require(wrong is None, str(wrong))

    def test_it_tells_what_it_is_at(self) -> None:
        """Check that `explored` is a count at the end of a run, and `current` a text of one line."""
        attempt = self._attempt()
        with empty_folder() as folder:
            generator: Any = attempt.generator
            productions: list[Any] = []

            def asked(name: str) -> Callable[[Any], Any]:
                def ask(task: Any) -> Any:
                    productions.append(getattr(generator, name)(task))
                    return productions[-1]

                return ask

            kept = changed(generator, produce=asked("produce"), explore=asked("explore"))
            replace(attempt, generator=kept).suite(folder)
        _require(bool(productions), "it was asked for no run")
        for production in productions:
            explored, current = production.explored, production.current
            _require(type(explored) is int and explored >= 0, f"explored is {explored!r}; make it a count")
            _require(isinstance(current, str) and len(current.splitlines()) < 2, f"current is {current!r}; tell a line")

    def test_an_interrupted_run_leaves_nothing_behind(self) -> None:
        """Check that KeyboardInterrupt propagates, classes are unchanged, no file is left, and the next suite is the
        same.
        """
        whole = self._suite(self.seed, lambda attempt, suite: suite.header.digest)
        attempt = self._attempt()
        before = attempt.classes()
        with empty_folder() as folder:
            _require(interrupted(attempt, folder), "KeyboardInterrupt is swallowed; let it through")
            _require(not list(folder.iterdir()), "a suite is left behind by a run that was interrupted")
        _require(attempt.classes() == before, "classes of the implementation are changed after an interruption")
        with empty_folder() as folder:
            again = attempt.suite(folder).header.digest
        _require(again == whole, "after an interruption the suite is another one")

    def test_errors_are_told_in_one_line(self) -> None:
        """Check that failing constructors, or a rep_ok that raises or refuses all, lead to a suite or a Mutascope
        error.
        """
        changes: dict[str, Change] = {
            "rep_ok raises": lambda spec: replace(spec, rep_ok=_raises),
            "rep_ok accepts nothing": lambda spec: replace(spec, rep_ok=lambda state: False),
        }
        for description, change in changes.items():
            self._checked_error(description, self._attempt(change).suite)
        self._checked_error("constructors raise", self._without_constructors().suite)
        generator = self._generator()
        error = self._checked_error("a parameter that there is not", lambda _: generator.with_parameter(NONSENSE))
        _require(isinstance(error, UsageError), f"with_parameter({NONSENSE!r}) raises no UsageError")

    def _without_constructors(self) -> Attempt:
        """Return an attempt whose implementation's constructors raise."""
        attempt = self._attempt()
        for held in vars(attempt.module).values():
            if isinstance(held, type) and "__init__" in vars(held):
                held.__init__ = _raises  # type: ignore[misc]
        return attempt

    def _checked_error(self, situation: str, act: Callable[[Path], object]) -> MutascopeError | None:
        """Run `act`, check its error and return it, or None if there is none."""
        with empty_folder() as folder:
            try:
                act(folder)
            except MutascopeError as error:
                lines = str(error).splitlines()
                _require(len(lines) == 1, f"{situation}: the error has {len(lines)} lines: {error}")
                return error
            except Exception as error:
                raise AssertionError(
                    f"{situation}: it raises {type(error).__name__}: {error}; raise an error of harness.errors "
                    "that says in one line what happened, where, and what to do"
                ) from error
        return None

    def _generator(self) -> AnyGenerator | OwnGenerator:
        return find_generator(self.generator) if isinstance(self.generator, str) else self.generator

    def _attempt(self, change: Change = as_it_is, seed: int | None = None) -> Attempt:
        return Attempt.on(self._generator(), self.subject, self.scope, self.seed if seed is None else seed, change)

    def _suite(self, seed: int, look: Callable[[Attempt, SuiteReader], Any]) -> Any:
        """Return the result of `look` on a suite."""
        attempt = self._attempt(seed=seed)
        with empty_folder() as folder:
            return look(attempt, attempt.suite(folder))


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise AssertionError(message)


def _raises(*_: object) -> NoReturn:
    raise ValueError("raised on purpose,\nin two lines")
