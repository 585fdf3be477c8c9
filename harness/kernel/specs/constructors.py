"""What the root's class is made with, where a spec says no constructor: read from the text of the implementation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.errors import SpecError
from harness.kernel.specs.declared_parameters import parameters_of_class
from harness.model.routines import ArgumentDomain, Fixed, Routine, RoutineKind, Value
from harness.model.sequence import SequenceScope

_LISTS = frozenset({"list", "List", "Iterable", "Sequence", "Collection", "Iterator", "MutableSequence"})


def with_constructor(bounds: SequenceScope, scope: int, source: str) -> SequenceScope:
    """The bounds, with a constructor that is called with what its parameters are declared to be, unless they say one.

    Only parameters without a default are passed: whole numbers from 0 to `scope` for `int`, and where nothing is
    declared; both truths, two texts, floats as whole numbers; an empty list and one of `scope` numbers; None where
    it is allowed, too. A class that the text does not hold is called without arguments.

    Raises:
        SpecError: a parameter is declared to be something else.
    """
    if bounds.says_constructor:
        return bounds
    needed = parameters_of_class(source, bounds.root)
    domains = [
        ArgumentDomain(tuple(_values(f"{bounds.root} wants {parameter.name!r}", parameter.declared, scope)))
        for parameter in needed
    ]
    keywords = tuple(parameter.name for parameter in needed if parameter.by_name)
    made = Routine(bounds.root, RoutineKind.CONSTRUCTOR, tuple(domains), keywords)
    return bounds.with_constructors([made])


def _values(what: str, declared: ast.expr | None, scope: int) -> Iterator[Value]:
    if isinstance(declared, ast.Constant) and isinstance(declared.value, str):
        declared = ast.parse(declared.value, mode="eval").body
    if isinstance(declared, ast.BinOp) and isinstance(declared.op, ast.BitOr):
        yield from _values(what, declared.left, scope)
        yield from _values(what, declared.right, scope)
        return
    name = "int" if declared is None else ast.unparse(declared)
    kind, _, inside = name.partition("[")
    kind = kind.rpartition(".")[2]
    if kind == "Optional":
        yield None
        yield from _values(what, ast.parse(inside.removesuffix("]"), mode="eval").body, scope)
        return
    if kind in _LISTS:
        yield from (Fixed([]), Fixed(list(range(scope))))
        return
    known: dict[str, list[Value]] = {
        "None": [None],
        "bool": [False, True],
        "int": list(range(scope + 1)),
        "float": [float(number) for number in range(scope + 1)],
        "str": ["a", "b"],
        "Any": list(range(scope + 1)),
        "object": list(range(scope + 1)),
    }
    if kind not in known:
        raise SpecError(
            f"{what}, which is declared as {name}; say in sequences what it is made with: s.constructor(...)"
        )
    yield from known[kind]
