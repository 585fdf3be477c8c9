"""Finds names and sentences that a stranger cannot read, and fails where there are new ones.

`python -m benchmarks.prose` prints each finding that `results/prose.txt` does not list, and ends with status 1 if there
is one. `make lint` runs it. With `--write`, findings that were mended leave the list; no finding enters it. With paths,
it prints every finding in these files and folders. `benchmarks.wording` has the rules.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import RESULTS
from benchmarks.wording import KINDS, Finding, in_file

ROOT = Path(__file__).parents[1]
CHECKED = ("harness", "benchmarks", "tests", "docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md")
LIST = RESULTS / "prose.txt"


def files_below(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the Python files and the pages of Markdown among the paths and below them."""
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in {".py", ".md"}:
                yield file


def findings_below(root: Path, paths: Iterable[Path]) -> list[tuple[str, Finding]]:
    """Return the findings in files, each with the file's path below a root."""
    return [
        (file.relative_to(root).as_posix(), finding)
        for file in files_below(paths)
        for finding in in_file(file, file.read_text(encoding="utf-8"))
    ]


def entry(file: str, finding: Finding) -> str:
    """Return the line of the list for a finding: without the line of the file, which any edit moves."""
    return f"{file}: {finding.kind}: {finding.excerpt}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the new findings, or write a shorter list; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, help="print all findings in these files and folders")
    parser.add_argument("--summary", action="store_true", help="count them by kind instead")
    parser.add_argument("--write", action="store_true", help="remove findings that were mended from the list")
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    paths = [path.resolve() for path in options.paths] or [root / name for name in CHECKED if (root / name).exists()]
    findings = findings_below(root, paths)
    if options.paths or options.summary:
        return _show(findings, options.summary)
    return _compare(findings, root / LIST.relative_to(ROOT), options.write)


def _show(findings: list[tuple[str, Finding]], is_summary: bool) -> int:
    if is_summary:
        counts = Counter(finding.kind for _, finding in findings)
        print("\n".join(f"{kind:12}{counts[kind]:6}" for kind in KINDS))
    else:
        _print(findings)
    return 0


def _compare(findings: list[tuple[str, Finding]], listed_file: Path, is_written: bool) -> int:
    """Print the findings that are not in the list, more of them than the list has, or write the list again."""
    remaining = Counter(listed_file.read_text(encoding="utf-8").splitlines())
    present, new = list[str](), list[tuple[str, Finding]]()
    for file, finding in findings:
        line = entry(file, finding)
        if remaining[line]:
            remaining[line] -= 1
            present.append(line)
        else:
            new.append((file, finding))
    _print(new)
    if is_written:
        listed_file.write_text("".join(f"{line}\n" for line in sorted(present)), encoding="utf-8")
    elif mended := remaining.total():
        print(f"{mended} findings of the list were mended: `python -m benchmarks.prose --write` removes them")
    if new:
        print(f"{len(new)} new findings: give each name a noun and each sentence a subject (`benchmarks/wording.py`)")
    return int(bool(new))


def _print(findings: Iterable[tuple[str, Finding]]) -> None:
    for file, finding in findings:
        print(f"{file}:{finding.line}: {finding.kind}: {finding.excerpt}")


if __name__ == "__main__":
    sys.exit(main())
