"""A copy of the sources to which something is added, with a record of the files that were touched for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SUBJECT = "search_tree"


class SourceCopy:
    """The package and one subject in a folder of their own, as they are installed."""

    def __init__(self, folder: Path) -> None:
        self._site = folder / "site"
        self._place = folder / "place"
        self._cache = folder / "cache"
        self._place.mkdir(parents=True)
        shutil.copytree(ROOT / "harness", self._site / "harness")
        shutil.copytree(ROOT / "subjects" / SUBJECT, self._site / "subjects" / SUBJECT)

    def add(self, path: str, text: str) -> None:
        """Write a file that is not there yet."""
        file = self._site / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)

    def edit(self, path: str, before: str, after: str) -> None:
        """Replace a text, which stands in the file once."""
        file = self._site / path
        text = file.read_text(encoding="utf-8")
        assert text.count(before) == 1, (path, before)
        file.write_text(text.replace(before, after), encoding="utf-8")

    def touched(self) -> tuple[list[str], list[str]]:
        """Return the files of the repository that have another text here, and those that it lacks."""
        here = sorted(path for path in self._site.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        names = [path.relative_to(self._site).as_posix() for path in here]
        new = [name for name in names if not (ROOT / name).exists()]
        changed = [
            name
            for name, path in zip(names, here, strict=True)
            if name not in new and (ROOT / name).read_bytes() != path.read_bytes()
        ]
        return changed, new

    def run(self, *arguments: str) -> Any:
        """Run `mutascope` with these sources, and return what it prints as JSON."""
        process = subprocess.run(
            [sys.executable, "-m", "harness", *arguments, "--json"],
            cwd=self._place,
            env={**os.environ, "PYTHONPATH": str(self._site), "MUTASCOPE_CACHE": str(self._cache)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return json.loads(process.stdout)
