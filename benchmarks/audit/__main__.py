"""Runs the audit and writes `benchmarks/results/audit.md`; exit status 1 where anything is found."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.audit import bad_uses, hostile, kills, together, verdicts
from benchmarks.audit.finding import Found, Scale, told
from benchmarks.measuring import load_average, machine, write_result

PARTS: dict[str, Callable[[Scale], Found]] = {
    "verdicts": verdicts.audit,
    "kills": kills.audit,
    "hostile": hostile.audit,
    "bad-uses": bad_uses.audit,
    "together": together.audit,
}


def main() -> int:
    """Parses, runs the parts, prints."""
    parser = argparse.ArgumentParser(prog="benchmarks.audit", description="Audits what can be trusted.")
    parser.add_argument("--part", action="append", choices=list(PARTS), help="one part only; may be given again")
    parser.add_argument("--small", action="store_true", help="a small scope, for tests: nothing is written")
    parser.add_argument("--seed", type=int, default=0, help="of what is random (default: 0)")
    options = parser.parse_args()
    chosen = options.part or list(PARTS)
    lines = ["# Audit", "", f"{machine()} {load_average()} Seed {options.seed}.", ""]
    findings = 0
    try:
        for name in chosen:
            found, seconds = _run(PARTS[name], options.small, options.seed)
            findings += len(found.findings)
            lines += [f"## {found.title}", "", *(f"{figure}." for figure in found.figures), f"{seconds:.0f} s."]
            lines += ["", *(f"* {finding}" for finding in found.findings), ""]
    except KeyboardInterrupt:
        print("\naudit: interrupted; parts that were finished:", file=sys.stderr)
        write_result("audit.md", lines, keep=False)
        return 130
    told("")
    lines.append(f"**{findings} findings.**" if findings else "**No finding.**")
    write_result("audit.md", lines, keep=not options.small and options.part is None)
    return 1 if findings else 0


def _run(audit: Callable[[Scale], Found], small: bool, seed: int) -> tuple[Found, float]:
    began = time.monotonic()
    with TemporaryDirectory(prefix="audit-") as folder:
        found = audit(Scale(small, seed, Path(folder)))
    return found, time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
