"""All paths of a function on symbolic integers, for tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.generators.symbolic.runs import ConcreteRun, PathLimit, SymbolicRun
from harness.generators.symbolic.systems import System
from harness.generators.symbolic.values import DECIDING, Integer


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
