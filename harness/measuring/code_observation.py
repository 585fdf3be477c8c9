"""Runs a suite on the original: for counts by function, or the branches or condition outcomes of each input.

Counts of a spec's functions are those of a search by Korat.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import ModuleType

from harness.errors import SpecError
from harness.kernel.judging.prepared import Inputs, run_whole
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import ModuleText, execute, loading
from harness.kernel.program.steps import limit_recursion
from harness.kernel.running.loaded_suite import LoadedSuite, observed_suite
from harness.kernel.specs.spec import SPEC_MODULE, load_spec
from harness.measuring.condition_outcomes import telling_outcomes
from harness.measuring.job import (
    PREDICATE,
    ROWS_FILE,
    BranchesRequest,
    CodeRequest,
    ConditionOutcomesRequest,
    CoverageRequest,
    FunctionCounts,
    FunctionsRequest,
)
from harness.measuring.meter import Meter
from harness.measuring.outcomes import ConditionOutcomes
from harness.model.coverage import CoverageCounts

TRACED = 4096
"""The number of inputs that are all traced. Of later inputs, only those that enter uncovered code are traced."""

MOST = 1 << 16
"""The number of inputs executed before the counts are taken again."""


def metered(job: CoverageRequest, headway: Headway) -> tuple[LoadedSuite, Meter]:
    """Return the job's suite with the original, and the meter of their coverage; nothing is measured yet.

    Code that is executed on import is not covered by the suite.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    meter = Meter(job.implementation.source, Path(job.folder), job.lines)
    loaded = observed_suite(job, headway, executed=lambda text: execute(text, meter.compiled()))
    return loaded, meter


def function_counts(request: FunctionsRequest, headway: Headway) -> FunctionCounts:
    """Run a suite on the original, and generate with Korat, under coverage.py.

    Raises:
        MutascopeError: as `code_counts` and `specification_counts`.
    """
    return tuple(
        code_counts(part, headway) if isinstance(part, CodeRequest) else specification_counts(part, headway)
        for part in request.parts
    )


def code_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts of the job's functions over its suite.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    inputs = loaded.inputs
    numbers = iter(range(len(loaded.suite)))
    block = TRACED
    counts = meter.measure(run_inputs(inputs, headway.each(islice(numbers, block))))
    while candidates := list(islice(numbers, block)):
        incomplete = frozenset[int]().union(*(job.lines[name] for name in counts if not counts[name].complete))
        if not incomplete:
            break
        scout = Scout(job.implementation, incomplete, loaded.inputs_on)
        entering = [number for number in headway.each(candidates) if scout.enters(number)]
        counts = meter.measure(run_inputs(inputs, headway.each(entering)))
        block = min(2 * block, MOST)
    return counts


def specification_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts of the job's spec functions over all searches that make the inputs of its scope.

    Raises:
        MutascopeError: spec or implementation is unusable, or rep_ok raises.
    """
    from harness.generators.policies.korat.generator import Korat  # the search, which other observations do not need
    from harness.generators.protocol import Task

    headway.begins(f"executing finitization({job.scope}) of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    spec.finitization(job.scope)  # errors in it are then reported with the user's file name
    headway.begins(f"loading {job.implementation.filename}")
    with loading(job.implementation):
        module = execute(job.implementation)
    headway.begins(f"loading {job.spec_filename}")
    meter = Meter(job.spec_source, Path(job.folder), job.lines)
    names = vars(execute(ModuleText(SPEC_MODULE, job.spec_source, job.spec_filename), meter.compiled()))
    measured = replace(spec, rep_ok=names.get(PREDICATE, spec.rep_ok), finitization_of=names["finitization"])
    task = Task(measured, module, measured.finitization(job.scope), seed=0)
    limit_recursion()
    try:
        production = Korat().produce(task)
        headway.begins(f"executing rep_ok of {job.spec_filename}", lambda: production.explored)
        return meter.measure(iter(production))
    except SpecError as error:
        raise SpecError(str(error).replace(meter.file, job.spec_filename)) from None


def branch_rows(job: BranchesRequest, headway: Headway) -> int:
    """Write the branches that each input executes to the job's folder, and return how many branches there are.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    branches = meter.branches()
    width = (len(branches) + 7) // 8
    steps = run_inputs(loaded.inputs, headway.each(range(len(loaded.suite))))
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for executed in meter.executed(branches, steps):
            rows.write(executed.to_bytes(width, "little"))
    return len(branches)


def run_inputs(inputs: Inputs, numbers: Iterable[int]) -> Iterator[int]:
    """Run each of the inputs once, from its beginning, and yield its number after it."""
    for number in numbers:
        run_whole(inputs.prepare(number))
        yield number


_ENTER = "__mutascope_enter__"


class Scout:
    """A separate copy of the program, without tracing, whose functions on the `lines` lines report their entries.

    Args:
        text: the module.
        lines: lines of function bodies.
        inputs_on: prepares the suite's inputs on a module.
    """

    def __init__(self, text: ModuleText, lines: frozenset[int], inputs_on: Callable[[ModuleType], Inputs]) -> None:
        self._entered = False
        tree = ast.fix_missing_locations(_Marks(lines).visit(ast.parse(text.source)))
        code = compile(tree, text.filename, "exec", dont_inherit=True)
        self._inputs = inputs_on(execute(text, code, {_ENTER: self._enter}))

    def enters(self, number: int) -> bool:
        """Return whether input `number` enters one of the functions."""
        prepared = self._inputs.prepare(number)
        self._entered = False
        run_whole(prepared)
        return self._entered

    def _enter(self) -> None:
        self._entered = True


class _Marks(ast.NodeTransformer):
    """Adds a mark to the start of each function with a wanted line in its body, functions within it included."""

    def __init__(self, lines: frozenset[int]) -> None:
        self._lines = lines

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        body_lines = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
        if not self._lines.isdisjoint(body_lines):
            docstring = int(ast.get_docstring(node, clean=False) is not None)
            node.body.insert(docstring, ast.Expr(ast.Call(ast.Name(_ENTER, ast.Load()), [], [])))
        return node

    visit_AsyncFunctionDef = visit_FunctionDef


def condition_outcomes(job: ConditionOutcomesRequest, headway: Headway) -> int:
    """Write the outcomes that each input reaches to the job's folder, and return how many inputs were run.

    Args:
        job: its `lines` are the first and last line of each function.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    text, outcomes = job.implementation, ConditionOutcomes()
    spans = {name: (min(span), max(span)) for name, span in job.lines.items()}
    program = telling_outcomes(text.source, text.filename, spans)
    loaded = observed_suite(job, headway, executed=lambda text: execute(text, program.code, outcomes.presets()))
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for number in headway.each(range(len(loaded.suite))):
            prepared = loaded.inputs.prepare(number)
            outcomes.begin()
            run_whole(prepared)
            rows.write(outcomes.seen.to_bytes(program.width, "little"))
    return len(loaded.suite)
