"""What the root's class is made with, where a spec says no constructor: read from the text of the implementation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.errors import SpecError
from harness.model.routines import ArgumentDomain, Fixed, Routine, RoutineKind, Value
from harness.model.sequence import SequenceScope

_LISTS = frozenset({"list", "List", "Iterable", "Sequence", "Collection", "Iterator", "MutableSequence"})
_Parameters = list[tuple[str, ast.expr | None]]


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
    cls = _class(ast.parse(source).body, bounds.root)
    plain, keywords = ([], []) if cls is None else _parameters(cls, ast.parse(source))
    domains = [
        ArgumentDomain(tuple(_values(f"{bounds.root} wants {name!r}", declared, scope)))
        for name, declared in (*plain, *keywords)
    ]
    made = Routine(bounds.root, RoutineKind.CONSTRUCTOR, tuple(domains), tuple(name for name, _ in keywords))
    return bounds.with_constructors([made])


def _class(body: list[ast.stmt], dotted: str) -> ast.ClassDef | None:
    first, _, rest = dotted.partition(".")
    found = next((node for node in _definitions(body) if node.name == first), None)
    return found if found is None or not rest else _class(found.body, rest)


def _definitions(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    """Classes of a body, those within its conditions included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _definitions([*node.body, *node.orelse])


def _parameters(cls: ast.ClassDef, module: ast.Module) -> tuple[_Parameters, _Parameters]:
    """Parameters without a default: those passed in order, and by name; of a base where the class has none itself."""
    for name in ("__init__", "__new__"):
        for node in cls.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return _required(node.args)
    if any("dataclass" in ast.unparse(decorator) for decorator in cls.decorator_list):
        fields = [node for node in cls.body if isinstance(node, ast.AnnAssign) and node.value is None]
        return [(ast.unparse(node.target), node.annotation) for node in fields], []
    for base in cls.bases:
        found = _class(module.body, ast.unparse(base))
        if found is not None and found is not cls:
            return _parameters(found, module)
    return [], []


def _required(arguments: ast.arguments) -> tuple[_Parameters, _Parameters]:
    plain = [*arguments.posonlyargs, *arguments.args][1:]
    plain = plain[: max(len(plain) - len(arguments.defaults), 0)]
    keywords = [
        argument
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return [(one.arg, one.annotation) for one in plain], [(one.arg, one.annotation) for one in keywords]


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
