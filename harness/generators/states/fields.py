"""Checks that a finitization names the fields of the implementation's classes, by reading the source only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.did_you_mean import suggestion
from harness.errors import SpecError
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.builtin_effects import REFLECTIVE, CallEffects, named
from harness.model.finitization import CONTENTS, DomainKind

_INITIALISERS = frozenset({"__init__", "__post_init__", "__new__"})
_NOT_FIELDS = frozenset({"ClassVar", "InitVar"})
_DYNAMIC = named(REFLECTIVE, CallEffects.SETS_FIELDS)


def check_fields(space: StateSpace, source: str) -> None:
    """Compare the finitization's fields with the classes in `source`.

    A class has the fields that it or a base class in `source` assigns on self in `__init__` (`__post_init__`,
    `__new__`), lists in `__slots__`, or annotates in its body. Each field that the finitization sets must be one of
    them, or `source` must assign it as an attribute somewhere. This is not checked if the source sets attributes by
    computed names, or if a base is imported.

    Raises:
        SpecError: the finitization forgets a field, or sets one that does not exist.
    """
    tree = ast.parse(source)
    classes = dict(_classes(tree, ""))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    assigned = {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    names = {node.attr for node in attributes} | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    dynamic = not names.isdisjoint(_DYNAMIC)
    for owner in space.objects:
        name = owner.domain.class_name
        if owner.domain.kind is not DomainKind.OBJECT or name not in classes:
            continue
        fields = _fields_of(name, classes)
        for field, line in fields.lines.items():
            if field not in owner.names:
                raise SpecError(
                    f"line {line} of the implementation gives {name} a field {field!r}, which has no field domain; "
                    f'add f.set("{name}.{field}", ...) to finitization'
                )
        for field in owner.names:
            if field == CONTENTS:
                continue
            is_known = field in fields.lines or field in fields.constants or field in assigned
            if not (is_known or dynamic or fields.foreign_base or _mangled_in(field, assigned)):
                raise SpecError(
                    f'finitization sets "{name}.{field}", but no code of the implementation assigns it; '
                    f"{suggestion(field, fields.lines)}"
                )


class _Fields:
    """The fields of one class with their lines, class constants, and whether a base is not in the source."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.constants: set[str] = set()
        self.foreign_base = False


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child
            yield from _classes(child, f"{prefix}{child.name}.")
        elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from _classes(child, prefix)


def _fields_of(name: str, classes: dict[str, ast.ClassDef]) -> _Fields:
    fields = _Fields()
    pending, seen = [name], set()
    while pending:
        name = pending.pop(0)
        seen.add(name)
        definition = classes[name]
        _read_class(definition, fields)
        for base in definition.bases:
            dotted = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
            inner = f"{name.rpartition('.')[0]}.{dotted}"
            base_name = next((known for known in (inner, dotted) if known in classes), None)
            if base_name is None:
                fields.foreign_base |= dotted.rpartition(".")[2] not in ("object", "Generic", "Protocol", "ABC")
            elif base_name not in seen:
                pending.append(base_name)
    return fields


def _read_class(definition: ast.ClassDef, fields: _Fields) -> None:
    accessors = {node.name for node in definition.body if isinstance(node, ast.FunctionDef)}
    for node in definition.body:
        if isinstance(node, ast.Assign):
            fields.constants |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        for name, line in _declared_in(node):
            if name not in accessors and name not in ("__dict__", "__weakref__"):
                fields.lines.setdefault(_mangled(name, definition.name), line)


def _declared_in(node: ast.stmt) -> Iterator[tuple[str, int]]:
    """Yield the fields that a statement of a class body declares, with their lines."""
    match node:
        case ast.AnnAssign(target=ast.Name(id=("__slots__" | "__match_args__") as name), value=value):
            if name == "__slots__" and value is not None:
                yield from ((slot, node.lineno) for slot in _strings(value))
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            marks = {part.id for part in ast.walk(annotation) if isinstance(part, ast.Name)}
            marks |= {part.attr for part in ast.walk(annotation) if isinstance(part, ast.Attribute)}
            if not marks & _NOT_FIELDS:
                yield name, node.lineno
        case ast.Assign(targets=targets, value=value):
            if any(isinstance(target, ast.Name) and target.id == "__slots__" for target in targets):
                yield from ((slot, node.lineno) for slot in _strings(value))
        case ast.FunctionDef(name=name) if name in _INITIALISERS:
            yield from _assigned_on_self(node)


def _strings(node: ast.expr) -> Iterator[str]:
    """Yield the names in a literal `__slots__`: a string, a sequence of strings, or a dict's keys."""
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    if isinstance(node, ast.Dict):
        parts = [key for key in node.keys if key is not None]
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def _assigned_on_self(function: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    own = {argument.arg for argument in [*function.args.posonlyargs, *function.args.args][:1]}
    if function.name == "__new__":  # its first parameter is the class; the instance has a name of its own
        returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
        own = {value.id for value in returned if isinstance(value, ast.Name)}
    for node in ast.walk(function):
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if stored and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in own:
            yield node.attr, node.lineno


def _mangled(name: str, class_name: str) -> str:
    """Return the private name that Python makes: `__root` within `class Tree` is `_Tree__root`."""
    private = name.startswith("__") and not name.endswith("__")
    return f"_{class_name.lstrip('_')}{name}" if private else name


def _mangled_in(field: str, assigned: set[str]) -> bool:
    return any(name.startswith("__") and field.endswith(name) for name in assigned)
