"""Finds the test files that a change can affect, by the imports and names in files.

The text of a file is searched, not its syntax tree. That takes far less time, and it finds the contents of strings,
too: programs that a test runs, the module with which a process starts, the folder and name of a read file. A wrong
match costs a test that need not run. A missing one would leave out a test that fails.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

FOR_ALL_TESTS = "pyproject.toml"
"""The file on which every test depends."""

_READ = (".py", ".ipynb", ".toml", ".j2", ".h")
"""Endings of the files that can import or name others."""

_IMPORT = re.compile(
    r"(?:\b|\\n)"  # in a string, a line can begin behind the two characters \n
    r"(?:from +(?P<module>\.*[\w.]*) +import +(?P<names>\((?:[^)#]|#.*)*\)|[\w ,*]+)|import +(?P<modules>[\w ,.]+))"
)
_BY_NAME = re.compile(r"\b([a-z]\w*(?:\.\w+)*\.)\{")
"""The package in an f-string whose module is known only when the program runs, as in f"some_package.{name}"."""

_FOR_TYPES = re.compile(r"^( *)if TYPE_CHECKING:\n(?:\1 +.*\n|\n)+", re.MULTILINE)
_STRING = re.compile(r"""(?<!["'])(["'])([^"'\n]+)\1(?!["'])""")
"""A string in one line that is no docstring."""
_WORD = re.compile(r"[\w-]+(?:\.[\w-]+)*")


def is_test_file(file: str) -> bool:
    """Return True for the path of a file with tests."""
    path = PurePosixPath(file)
    return path.parts[0] == "tests" and path.name.startswith("test_") and path.suffix == ".py"


class ImportGraph:
    """The imports and names in the files of a repository. Paths are relative to its root, with slashes."""

    def __init__(self, root: Path, files: Collection[str], deleted: Collection[str] = ()) -> None:
        """Read the files. Deleted files have no text, but others may still import or name them."""
        all_files = {*files, *deleted}
        packages = {file.split("/")[0] for file in all_files if _is_package_of_root(file)}
        self._packages = tuple(f"{package}." for package in packages)
        self._modules = _modules(all_files, packages)
        data = sorted(all_files - {file for found in self._modules.values() for file in found})
        self._files = files
        self._conftests = {file for file in all_files if PurePosixPath(file).name == "conftest.py"}
        self._words = _words(data)
        self._folders = {file: [str(folder) for folder in PurePosixPath(file).parents][:-1] for file in data}
        self._folders |= {file: [top] for file in all_files - set(data) if (top := file.split("/")[0]) in packages}
        self._users: dict[str, set[str]] = defaultdict(set)
        folders = {folder: folder.split("/") for above in self._folders.values() for folder in above}
        without_packages = {folder: parts for folder, parts in folders.items() if folder not in packages}
        for file in files:
            if file.endswith(_READ) and file != FOR_ALL_TESTS:
                text = _FOR_TYPES.sub("", (root / file).read_text(encoding="utf-8", errors="replace"))
                strings = {string for _, string in _STRING.findall(text)}
                all_words = data_words = strings
                if file.startswith(("tests/", "notebooks/")):
                    # These hold programs. Elsewhere, messages and comments mention much that they do not use.
                    all_words = set(_WORD.findall(text))
                    data_words = {word for string in strings for word in _WORD.findall(string)}
                # The name of a package alone says little, unless the text searches through all files of a folder.
                named_folders = folders if "glob(" in text else without_packages
                for used in (*self._imported(file, text, all_words), *self._named(strings, data_words, named_folders)):
                    self._users[used].add(file)

    def distances(self, changed: Iterable[str]) -> dict[str, int]:
        """Return the test files that the changed files can affect, each with the length of its shortest path to one.

        A changed test file has distance 0. One that imports or names a changed file has distance 1.
        """
        distances = dict.fromkeys(changed, 0)
        if FOR_ALL_TESTS in distances:
            distances = {file: 1 for file in self._files if is_test_file(file)} | distances
        waiting = deque(sorted(distances, key=lambda file: distances[file]))
        while waiting:
            file = waiting.popleft()
            for user in (*self._users.get(file, ()), *self._folders.get(file, ())):
                if user not in distances:
                    distances[user] = distances[file] + 1
                    waiting.append(user)
        return {file: distances[file] for file in self._files if is_test_file(file) and file in distances}

    def _imported(self, file: str, text: str, words: set[str]) -> Iterator[str]:
        """Yield the files that a file imports, and for a file below tests/ the conftest.py of each folder above it."""
        if file.startswith("tests/"):
            folders = PurePosixPath(file).parents
            yield from self._conftests.intersection(str(folder / "conftest.py") for folder in folders)
        names = {name for found in _IMPORT.finditer(text) for name in _imported_names(found, file)}
        # Tests name their plugins in strings, too. A word without a dot is seldom a module.
        names |= {word for word in words if word.startswith(self._packages) or ("." in word and word in self._modules)}
        for name in names:
            parts = name.split(".")  # the packages above a module run with it; the last part may be no module
            for end in range(1, len(parts) + 1):
                yield from self._modules.get(".".join(parts[:end]), ())
        for package in {package for package in _BY_NAME.findall(text) if package.startswith(self._packages)}:
            for module, files in self._modules.items():
                if f"{module}.".startswith(package):
                    yield from files

    def _named(self, strings: set[str], words: set[str], folders: dict[str, list[str]]) -> Iterator[str]:
        """Yield the data files that a word names, and the folders whose paths, or all parts of them, are strings."""
        for word in words & self._words.keys():
            yield from self._words[word]
        for folder, parts in folders.items():
            if folder in strings or strings.issuperset(parts):
                yield folder


def _is_package_of_root(file: str) -> bool:
    return file.count("/") == 1 and file.endswith("/__init__.py") and not file.startswith("tests/")


def _modules(files: Iterable[str], packages: Collection[str]) -> dict[str, list[str]]:
    """Return files by the names under which they are imported.

    Any folder below tests/ may be on the path of a test, so that a module there has a name from each of them.
    """
    modules = defaultdict(list)
    for file in files:
        parts = file.removesuffix(".py").removesuffix("/__init__").split("/")
        if file.endswith(".py") and (parts[0] == "tests" or parts[0] in packages):
            for start in range(1, len(parts)) if parts[0] == "tests" else (0,):
                modules[".".join(parts[start:])].append(file)
    return modules


def _imported_names(match: re.Match[str], file: str) -> Iterator[str]:
    """Yield the dotted names that a statement imports."""
    if match["modules"]:
        yield from (words.split()[0] for words in match["modules"].split(",") if words.split())
    else:
        module = match["module"].lstrip(".")
        if level := len(match["module"]) - len(module):
            package = file.split("/")[:-level]
            module = ".".join([*package[package[0] == "tests" :], *filter(None, [module])])
        yield module  # import * has no names
        yield from (f"{module}.{name}" for name in re.findall(r"\w+", re.sub("#.*", "", match["names"])))


def _words(data: Iterable[str]) -> dict[str, list[str]]:
    """Return data files by the words that name them.

    A file is known by its folder if other folders lie beside that one (`subjects/NAME/spec.py` by NAME). It is also
    known by its own name if that has an ending, and no other file has it or there is no such folder.
    """
    paths = {file: PurePosixPath(file).parts for file in data}
    counts = Counter(part for parts in paths.values() for part in set(parts))
    words = defaultdict(list)
    for file, (*folders, name) in paths.items():
        folder = min(reversed(folders[1:]), key=lambda part: counts[part], default=None)
        by_folder = folder is not None and counts[folder] < counts[folders[0]]
        if folder is not None and by_folder:
            words[folder].append(file)
        if "." in name and (not by_folder or counts[name] == 1):
            words[name].append(file)
    return words
