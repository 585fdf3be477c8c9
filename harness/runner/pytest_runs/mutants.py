"""Mutants of a whole module: of every function's body, with the types that are observed while its tests run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.errors import UsageError
from harness.model.mutant import Mutant, MutantStatus
from harness.model.subject import Subject


class NoMutantsError(UsageError):
    """A module has nothing that can be mutated."""


def module_mutants(subject: Subject, operators: str, types: Mapping[str, Any]) -> list[Mutant]:
    """Return the mutants by line: those to be run, and those that need not be, as their status says.

    Args:
        types: as `harness.kernel.running.type_profile.profile` returns them.

    Raises:
        NoMutantsError: there is nothing to mutate.
        UsageError: unknown operator set.
        SourceError: the target can be read by Python, but not by libcst.
    """
    from harness.mutation.algebra import without_equals  # libcst takes longer to import than a rerun takes
    from harness.mutation.filters import classify
    from harness.mutation.mutate import mutate
    from harness.mutation.operator_sets import operator_set, operators_of
    from harness.mutation.profile import TypeProfile
    from harness.mutation.program import all_definitions

    source, profile = subject.source, TypeProfile.from_json(types)
    chosen = operators_of(operator_set(operators))
    mutants: list[Mutant] = []
    for program, functions in all_definitions(source):
        new_mutants = mutate(source, functions, profile, chosen, program)
        listed = without_equals(source, classify(source, new_mutants), profile, program)
        mutants += listed
    mutants.sort(key=lambda mutant: mutant.location.line)
    if not any(mutant.status is MutantStatus.VIABLE for mutant in mutants):
        raise no_mutants(subject)
    return mutants


def no_mutants(subject: Subject) -> NoMutantsError:
    """Return the error for a module that has nothing to mutate."""
    return NoMutantsError(f"{subject.source_path}: no function of it can be mutated; choose another target")


def left_alone(source: str) -> list[str]:
    """Return the parts of a module that are not mutated, each with its line and the reason, for people."""
    lines = _outer_lambdas(ast.parse(source).body, within=False)
    return [f"line {line}: lambda, it lies in no function" for line in lines]


def _outer_lambdas(nodes: Iterable[ast.AST], within: bool) -> Iterator[int]:
    """Yield lines of lambdas outside of functions' bodies.

    `within` a function's body, lambdas are its code, but in signatures and in classes they are not.
    """
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _outer_lambdas([node.args, *node.decorator_list], within=False)
            yield from _outer_lambdas(node.body, within=True)
        elif isinstance(node, ast.Lambda) and not within:
            yield node.lineno
        else:
            yield from _outer_lambdas(ast.iter_child_nodes(node), within and not isinstance(node, ast.ClassDef))
