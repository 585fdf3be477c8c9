"""Loads a text instead of one module, under every name by which it is loaded; no file is written for it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from types import CodeType, ModuleType

from harness.kernel.program.loader import SELECTOR, ModuleText

_TOOL = __name__.partition(".")[0]
_FOR_TOOL_ALONE = (_TOOL, "ctypes", "fractions", "mmap", "resource")
"""The packages and modules that are imported for this package, and not for pytest."""
_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_hidden: dict[str, ModuleType] = {}

_plain_exec = SourceFileLoader.exec_module


def hide_tool() -> None:
    """Free the names of what runs the tests: a program has its own modules of these names, or imports them anew.

    A module of a program is found before one of this package; what is imported works on. Exported suites need
    `harness.spec`.
    """
    for name in [name for package in _FOR_TOOL_ALONE for name in modules_of(package)]:
        _hidden[name] = sys.modules.pop(name)
    if _FOLDER in sys.path:
        sys.path.remove(_FOLDER)  # PYTHONPATH has it first
        sys.path.append(_FOLDER)
    os.environ.pop("PYTHONPATH", None)


@contextmanager
def tool_shown() -> Iterator[None]:
    """Import of this package within the block, before the program imports anything."""
    sys.modules.update(_hidden)
    sys.path.insert(0, _FOLDER)
    try:
        yield
    finally:
        hide_tool()


def modules_of(package: str) -> list[str]:
    """Return the names of a package and its modules that are imported."""
    return [name for name in sys.modules if name == package or name.startswith(f"{package}.")]


class TargetFinder(MetaPathFinder):
    """Finds the module of a text and no other, and executes the code that stands for it.

    Attributes:
        modules: the modules that were made; there are several if a program loads it more than once.
        failure: the error that executing it raised last, in a few words; empty if none.
    """

    def __init__(self, text: ModuleText, code: CodeType, presets: Mapping[str, object]) -> None:
        self._text = text
        self._code = code
        self._presets = dict(presets)
        self._number = 0
        self._path = os.path.realpath(text.filename)
        self.modules: list[ModuleType] = []
        self.failure = ""

    def install(self) -> None:
        """Put this finder before all others, and forget imported modules of the package; others may still hold them."""
        self.come_first()
        self._stand_for_file()
        package = self._text.name.partition(".")[0]
        for name in modules_of(package):
            del sys.modules[name]

    def come_first(self) -> None:
        """Put this finder first again, like `install`: pytest puts its own finders before those that it finds."""
        sys.meta_path[:] = [self, *(finder for finder in sys.meta_path if finder is not self)]

    def _stand_for_file(self) -> None:
        """Make loaders that get the module's file execute the code, too, under every name that they use."""
        plain = _plain_exec

        def exec_module(loader: SourceFileLoader, module: ModuleType) -> None:
            if os.path.realpath(loader.path) == self._path:
                module.__file__ = self._text.filename  # as its code says, however the path was written
                self.exec_module(module)
            else:
                plain(loader, module)

        SourceFileLoader.exec_module = exec_module  # type: ignore[method-assign, assignment]

    def select(self, number: int) -> None:
        """Select a mutant of the metamutant, in every module that is loaded or will be."""
        self._number = number
        for module in self.modules:
            module.__dict__[SELECTOR] = number

    def preset(self, name: str, value: object) -> None:
        """Give a global another value, in every module that is loaded or will be."""
        self._presets[name] = value
        for module in self.modules:
            module.__dict__[name] = value

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname != self._text.name:
            return None
        return spec_from_file_location(fullname, self._text.filename)  # its loader reads data files, too

    def exec_module(self, module: ModuleType) -> None:
        self.modules.append(module)
        module.__dict__.update(self._presets)
        module.__dict__[SELECTOR] = self._number
        try:
            exec(self._code, module.__dict__)
        except BaseException as error:
            self.failure = f"{type(error).__name__}: {error}"
            raise
