"""Executes calls of a scope's routines with symbolic arguments on the program, with counted steps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.generators.protocol import NotSymbolic, SequenceTask
from harness.generators.sequences.replay import permitted
from harness.generators.sequences.structures import CallChoice
from harness.generators.symbolic.formulas import Range, Ranges
from harness.generators.symbolic.rewriting import (
    PATH_END,
    SymbolicArgumentEscaped,
    compiled,
    is_end_of_stack,
    place_of_error,
    presets,
)
from harness.generators.symbolic.values import EndlessPath, Integer, PathLimit
from harness.kernel.inputs.routines import Routines, with_keywords
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import state_of
from harness.kernel.program.loader import TICK, StepLimit, execute, recursion_limited, step_counter
from harness.model.routines import ArgumentDomain, Routine, RoutineKind

MOST_STEPS = 20_000
"""The largest number of steps of a call on one path; a longer path counts as endless."""


class Ending(Enum):
    """The way in which a path through a call ends."""

    RETURNED = "returned"
    RAISED = "raised"
    UNMET = "precondition not met"
    """The precondition rejected its arguments; no test."""
    ENDLESS = "endless"
    """It took MOST_STEPS, forked MOST_FORKS times, or exhausted the stack; no test."""
    LIMIT = "limit of the solver"
    """It continued where the solver did not know whether the path is feasible; no test."""


class PathResult(NamedTuple):
    """The outcome of a call.

    Attributes:
        result: the returned object; None if the call did not return.
        raised: the name of the exception, if there was one.
        place: where in the program it was raised, as text.
        steps: the steps of the call.
    """

    ending: Ending
    result: Any
    raised: str
    steps: int
    place: str = ""


NOTHING = PathResult(Ending.RETURNED, None, "", 0)
"""The outcome of no call."""


@dataclass(frozen=True, slots=True)
class SymbolicCall:
    """A call with variables for its symbolic arguments: the parameters for which the choice has no index, in order."""

    choice: CallChoice
    variables: tuple[int, ...]


def blaming(calls: Sequence[SymbolicCall], left: SymbolicArgumentEscaped) -> NotSymbolic:
    """Return an error that blames the calls whose arguments left the subset, or all calls if none of them did."""
    blamed = [call for call in calls if not left.variables.isdisjoint(call.variables)]
    return NotSymbolic(targets_of(blamed or calls), str(left))


def check_attempts(task: SequenceTask, explored: int) -> None:
    """Refuse a search that has explored more paths than the spec allows.

    Raises:
        SpecError: it has.
    """
    most = task.bounds.most_attempts
    if explored > most:
        raise SpecError(
            f"{task.module.__file__}: more than {most} paths; bound the calls of a sequence by s.length(...), or allow "
            "more by s.attempts(...)"
        )


def targets_of(calls: Sequence[SymbolicCall]) -> tuple[int, ...]:
    """Return the numbers of the routines of calls that have symbolic arguments."""
    return tuple(dict.fromkeys(call.choice.target for call in calls if call.variables))


class _Prepared(NamedTuple):
    routine: Routine
    function: Callable[..., Any] | None
    """The function; None for a method of the receiver."""


class Caller:
    """The routines of a task on a separate copy of the program, executed from the task's text.

    Attributes:
        constructing: the choices of constructors, and `calling`, those of all other routines. None among the indices
            of a choice stands for a symbolic integer.
        skipped: names of routines with object parameters, for which no choice is made.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._counter = step_counter()
        self._frames = 0
        self._concrete = frozenset(task.concrete)
        module = self._executed(task)
        self._kept = state_of(module)
        self._caches = _caches(module)
        self._routines = Routines(module, task.bounds)
        self._prepared = [self._prepare(target) for target in range(len(task.bounds.routines))]
        self.skipped: list[str] = []
        self.constructing: list[CallChoice] = []
        self.calling: list[CallChoice] = []
        self._domains: dict[tuple[int, int], dict[int, int]] = {}
        self._ranges: dict[CallChoice, list[Range]] = {}
        for target, routine in enumerate(task.bounds.routines):
            (self.calling if routine.has_receiver else self.constructing).extend(self._choices(target, routine))

    def _executed(self, task: SequenceTask) -> ModuleType:
        if task.text is None:
            return task.module
        self._counter.start(sys.maxsize)  # unlimited: the program has loaded once already
        names = {TICK: self._counter.tick, **presets(task.text)}
        return execute(task.text, compiled(task.text), names, compiled)

    def _prepare(self, target: int) -> _Prepared:
        routine = self._routines.routines[target]
        is_method = routine.kind is RoutineKind.METHOD
        return _Prepared(routine, None if is_method else self._routines.function(target))

    def _choices(self, target: int, routine: Routine) -> list[CallChoice]:
        options: list[list[int | None]] = []
        for at, parameter in enumerate(routine.parameters):
            places = self.symbolic(target, parameter)
            self._domains[target, at] = places
            options.append([*([None] if places else []), *self.fixed(target, parameter)])
            if parameter.earlier:
                self.skipped.append(routine.name)
        return [CallChoice(target, indices) for indices in product(*options)]

    def symbolic(self, target: int, parameter: ArgumentDomain) -> dict[int, int]:
        """Return the `symbolic_values` of a parameter; none if the routine's arguments are tried one by one."""
        return {} if target in self._concrete else symbolic_values(parameter)

    def fixed(self, target: int, parameter: ArgumentDomain) -> list[int]:
        """Return the indices of the values of a parameter that are tried one by one."""
        if target in self._concrete:
            return tried_values(parameter)
        places = symbolic_values(parameter).values()
        return [at for at in range(len(parameter.values)) if at not in places]

    def ranges(self, choice: CallChoice) -> list[Range]:
        """Return the ranges of a choice's arguments without an index; None for references, which the solver chooses."""
        ranges = self._ranges.get(choice)
        if ranges is None:
            domains = [self._domains[choice.target, at] for at, index in enumerate(choice.indices) if index is None]
            ranges = self._ranges[choice] = [(min(domain), max(domain)) if domain else None for domain in domains]
        return ranges

    def ranges_of(self, calls: tuple[SymbolicCall, ...], size: int) -> Ranges:
        """Return the ranges of variables by their arguments; those of a last call without variable names come last."""
        ranges: list[Any] = [None] * size
        for call in calls:
            for x, limits in zip(call.variables, self.ranges(call.choice), strict=False):
                ranges[x - 1] = limits
        if calls and not calls[-1].variables:
            ranges += self.ranges(calls[-1].choice)
        return tuple(ranges)

    def begin(self) -> None:
        """Put back what the program keeps outside of its objects before an execution, and clear its caches."""
        self._kept.put_back()
        for cache in self._caches:
            cache.cache_clear()

    def is_root(self, instance: Any) -> bool:
        """Return whether an object is of the root class of the sequences."""
        return self._routines.root_class is None or self._routines.is_of_root(instance)

    def follow(self, calls: Sequence[SymbolicCall]) -> tuple[int, PathResult, Any]:
        """Execute calls in a row, up to one that does not return; the first makes the receiver of the others.

        Returns:
            the number of calls that returned, the outcome of the last executed call with the steps of all, and the
            receiver.
        """
        receiver, steps, returned, outcome = None, 0, 0, NOTHING
        for call in calls:
            outcome = self.call(call.choice, receiver, [Integer(x) for x in call.variables])
            steps += outcome.steps
            if outcome.ending is not Ending.RETURNED:
                break
            receiver = outcome.result if not returned else receiver
            returned += 1
        return returned, outcome._replace(steps=steps), receiver

    def call(self, choice: CallChoice, receiver: Any, values: Sequence[Any], results: Sequence[Any] = ()) -> PathResult:
        """Execute a call with values for its symbolic arguments; the current run makes the decisions.

        Args:
            results: the results of earlier calls, to which indices beyond the values of a parameter refer.
        """
        routine, function = self._prepared[choice.target]
        arguments = values if len(values) == len(choice.indices) else self._arguments(choice, values, results)
        counter = self._counter
        counter.start(MOST_STEPS)
        before, limit = sys.getrecursionlimit(), self._frames or self._frames_from_here()
        ending, result, raised, place = Ending.RETURNED, None, "", ""
        PATH_END.by = None
        try:
            sys.setrecursionlimit(limit)
            if routine.requires is not None and not permitted(routine, receiver, arguments):
                return PathResult(Ending.UNMET, None, "", 0)
            if function is None:
                method = self._routines.method(receiver, routine.name)
                result = (with_keywords(method, routine.keywords) if routine.keywords else method)(*arguments)
            else:
                result = function(receiver, *arguments) if routine.has_receiver else function(*arguments)
        except SpecError:
            raise
        except Exception as error:
            ending, raised, place = Ending.RAISED, type(error).__qualname__, place_of_error(error.__traceback__)
            if is_end_of_stack(error):
                ending, raised, place = Ending.ENDLESS, "", ""
        except (StepLimit, EndlessPath):
            ending = Ending.ENDLESS
        except PathLimit:
            ending = Ending.LIMIT
        finally:
            sys.setrecursionlimit(before)
        steps = counter.spent()
        if steps > MOST_STEPS:  # read from the counter: the program may have caught StepLimit
            ending = Ending.ENDLESS
        elif PATH_END.by is not None:  # the program may have caught this exception, too
            ending = _ending(PATH_END.by)
        return PathResult(ending, result if ending is Ending.RETURNED else None, raised, steps, place)

    def _arguments(self, choice: CallChoice, values: Sequence[Any], results: Sequence[Any]) -> list[Any]:
        """Return the arguments of a call: the given ones, and the values of the other parameters."""
        left = iter(values)
        return [
            next(left) if index is None else self._routines.argument(parameter, index, results)
            for parameter, index in zip(self._prepared[choice.target].routine.parameters, choice.indices, strict=True)
        ]

    def _frames_from_here(self) -> int:
        """Return the recursion limit that allows as many frames as an input has when mutants are run."""
        with recursion_limited():
            self._frames = sys.getrecursionlimit()
        return self._frames

    def written(self, choice: CallChoice, values: tuple[int, ...]) -> Call | None:
        """Return a call in the form of suites, with values for its symbolic arguments; None if a domain lacks one."""
        routine = self._prepared[choice.target].routine
        left = iter(values)
        indices: list[int] = [0] if routine.has_receiver else []
        for at, index in enumerate(choice.indices):
            argument_index = self._domains[choice.target, at].get(next(left)) if index is None else index
            if argument_index is None:
                return None
            indices.append(argument_index)
        return Call(choice.target, tuple(indices))


def _ending(by: BaseException) -> Ending:
    """Return the ending of a path whose exception the program has caught.

    Raises:
        Abandoned: the exception ends the whole execution, not only the path.
    """
    if isinstance(by, PathLimit):
        return Ending.LIMIT
    if isinstance(by, (StepLimit, EndlessPath)):
        return Ending.ENDLESS
    raise by


_CACHED = type(lru_cache(len))


def _caches(module: ModuleType) -> list[Any]:
    """Return the functions of a module and its classes that cache their results."""
    classes = [held for held in vars(module).values() if isinstance(held, type) and held.__module__ == module.__name__]
    return [held for one in (module, *classes) for held in vars(one).values() if isinstance(held, _CACHED)]


MOST_TRIED = 64
"""The largest number of values of an argument that are tried one by one, if it cannot be symbolic."""


def tried_values(parameter: ArgumentDomain) -> list[int]:
    """Return the indices of values to try if none is symbolic: all, or MOST_TRIED of them, evenly spread."""
    count = len(parameter.values)
    most = min(count, MOST_TRIED)
    return [at * (count - 1) // max(1, most - 1) for at in range(most)]


def symbolic_values(parameter: ArgumentDomain) -> dict[int, int]:
    """Return the index of each integer of a parameter, if these are at least two without gaps, else nothing."""
    places = {value: at for at, value in reversed(list(enumerate(parameter.values))) if type(value) is int}
    if len(places) < 2 or max(places) - min(places) >= len(places):
        return {}
    return places
