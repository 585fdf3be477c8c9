"""Suites of random routines take each way through the last call that small values take, found by carrying out all."""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any

import pytest
from support.sequence_suites import bounds_of, suite_of_text
from support.sweeps import WHOLE

from harness.generators.policies.css.generator import CandidateSequenceSearch
from harness.generators.policies.symstra.generator import Symstra
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute

VALUES = range(6)
CALLS = 2

EXPRESSIONS = (
    "({} + {})", "({} - {})", "({} * {n})", "({} // {n})", "({} % {n})", "(-{})", "abs({})", "max({}, {})",
    "({} ^ {})", "({} & {n})", "({} << 1)", "int({})", "len('ab' * {})", "int(str({}))", "round({} / 2)", "bool({})",
    "int(math.sqrt(abs({})))", "divmod({}, {n})[{bit}]", "sum([{}, {}])", "[1, 5, 9, 2][{} % 4]",
    "min({}, {})", "{{0: 1, 2: 7}}.get({}, 4)",
    "sorted([{}, {}])[0]", "hash({})", "bisect.bisect([1, 3, 5], {})", "int('{{}}'.format({}))", "len(range({}))",
    "int.from_bytes(bytes([abs({})]), 'big')", "({} or {})", "({} and {})", "({} if {} else {})", "int(json.dumps({}))",
    "pow({}, 2)", "len([each for each in range({}) if each > {}])",
)  # fmt: skip
"""A pair of braces is an expression, `n` a number from 1 to 5, `bit` 0 or 1."""

CONDITIONS = (
    "{} < {}", "{} <= {}", "{} > {}", "{} >= {}", "{} == {}", "{} != {}", "{} < {n}", "{} == {n}", "not {}", "{}",
    "{} in ({n}, 0)", "{} in {{1, 4}}", "1 < {} < {}", "isinstance({}, int)", "type({}) is int", "str({}) == '{n}'",
    "{} > {n}.5", "({} == {} and {} < 3)", "({} > 4 or {} == 1)", "any(each == {} for each in (1, 2))",
)  # fmt: skip


class Routine:
    """A class A with a routine f(value) of random statements."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        body = self._statements(["value", "self.last"], 2, "        ")
        imports = [f"import {module}\n" for module in ("bisect", "json", "math")]
        init = ["    def __init__(self):\n", "        self.kept = []\n", "        self.last = 0\n"]
        lines = [*imports, "class A:\n", *init, "    def f(self, value):\n", *(f"{line}\n" for line in body)]
        self.text = "".join([*lines, "        return 0\n"])

    def _expression(self, names: list[str], depth: int) -> str:
        if not depth:
            return self._random.choice([*names, *names, str(self._random.randint(-3, 6))])
        return self._filled(self._random.choice(EXPRESSIONS), names, depth - 1)

    def _condition(self, names: list[str], depth: int) -> str:
        return self._filled(self._random.choice(CONDITIONS), names, depth)

    def _filled(self, template: str, names: list[str], depth: int) -> str:
        parts = [self._expression(names, depth) for _ in range(template.count("{}"))]
        return template.format(*parts, n=self._random.randint(1, 5), bit=self._random.randint(0, 1))

    def _statements(self, names: list[str], depth: int, pad: str) -> list[str]:
        lines: list[str] = []
        for _ in range(self._random.randint(1, 3)):
            kind = self._random.choice(("assign", "assign", "if", "if", "for", "try", "keep", "return"))
            if kind == "assign":
                name = self._random.choice(("one", "other"))
                lines.append(f"{pad}{name} = {self._expression(names, self._random.randint(1, 2))}")
                names = [*names, name]
            elif kind == "keep":
                target = self._random.choice(("self.kept.append({})", "self.last = {}"))
                lines.append(pad + target.format(self._expression(names, 1)))
            elif kind == "return" or not depth:
                lines += [f"{pad}if {self._condition(names, 0)}:", f"{pad}    return {self._expression(names, 1)}"]
            else:
                lines += self._compound(kind, names, depth - 1, pad)
        return lines

    def _compound(self, kind: str, names: list[str], depth: int, pad: str) -> list[str]:
        inner = f"{pad}    "
        if kind == "if":
            head, after = f"if {self._condition(names, self._random.randint(0, 1))}:", []
            if self._random.random() < 0.5:
                after = [f"{pad}else:", *self._statements(names, depth, inner)]
            return [pad + head, *self._statements(names, depth, inner), *after]
        if kind == "for":
            times = self._random.choice(("3", self._expression(names, 0)))
            return [f"{pad}for i in range({times}):", *self._statements([*names, "i"], depth, inner)]
        error = self._random.choice(("Exception", "ValueError", "TypeError", "ZeroDivisionError"))
        return [
            f"{pad}try:", *self._statements(names, depth, inner), f"{pad}except {error}:", f"{inner}self.kept.append(0)"
        ]  # fmt: skip


Way = tuple[object, ...]
"""The lines of a call, and how it ended."""


def last_way(module: ModuleType, values: tuple[int, ...]) -> Way | None:
    """Return the way of the last of these calls; None where one before it raises."""
    receiver = module.A()
    for number, value in enumerate(values, start=1):
        way, has_raised = _way(module, receiver, value)
        if number == len(values):
            return way
        if has_raised:
            return None
    return None


def _way(module: ModuleType, receiver: Any, value: int) -> tuple[Way, bool]:
    lines: list[object] = []

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_globals is not vars(module):  # of an earlier routine, as what it left half-way is thrown away
            return None
        lines.append((event, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        receiver.f(value)
    except Exception as error:
        return (*lines, type(error).__name__), True
    finally:
        sys.settrace(before)
    return tuple(lines), False


def all_ways(module: ModuleType) -> dict[Way, tuple[int, ...]]:
    """Each way of a last call, with values that take it: all sequences of calls are carried out."""
    values_of_way: dict[Way, tuple[int, ...]] = {}
    for calls in range(1, CALLS + 1):
        for values in itertools.product(VALUES, repeat=calls):
            way = last_way(module, values)
            if way is not None:
                values_of_way.setdefault(way, values)
    return values_of_way


def ways_of(module: ModuleType, suite: SuiteReader) -> Iterator[Way | None]:
    """Yield the ways of the last calls of a suite."""
    for number in range(len(suite)):
        calls = suite.sequence(number)
        yield last_way(module, tuple(call.arguments[1] for call in calls if len(call.arguments) > 1))


def check(seed: int, folder: Path) -> int:
    """Asks both generators for suites of a random routine; how many of them promise each way."""
    text = Routine(seed).text
    promising = 0
    for generator in (Symstra(), CandidateSequenceSearch()):
        suite, notices = suite_of_text(
            folder / f"{generator.name}{seed}", generator, text, bounds_of("A", f=(VALUES,)), CALLS
        )
        if all("made concrete" in notice for notice in notices):  # any other says that ways may be missing
            promising += 1
            module = execute(ModuleText("program", text, "program.py"))
            ways = set(ways_of(module, suite))
            missing = [values for way, values in all_ways(module).items() if way not in ways]
            assert not missing, f"seed {seed}, {generator.name}: no test goes the way of {missing[0]}\n{text}"
    return promising


@pytest.mark.slow
def test_ways_through_random_routines_are_all_taken(tmp_path):
    assert sum(check(seed, tmp_path) for seed in range(50)) >= 25


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 500 if WHOLE else 300, 100))
def test_ways_through_many_random_routines_are_all_taken(first, tmp_path):
    assert sum(check(seed, tmp_path) for seed in range(first, first + 100)) >= 50


def test_a_suite_that_lacks_a_way_is_found_out():
    text = "class A:\n    def f(self, value):\n        if value == 4:\n            return 1\n        return 0\n"
    module = execute(ModuleText("program", text, "program.py"))
    ways = all_ways(module)
    assert sorted(ways.values()) == [(0,), (4,)]
    assert len({last_way(module, (value,)) for value in (0, 1, 2, 3, 5)}) == 1
