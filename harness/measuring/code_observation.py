"""Runs a suite on the original: for counts by function, or the branches or condition outcomes of each input.

Counts of a spec's functions are those of a search by Korat.
"""

from __future__ import annotations

import ast
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from harness.errors import SpecError
from harness.kernel.judging.prepared import Inputs, PreparedInput, outcome_of, run_whole
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import ModuleText, execute, limit_recursion, loading
from harness.kernel.running.loaded_suite import LoadedSuite, observed_suite
from harness.kernel.specs.spec import SPEC_MODULE, Spec, exception_summary, load_spec
from harness.measuring.job import (
    BRANCHES,
    CONDITIONS,
    EQ_CLASS,
    PREDICATE,
    ROWS_FILE,
    BranchesRequest,
    ClassNames,
    CodeRequest,
    ConditionOutcomesRequest,
    CoverageRequest,
    FunctionCounts,
    FunctionsRequest,
    InputClassesRequest,
)
from harness.measuring.outcomes import (
    ConditionOutcomes,
    outcome_name,
    telling_branches,
    telling_conditions,
    telling_outcomes,
)
from harness.model.coverage import CoverageCounts

if TYPE_CHECKING:
    from harness.measuring.meter import Meter

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
    from harness.measuring.meter import Meter  # coverage.py, which other observations do not need

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
    from harness.measuring.meter import Meter

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


Classing = Callable[[PreparedInput], Hashable]


def input_classes(job: InputClassesRequest, headway: Headway) -> ClassNames:
    """Write the class numbers to the job's folder; return the names of the classes and their places, by criterion.

    Raises:
        MutascopeError: spec, implementation or suite is unusable, or eq_class or rep_ok raises.
    """
    from harness.generators.states.reference.plus_search import class_name  # other observations do not need the search

    of_spec, of_program = ConditionOutcomes(), ConditionOutcomes()
    code, branches = telling_branches(job.implementation.source, job.implementation.filename)
    spec_code, conditions = telling_conditions(job.spec_source, job.spec_filename)
    loaded = observed_suite(
        job,
        headway,
        spec=lambda: _telling_spec(job, spec_code, of_spec),
        executed=lambda text: execute(text, code, of_program.presets()),
    )
    of_states = {} if loaded.suite.holds_sequences else _of_states(loaded.spec, of_spec, job.spec_filename)
    classings: dict[str, Classing] = {**of_states, BRANCHES: partial(_branches, of_program)}
    classes: dict[str, dict[Hashable, int]] = {name: {} for name in classings}  # numbered in order of appearance
    numbers = {name: array("I") for name in classings}
    for number in headway.each(range(len(loaded.suite))):
        prepared = loaded.inputs.prepare(number)
        for name, classing in classings.items():
            numbers[name].append(classes[name].setdefault(classing(prepared), len(classes[name])))
    for name, found in numbers.items():
        (Path(job.folder) / name).write_bytes(found.tobytes())
    names: dict[str, Callable[[Any], str]] = {EQ_CLASS: class_name, CONDITIONS: outcome_name, BRANCHES: outcome_name}
    return ClassNames(
        names={name: tuple(map(names[name], met)) for name, met in classes.items()},
        places={CONDITIONS: tuple(conditions), BRANCHES: tuple(branches)},
    )


def _telling_spec(job: CoverageRequest, code: CodeType, outcomes: ConditionOutcomes) -> Spec:
    """Return the spec with functions that report the outcomes of their conditions."""
    spec = load_spec(job.spec_source, job.spec_filename)
    text = ModuleText(SPEC_MODULE, job.spec_source, job.spec_filename)
    names = vars(execute(text, code, outcomes.presets()))
    return replace(
        spec,
        rep_ok=names.get("rep_ok", spec.rep_ok),
        eq_class=names.get(EQ_CLASS),
        finitization_of=names.get("finitization"),
        sequences_of=names.get("sequences"),
    )


def _of_states(spec: Spec, outcomes: ConditionOutcomes, filename: str) -> dict[str, Classing]:
    """Return the criteria for pre-states that the spec has."""
    criteria: dict[str, Classing] = {}
    if spec.eq_class is not None:
        eq_class = spec.eq_class
        criteria[EQ_CLASS] = lambda prepared: _called(lambda: eq_class(prepared.root), f"{filename}: {EQ_CLASS}")

    def conditions(prepared: PreparedInput) -> int:
        outcomes.begin()
        if not prepared.any_state:
            _called(lambda: bool(spec.rep_ok(prepared.root)), f"{filename}: rep_ok")
        if (requires := prepared.requires) is not None:
            label = f"{filename}: a target's precondition"
            _called(lambda: bool(requires(prepared.root, *prepared.arguments)), label)
        return outcomes.seen

    criteria[CONDITIONS] = conditions
    return criteria


def _branches(outcomes: ConditionOutcomes, prepared: PreparedInput) -> int:
    prepared.lead_up()
    outcomes.begin()
    outcome_of(prepared.invoke)
    return outcomes.seen


def _called(function: Callable[[], Hashable], label: str) -> Hashable:
    """Return the value that a function of the spec returns for an input.

    Raises:
        SpecError: it raises, or what it returns has no hash.
    """
    try:
        value = function()
        hash(value)
    except Exception as error:
        raise SpecError(f"{label} raised {exception_summary(error)} on an input of the suite; correct it") from None
    return value
