"""Built-in generators and those in files keep the rules, and one that breaks a rule is told which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Any

import pytest

from harness.conformance import GeneratorConformance
from harness.errors import SpecError
from harness.generators.policies.korat.generator import Korat
from harness.generators.policies.own.generator import OwnGenerator, SequencesChosen
from harness.generators.protocol import GeneratorBase, Group, ProductionBase, Task
from harness.generators.registry import BUILT_IN, find_generator
from harness.kernel.inputs.suites import NO_STATE, Call, InputKind, SuiteWriter

WITH_MORE = {
    "korat-plus": "search_tree_delete",
    "one-per-class": "search_tree_delete",
    "field-exhaustive": "field_sorted_list",
    "sat-exhaustive": "field_sorted_list",
}
"""Subjects of generators that need a criterion, or a declarative invariant."""
FEWER = {"hypothesis": "hypothesis:5", "hypothesis-stateful": "hypothesis-stateful:5", "random": "random:50"}
"""Generators by names that have them make fewer inputs."""
RULES = [name for name, _ in getmembers(GeneratorConformance, isfunction) if name.startswith("test_")]


LONGEST = {("hypothesis-stateful", "test_errors_are_told_in_one_line")}
PAIRS = [
    pytest.param(name, rule, marks=[pytest.mark.slow] if (name, rule) in LONGEST else [])
    for name in BUILT_IN
    for rule in RULES
]


@pytest.mark.parametrize(("name", "rule"), PAIRS)
def test_a_built_in_generator_keeps_the_rule(name: str, rule: str) -> None:
    held = GeneratorConformance()
    held.generator = FEWER.get(name) or find_generator(name)
    held.subject = WITH_MORE.get(name, "search_tree")
    getattr(held, rule)()


FUNCTION = """
from random import Random


def generate(subject, scope, seed):
    draw = Random(seed)
    for length in range(1, 8):
        calls = [(draw.choice(["add", "remove"]), draw.randrange(scope + 3)) for _ in range(length)]
        yield [(subject.root,), *calls]
"""
LINES = '[["SearchTree"], ["add", 1], ["remove", 1]]\n[["SearchTree"], ["add", 17]]\n[["SearchTree"], ["add", 17]]\n'


class TestFunction(GeneratorConformance):
    generator = OwnGenerator("mine.py:generate", FUNCTION)


class TestLines(GeneratorConformance):
    generator = OwnGenerator("cases.jsonl", LINES)


def test_a_relative_path_is_that_of_the_folder_in_which_the_tests_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Here(GeneratorConformance):
        generator = "cases.jsonl"

    monkeypatch.chdir(tmp_path)
    Path("cases.jsonl").write_text(LINES, encoding="utf-8")
    Here().test_it_tells_what_it_is_at()
    monkeypatch.setattr(SequencesChosen, "explore", lambda *_: 1 / 0)
    with pytest.raises(AssertionError, match="rep_ok raises: it raises ZeroDivisionError"):
        Here().test_errors_are_told_in_one_line()


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
