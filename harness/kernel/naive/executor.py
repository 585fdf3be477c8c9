"""Runs one mutant on inputs encoded as graphs, and reports the results, which nobody trusts.

This process has the mutant's text and the inputs, but neither the original nor the spec nor any expected value. If the
mutant tampers with this process, it can change only the reports, and the judge reads them as a stranger's. A mutant can
still report the original's results with fewer steps than it took. Steps are counted within its reach, and are compared
with the stored ones only.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from harness.kernel.naive.calling import call, limit_recursion
from harness.kernel.naive.graphs import Graph, graph_of
from harness.kernel.naive.inputs import by_name, named
from harness.kernel.naive.rebuilding import rebuilt
from harness.kernel.naive.sequences import Performance
from harness.kernel.naive.state_restoration import objects_of_graph
from harness.kernel.naive.words import (
    ENDLESS,
    INPUTS,
    SAYINGS,
    Answer,
    Beginning,
    Compiled,
    Input,
    InputFailed,
    Loaded,
    SequenceAnswer,
    SequenceCallAnswer,
    SequenceInput,
    StateAnswer,
    StateInput,
    Stillborn,
    Unloadable,
    Unmade,
)
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.steps import TICK, StepLimit, with_ticks

LOAD_BUDGET = 1_000_000

Answering = Callable[[Input], Answer]
Load = Callable[[ModuleText, Any, str], Answering]


class Steps:
    """Counts steps, and ends any call that exceeds its budget; a program gains nothing by catching the exception."""

    def __init__(self) -> None:
        self.spent = 0
        self.budget = ENDLESS

    def start(self, budget: int) -> None:
        """Start again with a new budget."""
        self.spent, self.budget = 0, budget

    def tick(self) -> bool:
        """Spend a step."""
        self.spent += 1
        if self.spent > self.budget:
            raise StepLimit
        return True


def compiled(text: ModuleText) -> tuple[Any, str]:
    """Compile the text with ticks. Return the code and the name of its ticks, which is another one each time.

    Raises:
        SyntaxError, ValueError: it does not compile.
    """
    name = f"__{os.urandom(8).hex()}__"
    return compiled_with(name, text), name


def compiled_with(name: str, text: ModuleText) -> Any:
    """Compile the text with ticks of that name.

    Raises:
        SyntaxError, ValueError: it does not compile.
    """
    tree = with_ticks(text.source, text.filename)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == TICK:
            node.id = name
    return compile(ast.fix_missing_locations(tree), text.filename, "exec", dont_inherit=True)


def executing(text: ModuleText, code: Any, tick: str) -> Answering:
    """Load the mutant. Return the function that answers inputs."""
    steps = Steps()
    steps.start(LOAD_BUDGET)
    limit_recursion()
    module = execute(text, code, {tick: steps.tick}, partial(compiled_with, tick))

    def perform(sequence: SequenceInput) -> SequenceAnswer | Unmade:
        """Run the calls of a sequence, up to the first that spends its budget, unless making their state raises."""
        steps.start(sequence.making)
        unmade = ""
        try:
            roots = objects_of_graph(cast(Graph, sequence.graph), module)
        except BaseException as error:
            unmade = type(error).__qualname__
        if unmade or steps.spent > steps.budget:
            return Unmade(sequence.input, unmade if steps.spent <= steps.budget else StepLimit.__name__)
        results = dict(zip(sequence.object_calls, roots, strict=False))
        run = Performance(module, sequence.calls, roots[len(sequence.object_calls) :], results, sequence.first)
        parts: list[SequenceCallAnswer] = []
        for budget in sequence.budgets:
            steps.start(budget)
            raised, returned, arguments = run.next()
            spent = steps.spent
            steps.start(LOAD_BUDGET)
            objects = run.objects() if spent <= budget else {}
            graph: Any = graph_or_error([returned, *objects.values(), *arguments]) if spent <= budget else None
            parts.append(SequenceCallAnswer(spent, raised, tuple(objects), graph))
            if spent > budget:
                break
        return SequenceAnswer(sequence.input, tuple(parts))

    def graph_or_error(roots: list[Any]) -> Any:
        try:
            return graph_of(roots, module.__name__)
        except Exception as error:
            return type(error).__name__

    def answer(message: Input) -> Answer:
        if isinstance(message, SequenceInput):
            return perform(message)
        assert isinstance(message, StateInput)
        steps.start(LOAD_BUDGET)
        root, *arguments = rebuilt(message.graph, module)
        target = named(module, message.call) if message.function else getattr(root, message.call)
        function = by_name(target, message.keywords)
        passed = [root, *arguments] if message.state else arguments
        steps.start(message.budget)
        raised, returned = call(function, passed)
        spent = steps.spent
        steps.start(LOAD_BUDGET)
        graph: Any = graph_or_error([root, returned, *arguments]) if spent <= message.budget else None
        return StateAnswer(message.input, spent, raised, graph)

    return answer


def answer_all(text: ModuleText, load: Load, inputs_end: int, answers_end: int) -> None:
    """Compile a mutant, load it when the first line arrives, and answer the other lines until their end."""

    def send(saying: Beginning | Answer) -> None:
        data = SAYINGS.to_json(saying).encode() + b"\n"
        while data:
            data = data[os.write(answers_end, data) :]

    try:
        code, tick = compiled(text)
    except (SyntaxError, ValueError) as error:
        return send(Stillborn(type(error).__name__))
    except (RecursionError, MemoryError):
        code, tick = None, TICK  # which loading comes upon again
    send(Compiled())
    with os.fdopen(inputs_end, encoding="utf-8") as lines:
        lines.readline()
        try:
            answering = load(text, code, tick)
        except BaseException as error:
            return send(Unloadable(type(error).__qualname__))
        send(Loaded())
        for line in lines:
            answer: Answer
            try:
                answer = answering(INPUTS.of_json(line))
            except BaseException as error:
                answer = InputFailed(f"{type(error).__name__}: {error}")
            send(answer)
    return None
