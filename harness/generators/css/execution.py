"""Carries out candidate sequences on inputs: concolically, with all that the program reads and writes told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import Any

from harness.generators.css.accesses import Accesses
from harness.generators.css.candidates.candidate import CandidateCall
from harness.generators.css.concolic import ConcolicRun, WrongPath
from harness.generators.css.telling import watched
from harness.generators.css.watching import Watch
from harness.generators.sequences.calls import Choice
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.systems import System
from harness.generators.symbolic.values import DECIDING, Integer
from harness.generators.symstra.calling import Caller, Ending, Outcome, symbolic_values
from harness.generators.symstra.states import SymbolicCall
from harness.kernel.program.loader import execute
from harness.kernel.program.steps import TICK

_NOTHING = Outcome(Ending.RETURNED, None, "", 0)


@dataclass(frozen=True, slots=True)
class Made:
    """A call of a candidate on one path: what it is given, and the variables of its symbolic arguments."""

    call: CandidateCall
    symbolic: SymbolicCall


@dataclass(frozen=True, slots=True)
class Executed:
    """A sequence carried out.

    Attributes:
        outcome: of the last call.
        steps: of all calls.
        results: of the calls that returned.
    """

    run: ConcolicRun
    accesses: Accesses
    outcome: Outcome
    steps: int
    results: Sequence[Any]


class WatchingCaller(Caller):
    """A task's routines on a program of its own, whose accesses `watch` is told."""

    def __init__(self, task: SequenceTask) -> None:
        self.watch = Watch()
        super().__init__(task)

    def _executed(self, task: SequenceTask) -> ModuleType:
        if task.text is None:
            return super()._executed(task)
        self._counter.start(1 << 62)  # it has loaded once without being counted
        presets = {TICK: self._counter.tick, **self.watch.presets()}
        return execute(task.text, watched(task.text), presets, watched)

    def choices_of(self, call: CandidateCall) -> list[Choice]:
        """What a call of a candidate may be given, in order; None among the indices stands for a symbolic integer."""
        options: list[list[int | None]] = []
        for parameter, position in zip(self._prepared[call.target].routine.parameters, call.arguments, strict=True):
            if position is not None:
                options.append([len(parameter.values) + position])
                continue
            places = symbolic_values(parameter)
            symbolic: list[int | None] = [None] if places else []
            options.append([*symbolic, *(n for n in range(len(parameter.values)) if n not in places.values())])
        return [Choice(call.target, indices) for indices in product(*options)]

    def carry_out(self, calls: Sequence[Made], values: Sequence[int], run: ConcolicRun, steps_before: int) -> Executed:
        """Carries out calls from the first one on.

        Args:
            values: of all variables, as far as the calls name them.
            steps_before: of all calls but the last, as they are known.

        Raises:
            WrongPath: it is not as predicted.
        """
        DECIDING.run = run
        accesses = self.watch.accesses = Accesses()
        results: list[Any] = []
        steps = 0
        outcome = _NOTHING
        for at, made in enumerate(calls):
            if outcome.ending is not Ending.RETURNED or (at == len(calls) - 1 and steps != steps_before):
                raise WrongPath("takes another path when it is carried out again")
            accesses.at = at
            for position in made.call.objects:
                accesses.passed(position)
            given = [Integer(run.add(values[x - 1])) for x in made.symbolic.variables]
            receiver = None if made.call.receiver is None else results[made.call.receiver]
            outcome = self.call(made.symbolic.choice, receiver, given, results)
            steps += outcome.steps
            if outcome.ending is Ending.RETURNED:
                results.append(outcome.result)
        if run.is_short():
            raise WrongPath("ends before the path that it was solved for")
        return Executed(run, accesses, outcome, steps, results)


def made_behind(system: System, call: CandidateCall, choice: Choice) -> Made:
    """A call whose symbolic arguments are the next variables of a system."""
    first = system.size + 1
    return Made(call, SymbolicCall(choice, tuple(range(first, first + choice.indices.count(None)))))
