"""What the documents show is executed as a reader would: files written, commands run, output compared."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# (\S+\.(?:py|toml))\n")


@dataclass(frozen=True)
class Block:
    language: str
    text: str


def blocks(document: str) -> Iterator[Block]:
    for found in _BLOCK.finditer((ROOT / document).read_text()):
        yield Block(found[1], found[2])


def environment(folder: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "MUTASCOPE_CACHE": str(folder / ".cache"), "COLUMNS": "120"}


def run_console(text: str, folder: Path) -> None:
    """Runs each `$ command` and compares what it prints, `...` standing for anything."""
    for part in text.split("$ ")[1:]:
        command, _, expected = part.partition("\n")
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300
        )
        printed = done.stdout + done.stderr
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        assert doctest.OutputChecker().check_output(expected, printed, options), (
            f"{command} printed\n{printed}\ninstead of\n{expected}"
        )


def write_file(text: str, folder: Path) -> bool:
    """Writes the block if it begins with a file's name."""
    written = _FILE.match(text)
    if written:
        path = folder / written[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text[written.end() :])
    return written is not None


def run_python(text: str, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("document", ["docs/tutorial.md", "docs/checking.md", "docs/experiments.md", "README.md"])
def test_a_document_shows_what_happens(document: str, tmp_path: Path) -> None:
    found = list(blocks(document))
    assert any(block.language == "console" for block in found)
    for block in found:
        if block.language == "console":
            run_console(block.text, tmp_path)
        elif not write_file(block.text, tmp_path) and block.language == "python":
            run_python(block.text, tmp_path)


def test_the_tutorials_subject_has_fewer_than_sixty_lines() -> None:
    files = [block.text for block in blocks("docs/tutorial.md") if _FILE.match(block.text)]
    assert len(files) == 2
    assert sum(len(text.splitlines()) - 1 for text in files) < 60


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    run_console("$ echo one\none\n", tmp_path)
    with pytest.raises(AssertionError, match="instead of"):
        run_console("$ echo one\ntwo\n", tmp_path)
