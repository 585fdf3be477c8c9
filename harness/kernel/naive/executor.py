"""Runs one mutant on inputs told as graphs, and tells what it did: nobody believes a word of it.

Here are the mutant's text and the inputs, but neither the original nor the spec nor any expected value. Whatever
the mutant does to this process, it can only change what is told, which the judge reads as a stranger's. What a
mutant can still do is to tell what the original would have done, and fewer steps than it took: steps are counted
within its reach, and are compared with the stored ones only.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from functools import partial
from typing import Any

from harness.kernel.naive.graphs import told
from harness.kernel.naive.inputs import by_name, named
from harness.kernel.naive.putting import put_before
from harness.kernel.naive.rebuilding import rebuilt
from harness.kernel.naive.sequences import Performance, ToldCall
from harness.kernel.naive.views import ENDLESS, call, limit_recursion
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.steps import TICK, StepLimit, with_ticks

LOAD_BUDGET = 1_000_000

Answering = Callable[[dict[str, Any]], dict[str, Any]]


class Steps:
    """Counts steps, and ends what takes more than its budget; a program that catches that gains nothing."""

    def __init__(self) -> None:
        self.spent = 0
        self.budget = ENDLESS

    def start(self, budget: int) -> None:
        """Begins anew."""
        self.spent, self.budget = 0, budget

    def tick(self) -> bool:
        """Spends a step."""
        self.spent += 1
        if self.spent > self.budget:
            raise StepLimit
        return True


def compiled(text: ModuleText) -> tuple[Any, str]:
    """The text with ticks, compiled, and what its ticks are called: something else each time.

    Raises:
        SyntaxError, ValueError: it does not compile.
    """
    name = f"__{os.urandom(8).hex()}__"
    return compiled_with(name, text), name


def compiled_with(name: str, text: ModuleText) -> Any:
    """The text with ticks of that name, compiled.

    Raises:
        SyntaxError, ValueError: it does not compile.
    """
    tree = with_ticks(text.source, text.filename)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == TICK:
            node.id = name
    return compile(ast.fix_missing_locations(tree), text.filename, "exec", dont_inherit=True)


def executing(text: ModuleText, code: Any, tick: str) -> Answering:
    """Loads the mutant; the answers to inputs that it gives."""
    steps = Steps()
    steps.start(LOAD_BUDGET)
    limit_recursion()
    module = execute(text, code, {tick: steps.tick}, partial(compiled_with, tick))

    def perform(given: dict[str, Any]) -> dict[str, Any]:
        """The calls of a sequence, up to the first that spends its budget; or what making their state raised."""
        steps.start(given["making"])
        unmade = ""
        try:
            roots, numbers = put_before(given["graph"], module), given["given"]
        except BaseException as error:
            unmade = type(error).__qualname__
        if unmade or steps.spent > steps.budget:
            return {"input": given["input"], "unmade": unmade if steps.spent <= steps.budget else StepLimit.__name__}
        calls = [ToldCall(**call) for call in given["calls"]]
        results = dict(zip(numbers, roots, strict=False))
        run = Performance(module, calls, roots[len(numbers) :], results, given["first"])
        parts: list[Any] = []
        for budget in given["budgets"]:
            steps.start(budget)
            raised, returned, arguments = run.next()
            spent = steps.spent
            steps.start(LOAD_BUDGET)
            objects = run.objects() if spent <= budget else {}
            graph = told_or_not([returned, *objects.values(), *arguments]) if spent <= budget else None
            parts.append([spent, raised, list(objects), graph])
            if spent > budget:
                break
        return {"input": given["input"], "parts": parts}

    def told_or_not(roots: list[Any]) -> Any:
        try:
            return told(roots, module.__name__)
        except Exception as error:
            return type(error).__name__

    def answer(given: dict[str, Any]) -> dict[str, Any]:
        if "calls" in given:
            return perform(given)
        steps.start(LOAD_BUDGET)
        root, *arguments = rebuilt(given["graph"], module)
        found = named(module, given["call"]) if given["function"] else getattr(root, given["call"])
        function = by_name(found, given["keywords"])
        passed = [root, *arguments] if given["state"] else arguments
        steps.start(given["budget"])
        raised, returned = call(function, passed)
        spent = steps.spent
        steps.start(LOAD_BUDGET)
        graph = told_or_not([root, returned, *arguments]) if spent <= given["budget"] else None
        return {"input": given["input"], "steps": spent, "raised": raised, "graph": graph}

    return answer


def answer_all(text: ModuleText, load: Callable[[ModuleText, Any, str], Answering], given: int, told_to: int) -> None:
    """Compiles a mutant, loads it at the first line that comes, and answers the others until their end."""

    def tell(**said: Any) -> None:
        data = json.dumps(said).encode() + b"\n"
        while data:
            data = data[os.write(told_to, data) :]

    try:
        code, tick = compiled(text)
    except (SyntaxError, ValueError) as error:
        return tell(stillborn=type(error).__name__)
    except (RecursionError, MemoryError):
        code, tick = None, TICK  # which loading comes upon again
    tell(compiled=True)
    with os.fdopen(given, encoding="utf-8") as lines:
        lines.readline()
        try:
            answering = load(text, code, tick)
        except BaseException as error:
            return tell(unloadable=type(error).__qualname__)
        tell(loaded=True)
        for line in lines:
            try:
                said = answering(json.loads(line))
            except BaseException as error:
                said = {"fault": f"{type(error).__name__}: {error}"}
            tell(**said)
    return None
