"""Compares the lines of each room with its ceiling in `size.toml`: `python -m benchmarks.size [--write]`.

A room is a list of folders and files; its lines are those of its Python, C, template and Markdown files. A room above
its ceiling fails, and so does one that is more than 3 % below it. `--write` lowers ceilings, and never raises one.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "size.toml"
ENDINGS = {".py", ".h", ".c", ".j2", ".js", ".css", ".md", ".sh", ".toml"}
LEAST = 0.97


def lines_of(place: str) -> int:
    """Count the lines of a file, or of all files below a folder."""
    path = ROOT / place
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.suffix in ENDINGS]
    return sum(file.read_bytes().count(b"\n") for file in files)


def main() -> int:
    """Print the rooms that do not fit their ceilings, or lower the ceilings."""
    text = FILE.read_text(encoding="utf-8")
    failures = 0
    for room, declared in tomllib.loads(text).items():
        lines = sum(map(lines_of, declared["places"])) - sum(map(lines_of, declared.get("without", ())))
        ceiling = declared["ceiling"]
        if "--write" in sys.argv and lines < ceiling:
            text = re.sub(rf"(\[{room}\]\nceiling = )\d+", rf"\g<1>{lines}", text)
        elif not LEAST * ceiling <= lines <= ceiling:
            print(f"{room}: {lines:,} lines, ceiling {ceiling:,} in {FILE.name}")
            failures += 1
    FILE.write_text(text, encoding="utf-8")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
