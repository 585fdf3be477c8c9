"""Derives a constructor for the root's class from the text of the implementation, where a spec has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from harness.errors import SpecError
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


@dataclass(frozen=True)
class DeclaredParameter:
    """A parameter; `declared` is its type as it is written, if it is; `by_name`: it is passed only by its name."""

    name: str
    declared: ast.expr | None
    by_name: bool


def parameters_of_class(source: str, dotted: str) -> list[DeclaredParameter]:
    """Return the parameters that the class needs to be made. They are those of its `__init__` or `__new__`, or of a
    dataclass's or named tuple's fields. A class without these has those of its first base that has any. Those passed in
    order come before those passed by name. A class that the text does not hold has none.
    """
    module = ast.parse(source)
    cls = _class(module.body, dotted)
    parameters = None if cls is None else _parameters(cls, module)
    return sorted(parameters or [], key=lambda parameter: parameter.by_name)


@dataclass(frozen=True)
class DeclaredConstruction:
    """The parameters of an `__init__`, and the fields that it makes of them.

    Attributes:
        defaults: the parameters by name, in order, with the text of the default; None where there is none.
        fields: of each parameter, the fields that are assigned an expression in which it occurs.
    """

    defaults: Mapping[str, str | None]
    fields: Mapping[str, tuple[str, ...]]


def making_of_class(source: str, dotted: str) -> DeclaredConstruction | None:
    """Return how the `__init__` of a class makes its objects; None if the class has none of its own in the text."""
    cls = _class(ast.parse(source).body, dotted)
    for node in [] if cls is None else cls.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            return _making(node.args, node)
    return None


def _making(arguments: ast.arguments, function: ast.FunctionDef) -> DeclaredConstruction | None:
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if not names:
        return None  # it takes its receiver by a star
    receiver, texts = names[0], [ast.unparse(default) for default in arguments.defaults]
    defaults: dict[str, str | None] = dict(zip(names, [*[None] * (len(names) - len(texts)), *texts], strict=True))
    del defaults[receiver]
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        defaults[argument.arg] = None if default is None else ast.unparse(default)
    fields: dict[str, dict[str, None]] = {name: {} for name in defaults}
    for node in ast.walk(function):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            continue
        read = {inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)}
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == receiver:
                for name in read & defaults.keys():
                    fields[name][target.attr] = None
    return DeclaredConstruction(defaults, {name: tuple(found) for name, found in fields.items()})


def _class(body: list[ast.stmt], dotted: str) -> ast.ClassDef | None:
    """Return the last definition of that name, which is the one that counts."""
    first, _, inner_name = dotted.partition(".")
    definition = None
    for node in _definitions(body):
        if node.name == first:
            definition = node
    return definition if definition is None or not inner_name else _class(definition.body, inner_name)


def _definitions(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    """Yield the classes of a body, those within its conditions included."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node
        elif isinstance(node, (ast.If, ast.Try)):
            yield from _definitions([*node.body, *node.orelse])


def _bases(cls: ast.ClassDef) -> list[str]:
    """Return the names of a class's bases, without the type arguments of generic ones."""
    return [ast.unparse(base.value if isinstance(base, ast.Subscript) else base) for base in cls.bases]


def _parameters(cls: ast.ClassDef, module: ast.Module) -> list[DeclaredParameter] | None:
    for name in ("__init__", "__new__"):
        for node in cls.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return _of_arguments(node.args)
    if _is_dataclass(cls) or "NamedTuple" in [base.rpartition(".")[2] for base in _bases(cls)]:
        return [field for field in _fields(cls, module).values() if field is not None]
    for base in _base_classes(cls, module):
        parameters = _parameters(base, module)
        if parameters is not None:
            return parameters
    return None


def _base_classes(cls: ast.ClassDef, module: ast.Module) -> list[ast.ClassDef]:
    """Return the bases of a class that the module defines."""
    bases = [_class(module.body, name) for name in _bases(cls)]
    return [base for base in bases if base is not None and base is not cls]


def _of_arguments(arguments: ast.arguments) -> list[DeclaredParameter]:
    plain = [*arguments.posonlyargs, *arguments.args][1:]
    plain = plain[: max(len(plain) - len(arguments.defaults), 0)]
    by_name = [
        argument
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return [
        *(DeclaredParameter(one.arg, one.annotation, by_name=False) for one in plain),
        *(DeclaredParameter(one.arg, one.annotation, by_name=True) for one in by_name),
    ]


def _is_dataclass(cls: ast.ClassDef) -> bool:
    called = [one.func if isinstance(one, ast.Call) else one for one in cls.decorator_list]
    return "dataclass" in [ast.unparse(one).rpartition(".")[2] for one in called]


def _fields(cls: ast.ClassDef, module: ast.Module) -> dict[str, DeclaredParameter | None]:
    """Return the fields of a dataclass or named tuple by name, those of its bases first; None if it has a default."""
    fields: dict[str, DeclaredParameter | None] = {}
    for base in reversed(_base_classes(cls, module)):
        if _is_dataclass(base):
            fields |= _fields(base, module)
    for node in cls.body:
        if isinstance(node, ast.AnnAssign) and _kind(node.annotation) != "ClassVar" and not _is_set_later(node.value):
            name = ast.unparse(node.target)
            required = node.value is None or _has_no_default(node.value)
            fields[name] = DeclaredParameter(name, node.annotation, by_name=False) if required else None
    return fields


def _has_no_default(value: ast.expr) -> bool:
    """Return whether the value is `field(...)` of a parameter without a default."""
    if not isinstance(value, ast.Call) or ast.unparse(value.func).rpartition(".")[2] != "field":
        return False
    return not {keyword.arg for keyword in value.keywords} & {"default", "default_factory"}


def _kind(annotation: ast.expr) -> str:
    """Return the name of an annotation, without the module and what is in brackets."""
    return ast.unparse(annotation).partition("[")[0].rpartition(".")[2]


def _is_set_later(value: ast.expr | None) -> bool:
    """Return whether the value is `field(init=False)`."""
    keywords = value.keywords if isinstance(value, ast.Call) else []
    return any(
        word.arg == "init" and isinstance(word.value, ast.Constant) and not word.value.value for word in keywords
    )
