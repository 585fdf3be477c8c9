"""Mutants of a whole module: of every function's body, with types as they are seen while its tests run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from harness.errors import UsageError
from harness.model.mutant import Mutant, MutantStatus
from harness.model.subject import Subject
from harness.mutation.algebra import without_equals
from harness.mutation.filters import classify
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import operator_set, operators_of
from harness.mutation.profile import TypeProfile
from harness.mutation.program import read_program

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def module_mutants(subject: Subject, operators: str, types: Mapping[str, Any]) -> list[Mutant]:
    """The mutants to be run.

    Args:
        types: as `harness.kernel.running.type_profile.profile` returns them.

    Raises:
        UsageError: unknown operator set, or there is nothing to mutate.
        SourceError: the target can be read by Python, but not by libcst.
    """
    profile = TypeProfile.from_json(types)
    functions = read_program(subject.source).functions
    made = mutate(subject.source, functions, profile, operators_of(operator_set(operators)))
    listed = without_equals(subject.source, classify(subject.source, made), profile)
    found = [mutant for mutant in listed if mutant.status is MutantStatus.VIABLE]
    if not found:
        raise UsageError(f"{subject.source_path}: no function of it can be mutated; choose another target")
    return found


def left_alone(source: str) -> list[str]:
    """What of a module is not mutated, each with its lines and the reason, for people."""
    functions = {function.node.lineno for function in read_program(source).functions.values()}
    return [f"{where}: {what}, {why}" for where, what, why in _left(ast.parse(source), functions, "")]


def _left(node: ast.AST, functions: set[int], within: str) -> Iterator[tuple[str, str, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            if not within and child.lineno not in functions:
                yield f"line {child.lineno}", child.name, "a later definition of the same name is mutated"
            yield from _left(child, functions, child.name)
        elif isinstance(child, ast.ClassDef):
            if within:
                yield f"line {child.lineno}", f"class {child.name}", "a class within a function"
            else:
                yield from _left(child, functions, within)
        elif isinstance(child, ast.Lambda) and not within:
            yield f"line {child.lineno}", "lambda", "it lies in no function"
        else:
            yield from _left(child, functions, within)
