"""A generator that breaks a rule is told which, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.conformance import GeneratorConformance
from harness.errors import SpecError
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import GeneratorBase, Group, ProductionBase, Task
from harness.kernel.inputs.suites import NO_STATE, Call, InputKind, SuiteWriter


class Production(ProductionBase):
    """Korat's groups, changed."""

    def __init__(self, task: Task, change: Callable[[Iterator[Group]], Iterator[Group]]) -> None:
        self._production = Korat().produce(task)
        self._change = change
        self.structures: dict[str, list[list[int]]] = {}
        self.explored = 0
        self.current = "a candidate"

    def __iter__(self) -> Iterator[Group]:
        yield from self._change(iter(self._production))


class Mine(GeneratorBase):
    """A generator of one's own that does the same as Korat."""

    name = "mine"
    version = "1"

    def produce(self, task: Task) -> Production:
        return Production(task, self.changed)

    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        yield from groups


class Nameless(Mine):
    name = " "


class Renamed(Mine):
    runs = 0

    @property
    def version(self) -> str:  # type: ignore[override]
        Renamed.runs += 1
        return str(Renamed.runs)


class OfTwoKinds(Mine):
    def explore(self, task: Any) -> None:
        raise NotImplementedError


class Unsteady(Mine):
    runs = 0

    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        Unsteady.runs += 1
        states = list(groups)
        yield from states[Unsteady.runs % len(states) :]


class Beyond(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        for vector, _ in groups:
            yield vector, [Call(0, (99,))]


class Invalid(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        for vector, calls in groups:
            yield vector, calls
        yield (0, 1, *vector[2:]), calls


class Twice(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        states = [(tuple(vector), list(calls)) for vector, calls in groups]
        yield from states + states


class Wordy(Mine):
    def produce(self, task: Task) -> Production:
        production = super().produce(task)
        production.current = "one\ntwo"
        return production


class Deaf(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        try:
            yield from groups
        except KeyboardInterrupt:
            return


class Untidy(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        Path("notes.txt").write_text("left", encoding="utf-8")
        yield from groups


class Meddling(Mine):
    def produce(self, task: Task) -> Production:
        task.module.SearchTree.met = True
        return super().produce(task)


class Wild(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        try:
            yield from groups
        except SpecError as error:
            raise KeyError("no state") from error


class Verbose(Mine):
    def changed(self, groups: Iterator[Group]) -> Iterator[Group]:
        try:
            yield from groups
        except SpecError as error:
            raise SpecError("one\ntwo") from error


class Lenient(Mine):
    def with_parameter(self, text: str) -> Lenient:
        return self


class Sequences(GeneratorBase, ProductionBase):
    """Sequences of no calls that there are."""

    input_kind = InputKind.SEQUENCES
    name = "sequences"
    version = "1"
    explored = 1
    current = "a sequence"

    def explore(self, task: Any) -> Sequences:
        return self

    def write(self, writer: SuiteWriter) -> None:
        writer.add_input(NO_STATE, Call(1, (7, 0)))


NAMED, BYTES, VALID, AT, INTERRUPTED, ERRORS = (
    "test_it_declares_a_name_and_a_version",
    "test_the_same_seed_gives_the_same_bytes",
    "test_every_input_is_valid_within_the_scope_and_there_once",
    "test_it_tells_what_it_is_at",
    "test_an_interrupted_run_leaves_nothing_behind",
    "test_errors_are_told_in_one_line",
)


def held(generator: Any) -> GeneratorConformance:
    rules = GeneratorConformance()
    rules.generator = generator
    rules.scope = 1
    return rules


@pytest.mark.parametrize("rule", [NAMED, BYTES, VALID, AT, INTERRUPTED, ERRORS])
def test_a_generator_that_keeps_the_rules_passes(rule: str) -> None:
    getattr(held(Mine()), rule)()


@pytest.mark.parametrize(
    ("generator", "rule", "message"),
    [
        (Nameless(), NAMED, "its name is ' '; make it a text"),
        (Renamed(), NAMED, "its version is another one when it is asked for again"),
        (OfTwoKinds(), NAMED, "it has produce and explore; it must have one"),
        (Unsteady(), BYTES, "two suites of seed 0 differ; draw from the task's seed alone"),
        (Beyond(), VALID, "beyond the scope"),
        (Invalid(), VALID, "has a state that rep_ok refuses"),
        (Twice(), VALID, "is input 0 again"),
        (Sequences(), VALID, "input 0 is beyond the scope"),
        (Wordy(), AT, "tell a line"),
        (Deaf(), INTERRUPTED, "KeyboardInterrupt is swallowed; let it through"),
        (Untidy(), BYTES, "files are left behind: notes.txt"),
        (Meddling(), INTERRUPTED, "classes of the implementation are changed"),
        (Wild(), ERRORS, "rep_ok raises: it raises KeyError: 'no state'"),
        (Verbose(), ERRORS, "rep_ok raises: the error has 2 lines"),
        (Lenient(), ERRORS, "raises no UsageError"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_what_breaks_a_rule_is_told(generator: Any, rule: str, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        getattr(held(generator), rule)()
    assert message in str(caught.value)
