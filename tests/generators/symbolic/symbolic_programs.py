"""All paths of a function on symbolic integers, and of sequences of calls on small ones, for tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from harness.generators.protocol import SequenceTask
from harness.generators.sequences.structures import CallChoice
from harness.generators.symbolic.caller import Caller
from harness.generators.symbolic.systems import System
from harness.generators.symbolic.values import DECIDING, ConcreteRun, Integer, PathLimit, SymbolicRun


@dataclass(frozen=True)
class Explored:
    """One path: its constraints, its answers, its result, and why values were pinned."""

    system: System
    trace: bytes
    result: Any
    notices: tuple[str, ...]


def explored(function: Callable[..., Any], count: int, system: System) -> list[Explored]:
    """The paths of a function of so many integers; an exception's type stands for a result, PathLimit's too."""
    paths = []
    work = [b""]
    while work:
        run = DECIDING.run = SymbolicRun(system.extended(count), work.pop())
        result = outcome(function, [Integer(x) for x in range(1, count + 1)])
        work += run.sibling_paths()
        paths.append(Explored(run.system, bytes(run.trace), result, tuple(run.notices)))
    return paths


def concrete_run(function: Callable[..., Any], values: Sequence[int]) -> tuple[bytes, Any]:
    """Return the answers and the result on concrete values."""
    run = DECIDING.run = ConcreteRun(values)
    result = outcome(function, [Integer(x) for x in range(1, len(values) + 1)])
    return bytes(run.trace), valued(result, run.values)


def valued(result: Any, values: Sequence[int]) -> Any:
    """Return a result with values for its variables."""
    if type(result) is not Integer:
        return result
    return values[result.variable] + result.added


def outcome(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Return a function's result, or the type of the exception that it raises."""
    try:
        return function(*arguments)
    except (Exception, PathLimit) as error:
        return type(error)


ValuePath = tuple[tuple[CallChoice, ...], bytes, bytes, int, str]
"""Calls, the answers before the last one and in it, its steps, and its exception."""


def paths_of_small_values(task: SequenceTask, small: Sequence[int]) -> set[ValuePath]:
    """Return the behaviour of all sequences of a constructor and one to three calls, on concrete values."""
    caller = Caller(task)
    paths: set[ValuePath] = set()
    for length in range(1, 4):
        for choices in product(caller.constructing, *[caller.calling] * length):
            count = sum(choice.indices.count(None) for choice in choices)
            for values in product(small, repeat=count):
                paths |= _path_of_values(caller, choices, values)
    return paths


def _path_of_values(caller: Caller, choices: tuple[CallChoice, ...], values: tuple[int, ...]) -> set[ValuePath]:
    """Return the behaviour of one sequence; nothing where a call before the last raises."""
    run = DECIDING.run = ConcreteRun()
    left = iter(values)
    receiver, before = None, b""
    for number, choice in enumerate(choices):
        before += bytes(run.trace)
        run.trace = bytearray()
        arguments = [Integer(run.add(next(left))) for _ in range(choice.indices.count(None))]
        outcome = caller.call(choice, receiver, arguments)
        receiver = receiver or outcome.result
        if outcome.raised and number < len(choices) - 1:
            return set()
    return {(choices, before, bytes(run.trace), outcome.steps, outcome.raised)}
