"""Derives a constructor for the root's class from the text of the implementation, where a spec has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.errors import SpecError
from harness.kernel.specs.declared_parameters import parameters_of_class
from harness.model.routines import ArgumentDomain, Fixed, Routine, RoutineKind, Value
from harness.model.sequence import SequenceScope

_LISTS = frozenset({"list", "List", "Iterable", "Sequence", "Collection", "Iterator", "MutableSequence"})


def with_constructor(bounds: SequenceScope, scope: int, source: str) -> SequenceScope:
    """Return the bounds; without a constructor, add one whose arguments have the declared types of its parameters.

    Only parameters without a default are passed. Whole numbers from 0 to `scope` are passed for `int`, and for a
    parameter without a declaration. Other types get both truths, two texts, floats as whole numbers, or an empty list
    and one of `scope` numbers. If None is allowed, it is added. A class that the text does not hold is called without
    arguments.

    Raises:
        SpecError: a parameter is declared to have another type.
    """
    if bounds.says_constructor:
        return bounds
    needed = parameters_of_class(source, bounds.root)
    domains = [
        ArgumentDomain(tuple(_values(f"{bounds.root} wants {parameter.name!r}", parameter.declared, scope)))
        for parameter in needed
    ]
    keywords = tuple(parameter.name for parameter in needed if parameter.by_name)
    constructor = Routine(bounds.root, RoutineKind.CONSTRUCTOR, tuple(domains), keywords)
    return bounds.with_constructors([constructor])


def _values(requirement: str, declared: ast.expr | None, scope: int) -> Iterator[Value]:
    if isinstance(declared, ast.Constant) and isinstance(declared.value, str):
        declared = ast.parse(declared.value, mode="eval").body
    if isinstance(declared, ast.BinOp) and isinstance(declared.op, ast.BitOr):
        yield from _values(requirement, declared.left, scope)
        yield from _values(requirement, declared.right, scope)
        return
    name = "int" if declared is None else ast.unparse(declared)
    kind, _, inside = name.partition("[")
    kind = kind.rpartition(".")[2]
    if kind == "Optional":
        yield None
        yield from _values(requirement, ast.parse(inside.removesuffix("]"), mode="eval").body, scope)
        return
    if kind in _LISTS:
        yield from (Fixed([]), Fixed(list(range(scope))))
        return
    values_by_type: dict[str, list[Value]] = {
        "None": [None],
        "bool": [False, True],
        "int": list(range(scope + 1)),
        "float": [float(number) for number in range(scope + 1)],
        "str": ["a", "b"],
        "Any": list(range(scope + 1)),
        "object": list(range(scope + 1)),
    }
    if kind not in values_by_type:
        raise SpecError(
            f"{requirement}, which is declared as {name}; say in sequences what it is made with: s.constructor(...)"
        )
    yield from values_by_type[kind]
