"""Runs one mutant on its inputs, one by one, in a child, and returns the facts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType

from harness.errors import StoreError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.judge import Judge
from harness.kernel.judging.oracle import Kill
from harness.kernel.judging.propagation import InfectingCalls
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.process.progress import NOT_STARTED, Position, Progress
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.running.job import InputMask, MutantOrder, MutantRun
from harness.model.outcome import KillReason, Phase

_SET_BITS = [tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]


def run_mutant(  # noqa: C901, PLR0913 (one frame above the program)
    order: MutantOrder,
    load: Callable[[], ModuleType],
    judge_of: Callable[[ModuleType, ModuleState | None], Judge],
    baseline: Baseline,
    progress: Progress,
    behind: Position,
    state_of: Callable[[ModuleType], ModuleState | None] = lambda module: None,
) -> MutantRun:
    """Run a mutant on the order's inputs after the position `behind` (of an earlier child, which died there).

    What `state_of` says that the module keeps is put back before each input. Where that is impossible, and not all
    inputs are run, the run ends and reports that something was left.
    """
    limit_recursion()
    try:
        module = load()
    except BaseException as error:
        kill = Kill(KillReason.EXCEPTION, Phase.LOAD, f"loading the module raised {exception_name(error)}")
        return mutant_run(order, baseline, kill, None, Position(NOT_STARTED, 0, 0))
    state = state_of(module)
    judge = judge_of(module, state)
    if order.input_mask is None:
        state = None
    _, executed, judge.surplus = behind
    first: tuple[Kill, int] | None = None
    kills, end = progress.kills(), order.last
    if order.most_kills is not None and kills >= order.most_kills:
        end = _end_of_eight(behind.current, order)
    for number in inputs_of(order, behind.current):
        if number >= end:
            break
        if judge.is_known_survivor(number):
            continue
        progress.set(number, executed, judge.surplus)
        outcome = judge.judge(number)
        executed += 1
        if outcome is not None:
            first = first or (outcome, number)
            if not order.matrix:
                break
            progress.mark(number)
            kills += 1
            if kills == order.most_kills:
                end = _end_of_eight(number, order)
        if state is not None and state.lost:
            break
    order = order if end == order.last else replace(order, last=end)
    end_position = Position(NOT_STARTED, executed, judge.surplus)
    if state is not None and not state.put_back():
        return replace(mutant_run(order, baseline, None, None, end_position), left=True)
    if first is None:
        return mutant_run(order, baseline, None, None, end_position)
    return mutant_run(order, baseline, *first, end_position)


def _end_of_eight(number: int, order: MutantOrder) -> int:
    return min((number | 7) + 1, order.last)


def inputs_of(order: MutantOrder, behind: int = NOT_STARTED) -> Iterator[int]:
    """Return the numbers of the inputs to be executed, in order; only those after input `behind`, if that is one."""
    first, last = order.first, order.last
    if order.backwards:
        return iter(range((last if behind == NOT_STARTED else behind) - 1, first - 1, -1))
    if behind != NOT_STARTED:
        first = behind + 1
    return iter(range(first, last)) if order.input_mask is None else masked_inputs(order.input_mask, first, last)


def masked_inputs(mask: InputMask, first: int, last: int) -> Iterator[int]:
    """Yield the inputs from `first` to `last - 1` that are set in the row."""
    for at, byte in enumerate(_row(mask, first, last), first >> 3):
        for bit in _SET_BITS[byte]:
            number = at * 8 + bit
            if first <= number < last:
                yield number


def last_calls_of(order: MutantOrder) -> InfectingCalls | None:
    """Return the row of the order that says which inputs' last calls may infect its mutant, if it has one."""
    row = order.last_calls
    return None if row is None else InfectingCalls(order.first, _row(row, order.first, order.last))


def _row(mask: InputMask, first: int, last: int) -> bytes:
    """Return the bytes that hold the bits of inputs `first` to `last - 1`."""
    start = first >> 3
    descriptor = os.open(mask.path, os.O_RDONLY)
    try:
        row = os.pread(descriptor, ((last + 7) >> 3) - start, mask.offset + start)
    finally:
        os.close(descriptor)
    if len(row) != ((last + 7) >> 3) - start:
        raise StoreError(f"{mask.path}: ends too early; run the same command again")
    return row


def mutant_run(
    order: MutantOrder, baseline: Baseline, kill: Kill | None, number: int | None, position: Position
) -> MutantRun:
    """Return the facts of a run that ended with `kill` on input `number`, or ran to the end.

    Inputs that needed no execution count as run, with the original's steps.
    """
    first, last = order.first, order.last
    if kill is not None and number is None:
        last = first  # it died while it was loaded
    elif number is not None and not order.matrix:
        first, last = (number, last) if order.backwards else (first, number + 1)
    steps = baseline.steps_before(last) - baseline.steps_before(first)
    return MutantRun(
        reason=kill.reason if kill else None,
        phase=kill.phase if kill else None,
        detail=kill.detail if kill else "",
        input=number,
        inputs_run=last - first,
        executed=position.executed,
        steps=steps + position.surplus,
    )
