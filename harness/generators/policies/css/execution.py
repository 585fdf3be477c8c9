"""Executes candidate sequences concolically, and records all reads and writes of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

from harness.generators.influence.candidate import CandidateCall
from harness.generators.policies.css.access_instrumentation import watched
from harness.generators.policies.css.concolic import ConcolicRun, WrongPath
from harness.generators.policies.css.references import ObjectReference, resolved, settle
from harness.generators.policies.css.watching import Accesses, WatchedFunctions
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.structures import CallChoice
from harness.generators.symbolic.caller import NOTHING, Caller, Ending, PathResult, SymbolicCall
from harness.generators.symbolic.rewriting import presets
from harness.generators.symbolic.systems import Answer, System
from harness.generators.symbolic.values import DECIDING, EndlessPath, Integer, PathLimit
from harness.kernel.inputs.suites import Call
from harness.kernel.program.loader import TICK, execute
from harness.model.routines import ArgumentDomain


@dataclass(frozen=True, slots=True)
class PathCall:
    """A call of a candidate on one path.

    Attributes:
        symbolic: its arguments, with variables for those that are not chosen.
        options: for each of these variables, None if it is an integer, or the indices that a reference stands for.
    """

    call: CandidateCall
    symbolic: SymbolicCall
    options: tuple[tuple[int, ...] | None, ...] = ()

    def of_integers(self) -> SymbolicCall:
        """Return the call with only those variables that are integers."""
        pairs = zip(self.symbolic.variables, self.options, strict=True)
        return SymbolicCall(self.symbolic.choice, tuple([x for x, options in pairs if options is None]))


@dataclass(frozen=True, slots=True)
class Executed:
    """An executed sequence.

    Attributes:
        outcome: the outcome of the last call.
        steps: the steps of all calls.
        results: the results of the calls that returned.
    """

    run: ConcolicRun
    accesses: Accesses
    outcome: PathResult
    steps: int
    results: Sequence[Any]


class _PassedReference(NamedTuple):
    """A reference passed to a call: the call, and the calls that made its objects; numbers below zero mean values."""

    reference: ObjectReference
    at: int
    positions: Sequence[int]


class WatchingCaller(Caller):
    """A task's routines on a separate copy of the program, which reports its accesses to `watch`.

    Args:
        is_reasoning: whether objects that are not chosen are references, so that the solver chooses them.
    """

    def __init__(self, task: SequenceTask, is_reasoning: bool = False) -> None:
        self.watch = WatchedFunctions()
        self._is_reasoning = is_reasoning
        super().__init__(task)

    def _executed(self, task: SequenceTask) -> ModuleType:
        if task.text is None:
            return super()._executed(task)
        self._counter.start(1 << 62)  # unlimited: this program has loaded before
        names = {TICK: self._counter.tick, **presets(task.text), **self.watch.presets()}
        return execute(task.text, watched(task.text), names, watched)

    def ways(
        self, call: CandidateCall, system: System, names: Sequence[frozenset[str]]
    ) -> list[tuple[PathCall, System]]:
        """Return the possible arguments of a candidate's call after a path, each with the resulting constraints.

        Args:
            system: the constraints of the path.
            names: for each result, the names of its classes that calls can take.
        """
        parameters = self._prepared[call.target].routine.parameters
        options = [self._options(call.target, p, at, names) for p, at in zip(parameters, call.arguments, strict=True)]
        return [_way(call, given, system) for given in product(*options)]

    def _options(
        self, target: int, parameter: ArgumentDomain, position: int | None, names: Sequence[frozenset[str]]
    ) -> list[int | None | tuple[int, ...]]:
        """Return a parameter's options: an index, None for a symbolic integer, or indices of a choice by the solver."""
        if position is not None:
            return [len(parameter.values) + position]
        places = self.symbolic(target, parameter)
        fixed = self.fixed(target, parameter)
        if places or not self._is_reasoning or not parameter.earlier:
            return [*([None] if places else []), *fixed]
        results = [(sorted(held), at) for at, held in enumerate(names) if not held.isdisjoint(parameter.earlier)]
        every = (*fixed, *(len(parameter.values) + at for _, at in sorted(results)))
        return [every] if results or len(fixed) > 1 else [*fixed]

    def call_of(self, path_call: PathCall, values: Sequence[int]) -> Call:
        """Return a call in the form of suites, with a value within the domains for each variable."""
        target = path_call.call.target
        left = iter(zip(path_call.options, path_call.symbolic.variables, strict=True))
        indices = [] if path_call.call.receiver is None else [path_call.call.receiver]
        for at, index in enumerate(path_call.symbolic.choice.indices):
            if index is None:
                options, x = next(left)
                value = values[x - 1]
                index = self._domains[target, at][value] if options is None else options[value]
            indices.append(index)
        return Call(target, tuple(indices))

    def carry_out(
        self, calls: Sequence[PathCall], values: Sequence[int], run: ConcolicRun, steps_before: int
    ) -> Executed:
        """Execute calls from the first one on.

        Args:
            values: the values of all variables that the calls name.
            steps_before: the known number of steps of all calls but the last.

        Raises:
            WrongPath: the execution is not as predicted.
        """
        self.begin()
        DECIDING.run = run
        accesses = self.watch.accesses = Accesses()
        results: list[Any] = []
        references: list[_PassedReference] = []
        steps = 0
        outcome = NOTHING
        for at, call in enumerate(calls):
            if outcome.ending is not Ending.RETURNED or (at == len(calls) - 1 and steps != steps_before):
                raise WrongPath("takes another path when it is carried out again")
            accesses.at = at
            outcome = self._carried_out(call, values, run, results, references)
            steps += outcome.steps
            if outcome.ending is Ending.RETURNED:
                results.append(outcome.result)
        if run.is_short():
            raise WrongPath("ends before the path that it was solved for")
        self._settle(references, results, run, accesses)
        return Executed(run, accesses, outcome, steps, results)

    def _carried_out(
        self,
        path_call: PathCall,
        values: Sequence[int],
        run: ConcolicRun,
        results: list[Any],
        passed_references: list[_PassedReference],
    ) -> PathResult:
        """Execute one call after those which returned `results`; append the references that it takes to
        `passed_references`.
        """
        accesses = self.watch.accesses
        routine = self._prepared[path_call.call.target].routine
        for position in path_call.call.objects:
            accesses.passed(position)
        parameters = iter(
            [p for p, n in zip(routine.parameters, path_call.symbolic.choice.indices, strict=True) if n is None]
        )
        arguments: list[Any] = []
        for x, options, parameter in zip(path_call.symbolic.variables, path_call.options, parameters, strict=True):
            number = run.add(values[x - 1])
            if options is None:
                arguments.append(Integer(number))
                continue
            objects = [self._routines.argument(parameter, index, results) for index in options]
            arguments.append(ObjectReference(number, objects))
            passed_references.append(
                _PassedReference(arguments[-1], accesses.at, [index - len(parameter.values) for index in options])
            )
        receiver = None if path_call.call.receiver is None else results[path_call.call.receiver]
        try:
            if routine.requires is not None:  # a precondition is not watched, and would not decide references
                arguments = [resolved(argument) for argument in arguments]
            if not self._is_watched(path_call.call.target, receiver):
                for one in (receiver, *arguments, *(results[position] for position in path_call.call.objects)):
                    self.watch.hand_over(one)
            outcome = self.call(path_call.symbolic.choice, receiver, arguments, results)
            self.watch.see(outcome.result)
            if type(outcome.result) is ObjectReference:
                return outcome._replace(result=outcome.result.resolved())
        except PathLimit:
            return PathResult(Ending.LIMIT, None, "", 0)
        except EndlessPath:
            return PathResult(Ending.ENDLESS, None, "", 0)
        return outcome

    def _is_watched(self, target: int, receiver: Any) -> bool:
        """Return whether a routine is code of the program, which reports its own accesses."""
        routine, function = self._prepared[target]
        routine_code = getattr(receiver, routine.name, None) if function is None else function
        return isinstance(routine_code, type) or hasattr(routine_code, "__code__")

    @staticmethod
    def _settle(
        passed_references: Sequence[_PassedReference], results: Sequence[Any], run: ConcolicRun, accesses: Accesses
    ) -> None:
        """Replace references by objects, and record which calls took the results of which."""
        for one in passed_references:
            position = one.positions[one.reference.choose(run.values)]
            if position >= 0:
                accesses.at = one.at
                accesses.passed(position)
        if passed_references:
            settle(results)


def _way(
    call: CandidateCall, argument_choices: Sequence[int | None | tuple[int, ...]], system: System
) -> tuple[PathCall, System]:
    """Return a call with its arguments, and the system extended by the call's variables."""
    indices = tuple([index if isinstance(index, int) else None for index in argument_choices])
    options = tuple([index for index in argument_choices if not isinstance(index, int)])
    first = system.size + 1
    if options:
        system = system.extended(len(options))
    for x, several in enumerate(options, start=first):
        if several is not None:
            system = _held(_held(system.at_most(0, x, 0)[0]).at_most(x, 0, len(several) - 1)[0])
    symbolic = SymbolicCall(CallChoice(call.target, indices), tuple(range(first, first + len(options))))
    return PathCall(call, symbolic, options), system


def _held(answer: Answer) -> System:
    """Return the system of an answer that is always possible for new variables."""
    assert isinstance(answer, System)
    return answer
