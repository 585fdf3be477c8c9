"""Programs of several files: finds the module of a file, and the user's own files that it imports."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from harness.model.subject import SourceFile
from harness.resources import read_source

_INIT = "__init__.py"
_ADVICE = "correct the import, or put the file there"
_MOST_ERRORS = (SyntaxError, RecursionError, MemoryError)


@dataclass(frozen=True)
class LocalModule:
    """A module of the user's own: its file, its dotted name, and the folder that the name starts from."""

    path: Path
    name: str
    root: Path


def module_of_file(path: Path, source: str) -> LocalModule:
    """Return the module in a file that a spec names.

    In a package (a folder with `__init__.py`) its name starts with the package's (`shop.stock`). Otherwise it is
    `impl`. A file that imports its neighbours by relative names is taken to be in a package.
    """
    folder, name = path.parent, path.stem
    if not (folder / _INIT).is_file():
        if not any(isinstance(node, ast.ImportFrom) and node.level for node in _nodes(source)):
            return LocalModule(path, "impl", folder)
        return LocalModule(path, f"{folder.name.replace('.', '_')}.{name}", folder.parent)
    parts = [] if path.name == _INIT else [name]
    while (folder / _INIT).is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return LocalModule(path, ".".join(parts), folder)


def module_of_name(module: str) -> LocalModule | None:
    """Return the module of that dotted name in the current folder, or in a folder on PYTHONPATH.

    Modules of the standard library are not looked for, nor are folders that belong to Python searched.
    """
    for root in _own_roots():
        path = _file(root, module)
        if path is not None and path.is_file():
            return LocalModule(path, module, root)
    return None


def imported_files(module: LocalModule, source: str) -> tuple[SourceFile, ...]:
    """Return the user's own files that a module imports, and those that these import, by dotted name.

    They are looked for from the folder that the module's name starts from, next to the module, in the current folder
    and on PYTHONPATH. Imports are read, not executed, so an import by a computed name is not found.

    Raises:
        SourceError: one of them cannot be read.
    """
    roots = list(dict.fromkeys([module.root, module.path.parent, *_own_roots()]))
    is_package = module.path.name == _INIT
    files: dict[str, SourceFile] = {}
    left = [*_parents(module.name), *_imported(module.name, is_package, source)]
    while left:
        name = left.pop()
        if name in files or name == module.name or name.partition(".")[0] in sys.stdlib_module_names:
            continue
        path = next((path for root in roots if (path := _file(root, name)) is not None), None)
        if path is not None and path != module.path:
            files[name] = SourceFile(name, str(path), read_source(path, _ADVICE))
            left += [*_parents(name), *_imported(name, path.name == _INIT, files[name].source)]
    for name, path in [(module.name, module.path), *((name, Path(file.path)) for name, file in files.items())]:
        for parent, folder in zip(reversed(_parents(name)), path.parents[int(path.name == _INIT) :], strict=False):
            if parent not in files:  # a package without __init__.py
                files[parent] = SourceFile(parent, str(folder / _INIT), "")
    return tuple(files[name] for name in sorted(files))


def package_hash(module: str, path: Path) -> str:
    """sha256 over the Python files of an installed module's package but the module's own; empty without a package."""
    depth = module.count(".") + (path.name == _INIT)
    if not depth:
        return ""
    folder = path.parents[depth - 1]
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.py")):
        if file != path and file.is_file():
            digest.update(f"{file.relative_to(folder).as_posix()}\0".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _own_roots() -> Iterator[Path]:
    """Yield the current folder and those on PYTHONPATH, except for Python's own."""
    listed = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    pythons = {Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix) if prefix != "/"}
    for root in dict.fromkeys([Path.cwd(), *(Path(entry).absolute() for entry in listed)]):
        if root.is_dir() and pythons.isdisjoint([root.resolve(), *root.resolve().parents]):
            yield root


def _file(root: Path, module: str) -> Path | None:
    """Return the path of the module below `root`, if it exists and its name is none of the standard library's."""
    *folders, last = parts = module.split(".")
    if parts[0] in sys.stdlib_module_names or not all(map(_is_name, parts)):
        return None
    folder = root.joinpath(*folders)
    for path in (folder / last / _INIT, folder / f"{last}.py"):
        if path.is_file():
            return path
    return None


def _is_name(part: str) -> bool:
    return bool(part) and not {"/", os.sep, "\0"} & set(part)


def _parents(name: str) -> Sequence[str]:
    return list(accumulate(name.split("."), "{}.{}".format))[:-1]


def _imported(name: str, is_package: bool, source: str) -> Iterator[str]:
    """Dotted names that a module may import: packages, modules, and names in them that may be modules."""
    for node in _nodes(source):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from (*_parents(alias.name), alias.name)
        elif isinstance(node, ast.ImportFrom):
            start = _start(name, is_package, node)
            if start:
                yield from (*_parents(start), start, *(f"{start}.{alias.name}" for alias in node.names))


def _start(name: str, is_package: bool, node: ast.ImportFrom) -> str:
    """Return the name of the module or package that names are imported from; empty if it is above all packages."""
    if not node.level:
        return node.module or ""
    parts = name.split(".")
    part_count = len(parts) - node.level + is_package
    return ".".join([*parts[: max(part_count, 0)], *filter(None, [node.module])]) if part_count > 0 else ""


def _nodes(source: str) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(ast.parse(source))
    except _MOST_ERRORS:
        return  # other readers report what is wrong
