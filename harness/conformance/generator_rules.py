"""Defines the rules of generators as test methods, which pytest collects from a class that names a generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from harness.conformance.attempt import Attempt, Change, as_it_is, changed, empty_folder, interrupted, wrong_input
from harness.errors import MutascopeError, UsageError
from harness.generators.policies.own.generator import OwnGenerator
from harness.generators.protocol import AnyGenerator
from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader

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
