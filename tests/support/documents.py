"""Documents executed as a reader would: files written, commands run, output compared."""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from support.levels import without_line_of_levels

from benchmarks.operators_page import operators_page
from benchmarks.reference import api_page, commands_page

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\S+\.(?:py|toml))\n")


GENERATED = {"docs/api.md": api_page, "docs/commands.md": commands_page, "docs/operators.md": operators_page}
"""The pages that are made when the site is built."""


@dataclass(frozen=True)
class Block:
    """A part of a document in a fence."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The name of the file that the block is, if it begins with one."""
        named = _FILE.match(self.text)
        return named[1] if named else None


def text_of(document: str) -> str:
    return GENERATED[document]() if document in GENERATED else (ROOT / document).read_text()


def blocks(document: str) -> Iterator[Block]:
    for match in _BLOCK.finditer(text_of(document)):
        yield Block(match[1], match[2])


def environment(folder: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}  # a reader has none
    return {**own, "PATH": path, "MUTASCOPE_CACHE": str(folder / ".cache"), "COLUMNS": "120"}


def run_document(document: str, folder: Path, variables: Mapping[str, str] | None = None) -> list[str]:
    """Executes a document in a folder; `given` is the environment. Returns the commands."""
    used = dict(variables or environment(folder))
    commands = []
    for block in blocks(document):
        if block.language == "console":
            commands += run_console(block.text, folder, used)
        elif not write_file(block, folder) and block.language == "python":
            run_python(block.text, folder, used)
    return commands


def run_console(text: str, folder: Path, used: Mapping[str, str]) -> list[str]:
    """Runs each `$ command` and compares what it prints, `...` standing for anything."""
    commands = []
    for part in text.split("$ ")[1:]:
        command, _, expected = part.partition("\n")
        done = subprocess.run(
            command, shell=True, cwd=folder, env=used, capture_output=True, encoding="utf-8", timeout=300
        )
        printed = done.stdout + without_line_of_levels(done.stderr)
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(expected, printed, options), (
            f"{command} printed\n{printed}\ninstead of\n{expected}"
        )
        commands.append(command)
    return commands


def write_file(block: Block, folder: Path) -> bool:
    """Writes the block if it begins with a file's name."""
    if block.file is None:
        return False
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text.partition("\n")[2])
    return True


def run_python(text: str, folder: Path, used: Mapping[str, str]) -> None:
    done = subprocess.run(
        ["python", "-c", text], cwd=folder, env=used, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True)
class Table:
    """A table of a document: the heading of its section, its first line, and its rows, each as its cells."""

    section: str
    heading: str
    rows: list[list[str]]

    @property
    def has_numbers(self) -> bool:
        """Whether more than a tenth of its cells are numbers: they begin with a digit, and are half letters at most."""
        cells = [cell for row in self.rows for cell in row if cell]
        numbers = [cell for cell in cells if cell.lstrip("*~<>=+-")[:1].isdigit()]
        return 10 * sum(2 * sum(map(str.isalpha, cell)) <= len(cell) for cell in numbers) > len(cells)


def tables(document: str) -> list[Table]:
    """Return the tables of a document, outside fences."""
    tables_of_page: list[Table] = []
    section, lines = "", _FENCE.sub("", text_of(document)).splitlines()
    for number, line in enumerate(lines):
        if line.startswith("#"):
            section = line
        elif line.startswith("|") and not lines[number - 1].startswith("|"):
            lines_below = lines[number + 2 :]
            rows = list(takewhile(lambda row: row.startswith("|"), lines_below))
            tables_of_page.append(
                Table(section, line, [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows])
            )
    return tables_of_page


def rows_of(document: str, heading: str) -> list[list[str]]:
    """Return the rows of the one table whose first line begins so."""
    (table,) = (table for table in tables(document) if table.heading.startswith(heading))
    return table.rows


def number(cell: str) -> int:
    """A whole number as documents have it."""
    return int(cell.replace(",", "").replace("*", ""))
