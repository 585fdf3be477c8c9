"""Finds the inputs that can kill a mutant under another oracle, given the kills of the differential one.

The public oracle compares a part of the values that the differential one compares, call by call. If a mutant does the
same as the original and leaves the same state, its postcondition gets the same values. That holds if the differential
oracle compares after every call that is run, and if postconditions are functions of the values that it compares. A
postcondition that calls the mutant is none. Of exceptions the oracle compares the class, so postconditions may ask for
no more than their class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from harness.kernel.specs.contracts import PREFIX
from harness.model.outcome import MutantResult, Phase, Verdict
from harness.model.sequence import Observation
from harness.runner.probing import defined_functions, may_call
from harness.store.facts import KillRow


@dataclass(frozen=True)
class DifferentialKills:
    """The results of a finished trial of the same mutants under the differential oracle."""

    results: Mapping[str, MutantResult]
    rows: Mapping[str, KillRow]

    @classmethod
    def of(cls, results: Iterable[MutantResult], rows: Iterable[KillRow]) -> DifferentialKills:
        """Index the results and rows of kills by mutant."""
        return cls({result.mutant: result for result in results}, {row.mutant: row for row in rows})

    def row(self, mutant: str, first: int, last: int) -> bytes:
        """Return the inputs from `first`, a multiple of 8, to `last - 1` that may kill, packed as a row of kills is.

        If the kills of a mutant are not known input by input, these are all inputs from the first kill.
        """
        result, row = self.results.get(mutant), self.rows.get(mutant)
        if result is None or result.phase is Phase.LOAD:
            bits = _ones(0, last)
        elif result.verdict is Verdict.SURVIVED:
            bits = 0
        elif result.executed == result.inputs_run:  # state that leaks from one input may kill on another
            bits = _ones(0, last)
        elif row is None:
            bits = _ones(result.input or 0, last)
        else:
            bits = int.from_bytes(row.bits, "little") | _ones(row.inputs, last)
        length = (last + 7) // 8
        return (bits & _ones(0, last)).to_bytes(length, "little")[first // 8 :]


def sees_all(spec_source: str, implementation: str, observed: Observation | None) -> bool:
    """Return whether the differential oracle compares every value that postconditions depend on.

    Args:
        observed: when the states of sequences are looked at; None: the inputs are states.
    """
    if observed is Observation.END or may_call(_used_by_postconditions(spec_source), defined_functions(implementation)):
        return False
    functions = [node for node in ast.parse(spec_source).body if isinstance(node, ast.FunctionDef)]
    postconditions = [one for one in functions if one.name.startswith(PREFIX)]
    ask_program = any(argument.arg == "program" for one in postconditions for argument in one.args.kwonlyargs)
    return not ask_program and not any(map(_asks_for_more_than_a_class, postconditions))


def _used_by_postconditions(spec_source: str) -> ast.Module:
    """Return the postconditions, the abstraction, which makes their arguments, and every statement that these use."""
    statements: dict[str, list[ast.stmt]] = {}
    for statement in ast.parse(spec_source).body:
        for name in _bound_by(statement):
            statements.setdefault(name, []).append(statement)
    names = [name for name in statements if name.startswith(PREFIX) or name == "abstraction"]
    used: dict[ast.stmt, None] = {}
    while names:
        for statement in statements.pop(names.pop(), ()):
            used[statement] = None
            names += [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return ast.Module([*used], type_ignores=[])


def _bound_by(statement: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    nodes = list(ast.walk(statement))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def _asks_for_more_than_a_class(function: ast.FunctionDef) -> bool:
    """Return whether a function uses `raised` otherwise than in `raised is None` and `isinstance(raised, ...)`."""
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "raised"]
    of_class = 0
    for node in ast.walk(function):
        match node:
            case ast.Compare(
                left=ast.Name(id="raised"), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Constant(None)]
            ):
                of_class += 1
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id="raised"), _]):
                of_class += 1
    return len(uses) > of_class


def _ones(first: int, last: int) -> int:
    return ((1 << last) - (1 << first)) if first < last else 0
